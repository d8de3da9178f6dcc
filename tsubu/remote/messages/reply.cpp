#include "tsubu/remote/messages/reply.hpp"

#include "tsubu/base/check.hpp"
#include "tsubu/base/job_names.hpp"

namespace tsubu {

namespace remote {

std::uint32_t reply_table::add_slot() {
  // An answer to a question of an earlier job of the process, which the program has kept, finds another generation.
  constexpr int bits_in_a_job = 24;
  entries_.emplace_back().generation = detail::job_names::jobs_before() << bits_in_a_job;
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

std::string reply_table::describe(const void* sink) const {
  for (const entry& e : entries_) {
    if ((e.generation & 1) == 0 || static_cast<const void*>(e.sink) != sink) continue;
    std::string text = "PE " + std::to_string(e.asked);
    if (e.of != nullptr) text += ", " + wire::target_name(*e.of);
    return text;
  }
  return "";
}

}  // namespace remote
}  // namespace tsubu
