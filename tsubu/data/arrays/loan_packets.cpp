#include "tsubu/data/arrays/loan_packets.hpp"

#include "tsubu/data/space.hpp"

namespace tsubu::data {

void ask_for_memory::call(const message::delivery& d, std::uint32_t blocks) {
  remote::send<memory_granted>(d.from, this_space().lent->grant(blocks));
}

void memory_granted::call(const message::delivery& d, std::uint32_t blocks) {
  this_space().lent->granted(d.from, blocks);
}

void keep_block::call(const message::delivery& d, std::uint64_t number, loans::contents bytes) {
  this_space().lent->receive(d.from, number, std::move(bytes));
}

void want_block::call(const message::delivery& d, std::uint64_t number) {
  this_space().lent->send_back(d.from, number);
}

void forget_block::call(const message::delivery& d, std::uint64_t number) {
  this_space().lent->discard(d.from, number);
}

void block_back::call(const message::delivery& d, std::uint64_t number, bool has_room, loans::contents bytes) {
  data_space& s = this_space();
  for (const key name : s.lent->take_back(d.from, number, has_room, bytes)) {
    home::block_is_here(s.arrays[name.array()]->entry_at(name.index(), s.me));
    s.done_with(name);
  }
}

}  // namespace tsubu::data
