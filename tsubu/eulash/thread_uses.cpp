#include "tsubu/eulash/thread_uses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cereal/types/map.hpp>
#include <cereal/types/utility.hpp>
#include <vector>

#include "tsubu/eulash/thread.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::placed {
namespace {

uses_of_blocks give_uses() { return uses_here->all; }

struct user {
  std::uint64_t thread;
  use_of_block how;
};

}  // namespace

void note_use(std::uint64_t block, bool writes) {
  if (running == nullptr || running->ordinal == thread::without_ordinal) return;
  use_of_block& use = uses_here->all[{block, running->ordinal}];
  ++use.accesses;
  use.writes += writes ? 1 : 0;
}

task<std::string> text_of_uses() {
  std::map<std::uint64_t, std::vector<user>> users;  // by block
  std::uint64_t count = 0;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    const uses_of_blocks of_pe = co_await at(pe).now<&give_uses>();
    for (const auto& [of, how] : of_pe) {
      users[of.first].push_back({of.second, how});
      count = std::max(count, of.second + 1);
    }
  }
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> shared;
  for (const auto& [block, all] : users) {
    for (std::size_t i = 0; i != all.size(); ++i) {
      for (std::size_t k = 0; k != i; ++k) {
        if (all[i].how.writes + all[k].how.writes == 0) continue;
        const auto [first, second] = std::minmax(all[i].thread, all[k].thread);
        shared[{first, second}] += std::min(all[i].how.accesses, all[k].how.accesses);
      }
    }
  }
  std::string text = fmt::format("{{\"count\": {}, \"shared\": [", count);
  for (bool more = false; const auto& [pair, accesses] : shared) {
    text += fmt::format("{}[{}, {}, {}]", more ? ", " : "", pair.first, pair.second, accesses);
    more = true;
  }
  co_return text + "]}";
}

}  // namespace tsubu::placed
