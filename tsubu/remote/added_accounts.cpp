#include "tsubu/remote/added_accounts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::remote {
namespace {

pe_local<std::vector<const added_account*>> accounts_added;

void settle_all() {
  for (const added_account* const account : *accounts_added) account->settle();
}

// Each text behind its length.
std::string give_all() {
  std::string all;
  for (const added_account* const account : *accounts_added) {
    const std::string text = account->give();
    const std::uint64_t size = text.size();
    all.append(reinterpret_cast<const char*>(&size), sizeof(size)).append(text);
  }
  return all;
}

std::string take_first(std::string_view& all) {
  std::uint64_t size = 0;
  require(all.size() >= sizeof(size), "a PE's accounts are cut off");
  std::memcpy(&size, all.data(), sizeof(size));
  all.remove_prefix(sizeof(size));
  require(all.size() >= size, "a PE's accounts are cut off");
  std::string text(all.substr(0, size));
  all.remove_prefix(size);
  return text;
}

void take_all(const std::vector<std::string>& of_pes) {
  std::vector<std::string_view> left(of_pes.begin(), of_pes.end());
  for (const added_account* const account : *accounts_added) {
    std::vector<std::string> texts;
    texts.reserve(left.size());
    for (std::string_view& of_pe : left) texts.push_back(take_first(of_pe));
    account->take(texts);
  }
}

constexpr added_account all_of_them{settle_all, give_all, take_all};

}  // namespace

void add_account(const added_account& of_a_floor) {
  current_pe->accounts.add(all_of_them);
  if (std::ranges::find(*accounts_added, &of_a_floor) == accounts_added->end()) accounts_added->push_back(&of_a_floor);
}

}  // namespace tsubu::remote
