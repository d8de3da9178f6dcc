// Requests of RESP, as kv reads and executes them. The first byte says in what pieces the rest comes. The same requests
// are found in one piece, none is larger than it may be, and each has a reply that ends its line.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "apps/kv/commands.hpp"
#include "apps/kv/conversation.hpp"
#include "apps/kv/resp.hpp"
#include "apps/kv/server_facts.hpp"
#include "apps/kv/store.hpp"
#include "apps/kv/transaction.hpp"
#include "tests/fuzz/input.hpp"

namespace tsubu::fuzz {
namespace {

constexpr kv::request_limits most{.word_bytes = 1000, .words = 20, .request_bytes = 5000};

struct reading {
  std::vector<std::vector<std::string>> requests;
  std::string trouble;
};

reading read_in_pieces(std::string_view text, std::size_t piece) {
  reading all;
  kv::request_reader reader(most);
  std::string left;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    left += text.substr(0, piece);
    for (;;) {
      const std::vector<char> exactly(left.begin(), left.end());  // whose end a sanitizer knows
      const auto found = reader.read({exactly.data(), exactly.size()});
      if (found == kv::request_reader::found::more_is_needed) break;
      if (found == kv::request_reader::found::broken) {
        all.trouble = reader.trouble();
        return all;
      }
      std::size_t bytes = 0;
      for (const std::string_view word : reader.words()) bytes += word.size();
      expect(bytes <= std::max<std::size_t>(most.request_bytes, 65536), "a request is larger than it may be");
      all.requests.emplace_back(reader.words().begin(), reader.words().end());
      left.erase(0, reader.size());
    }
  }
  return all;
}

// What several PEs would be asked for, of one.
std::string execute_as_part(std::string_view requests, kv::store& keys, std::int64_t now, kv::protocol as,
                            bool as_array) {
  constexpr std::size_t most_reply = 2000;
  const kv::owner_function owner = [](std::string_view) { return std::size_t{0}; };
  const std::vector<std::string> parts = kv::parts_of(requests, 1, owner);
  std::vector<std::vector<std::string>> answers{kv::execute_part(parts[0], keys, now, as, most_reply)};
  return kv::joined(requests, answers, owner, as, most_reply, as_array);
}

std::string reply_to(const std::vector<std::string_view>& words, kv::conversation& with, kv::store& keys,
                     std::int64_t now) {
  const kv::command_facts& facts = kv::facts_of(words[0]);
  std::string reply;
  if (with.answers(facts, words, reply)) return reply;
  if (facts.whom == kv::asks::owner) {
    kv::execute(facts.which, words, keys, now, with.as(), reply);
  } else if (facts.whom == kv::asks::owners || facts.which == kv::command::mset) {
    reply = execute_as_part(kv::as_request(words), keys, now, with.as(), false);
  } else if (facts.which == kv::command::exec) {
    if (std::string requests; with.take_transaction(requests, reply))
      reply = execute_as_part(requests, keys, now, with.as(), true);
  } else if (facts.which == kv::command::info) {
    kv::add_text(reply, kv::info(words, {}, {}), with.as());
  } else {
    kv::add_text(reply, with.description(now), with.as());
  }
  return reply;
}

void execute_all(const reading& read) {
  kv::store keys(1, 20'000);
  kv::conversation with(1, "peer", most, 1);
  std::int64_t now = 1;
  for (const std::vector<std::string>& request : read.requests) {
    if (request.empty()) continue;
    const std::string reply = reply_to({request.begin(), request.end()}, with, keys, now);
    expect(reply.ends_with("\r\n"), "a reply does not end its line");
    expect(reply[0] != '-' || reply.find('\n') == reply.size() - 1, "an error has several lines");
    expect(keys.bytes() <= 20'000, "the store holds more than it may");
    expect(with.bytes() <= 2 * most.request_bytes, "a transaction holds more than it may");
    expect(keys.expiring() <= keys.size(), "times are kept of keys that are gone");
    now += 1000;
  }
}

}  // namespace

void read_input(bytes input) {
  if (input.empty()) return;
  const std::string_view text = text_of(input.subspan(1));
  const reading whole = read_in_pieces(text, text.size() + 1);
  const reading parts = read_in_pieces(text, 1 + input[0]);
  expect(whole.requests == parts.requests && whole.trouble == parts.trouble, "pieces are read as other requests");
  execute_all(whole);
}

}  // namespace tsubu::fuzz
