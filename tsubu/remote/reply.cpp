#include "tsubu/remote/reply.hpp"

#include "tsubu/base/check.hpp"

namespace tsubu {

namespace remote {

std::uint32_t reply_table::add_slot() {
  entries_.emplace_back();
  return slots_++;
}

void reply_table::refuse(pe_id from, std::uint32_t slot, std::uint32_t generation) const {
  std::string found = "there are " + std::to_string(slots_) + " slots";
  if (slot < slots_) {
    found = entries_[slot].generation != generation ? "its generation is " + std::to_string(entries_[slot].generation)
                                                    : "it waits for a value of another type";
  }
  fail("PE " + std::to_string(from) + " answers reply slot " + std::to_string(slot) + ", generation " +
       std::to_string(generation) + ", but " + found);
}

namespace {

// "relax(int, double)" out of "tsubu::remote::ask_call<&(relax(int, double))>".
std::string target_name(const wire::handler_entry& handler) {
  const std::string name = wire::readable_name(handler);
  const std::size_t begin = name.find('<');
  if (!name.starts_with("tsubu::remote::") || begin == std::string::npos || !name.ends_with('>')) return name;
  std::string target = name.substr(begin + 1, name.size() - begin - 2);
  if (target.starts_with("&(") && target.ends_with(')')) target = target.substr(2, target.size() - 3);
  return target;
}

}  // namespace

std::string reply_table::describe(const void* sink) const {
  for (const entry& e : entries_) {
    if ((e.generation & 1) == 0 || static_cast<const void*>(e.sink) != sink) continue;
    std::string text = "PE " + std::to_string(e.asked);
    if (e.of != nullptr) text += ", " + target_name(*e.of);
    return text;
  }
  return "";
}

}  // namespace remote
}  // namespace tsubu
