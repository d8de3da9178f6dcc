#include "tsubu/remote/reply.hpp"

#include "tsubu/base/check.hpp"

namespace tsubu {

remote_error::remote_error(pe_id pe, std::string type, const std::string& message)
    : std::runtime_error("PE " + std::to_string(pe) + " threw " + type + ": " + message), pe_(pe), type_(std::move(type)),
      message_(message) {}

namespace remote {

reply_to reply_table::open(pe_id me, reply_sink& sink, const char* type, pe_id asked, const wire::handler_entry* of) {
  std::uint32_t slot = free_;
  if (slot != none) {
    free_ = entries_[slot].next_free;
  } else {
    slot = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  }
  entry& e = entries_[slot];
  e.sink = &sink;
  e.type = type;
  e.of = of;
  e.asked = asked;
  ++e.generation;
  return {me, slot, e.generation};
}

void reply_table::abandon(reply_to slot) {
  entry& e = entries_[slot.slot];
  if (e.generation == slot.generation) e.sink = nullptr;
}

void reply_table::check(pe_id from, std::uint32_t slot, std::uint32_t generation, const char* type) const {
  if (slot < entries_.size() && entries_[slot].generation == generation && (generation & 1) != 0 &&
      (type == nullptr || entries_[slot].type == type)) [[likely]] {
    return;
  }
  std::string found = "there are " + std::to_string(entries_.size()) + " slots";
  if (slot < entries_.size()) {
    found = entries_[slot].generation != generation ? "its generation is " + std::to_string(entries_[slot].generation)
                                                    : "it waits for a value of another type";
  }
  fail("PE " + std::to_string(from) + " answers reply slot " + std::to_string(slot) + ", generation " +
       std::to_string(generation) + ", but " + found);
}

reply_sink* reply_table::take(pe_id from, std::uint32_t slot, std::uint32_t generation, const char* type) {
  check(from, slot, generation, type);
  entry& e = entries_[slot];
  ++e.generation;
  e.next_free = free_;
  free_ = slot;
  return e.sink;
}

reply_sink* reply_table::look(pe_id from, std::uint32_t slot, std::uint32_t generation, const char* type) const {
  check(from, slot, generation, type);
  return entries_[slot].sink;
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
