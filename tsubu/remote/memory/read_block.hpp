// Reads that are gathered and sorted by the PE they are from, to be asked for PE by PE.
//
// To add one is what each read costs, so no more is done there than to write two words and to count. What a send tests,
// and where it stores, comes once for each PE: what is asked and where it will land are then copied as they stand.
// Nothing is called before that, so a loop that adds keeps what it reads of its surroundings in registers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tsubu/remote/memory/landing.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::remote {

// Reads of values of N bytes. Lives for a block, on the stack.
template <std::size_t N>
class read_block {
 public:
  // So few PEs that a block has some reads for most of them.
  static constexpr pe_id most_pes = 8;

  // For PEs 0 to pes - 1; at most most_pes.
  explicit read_block(pe_id pes) : most_(std::min(slots / static_cast<std::uint32_t>(pes), most_of_a_pe)) {
    for (std::size_t pe = 0; pe < first_free_.size(); ++pe) first_free_[pe] = pe * most_;
  }

  // How many reads it has room for, whichever PEs they are from.
  std::size_t most() const { return most_; }

  void add(std::uint32_t pe, near_address from, void* place) {
    const std::size_t slot = first_free_[pe]++;
    words_[slot] = from.word;
    places_[slot] = static_cast<std::byte*>(place);
  }

  // As add(), for what add() does not take: an offset that is not near, or a PE that does not exist, which ends the job
  // when it is asked. False if there is no room for another such read.
  bool add_odd(pe_id pe, segment_id segment, std::uint64_t offset, void* place) {
    odd_[odd_count_++] = {offset, place, pe, segment};
    return odd_count_ != odd_.size();
  }

  // Asks for them all, one PE after the other. Values of the own PE are copied at once if no message of this PE to
  // itself is under way, which they would overtake.
  void ask() {
    message::endpoint& messages = *message::this_endpoint;
    landings& lines = *landed<N>::places;
    send_the_first();
    for (pe_id pe = 0; pe < messages.pe_count(); ++pe) {
      const std::size_t begin = static_cast<std::uint32_t>(pe) * most_;
      const std::size_t count = first_free_[static_cast<std::uint32_t>(pe)] - begin;
      if (count == 0) continue;
      if (pe == messages.pe() && messages.nothing_for_itself()) {
        copy_own(pe, begin, count);
      } else {
        lines[pe].push(&places_[begin], count);
        send(pe, &words_[begin], count);
      }
    }
    for (std::size_t i = 0; i < odd_count_; ++i)
      ask_to_land<N>(odd_[i].pe, odd_[i].segment, odd_[i].offset, odd_[i].place);
  }

 private:
  struct odd_read {
    std::uint64_t offset;
    void* place;
    pe_id pe;
    segment_id segment;
  };
  // 16 KB of stack in all, of which two PEs use half: as instructions go more would do as well, but it takes longer.
  static constexpr std::size_t slots = 1000;
  static constexpr std::size_t most_of_a_pe = 240;

  static void send(pe_id pe, const std::uint64_t* words, std::size_t count) {
    while (count != 0) {
      const std::span<std::byte> requests = message::this_endpoint->send_in_place<read_near<N>>(pe, count);
      std::memcpy(requests.data(), words, requests.size());
      words += requests.size() / sizeof *words;
      count -= requests.size() / sizeof *words;
    }
  }

  void copy_own(pe_id pe, std::size_t begin, std::size_t count) {
    recent_segment<N> memory(current_pe->segments, pe);
    for (std::size_t i = begin; i < begin + count; ++i) std::memcpy(places_[i], memory.at({words_[i]}), N);
  }

  const std::size_t most_;
  std::array<std::size_t, most_pes> first_free_;  // by PE, each of which has most_ slots, one PE behind the other
  std::array<std::uint64_t, slots> words_;
  std::array<std::byte*, slots> places_;
  std::size_t odd_count_ = 0;
  std::array<odd_read, 32> odd_;
};

}  // namespace tsubu::remote
