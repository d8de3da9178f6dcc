// The name of a concurrent object, as it travels.
#pragma once

#include <cstdint>

#include "tsubu/base/types.hpp"

namespace tsubu::objects {

// 12 bytes. A packet to its home carries 8 of them: what a message costs between two cores is its bytes.
//
// Packed, with a word of 8 bytes, since a core waits for loads that begin in one store and end in another: as three
// words of 4 bytes, which compilers combine as they like, a name cost 30 clocks of such waits.
struct [[gnu::packed, gnu::aligned(4)]] identity {
  static constexpr std::uint32_t most_number = (std::uint32_t{1} << 28) - 1;
  static constexpr std::uint32_t most_creator = (std::uint32_t{1} << 20) - 1;
  static constexpr std::uint32_t most_generation = (std::uint32_t{1} << 12) - 1;
  // Jobs that follow one another in a process share the generations: a name is of nobody in the three next ones.
  static constexpr std::uint32_t generations_of_job = std::uint32_t{1} << 10;

  constexpr identity() = default;
  constexpr identity(pe_id at, pe_id by, std::uint32_t number, std::uint32_t generation)
      : name_(static_cast<std::uint64_t>(static_cast<std::uint32_t>(by) << 12 | generation) << 32 | number), home(at) {}
  constexpr identity(pe_id at, std::uint64_t named) : name_(named), home(at) {}

  constexpr std::uint64_t word() const { return name_; }
  constexpr std::uint32_t number() const { return static_cast<std::uint32_t>(name_); }
  constexpr pe_id creator() const { return static_cast<pe_id>(name_ >> 44); }           // who numbered it
  constexpr std::uint32_t generation() const { return name_ >> 32 & most_generation; }  // of that number
  constexpr bool operator==(const identity& other) const { return name_ == other.name_ && home == other.home; }

 private:
  std::uint64_t name_ = 0;  // what travels to the home

 public:
  pe_id home = no_pe;  // where it was created
};
static_assert(sizeof(identity) == 12);

// How a packet to an object's home names it: in full ...
struct full_name {
  using word = std::uint64_t;
  static word of(const identity& id, pe_id) { return id.word(); }
  static identity read(word w, pe_id home, pe_id) { return {home, w}; }
};

// ... or, since bytes are most of what a packet costs, in 4 bytes, if it was numbered by the sender or by its home, and
// is one of the first half million.
struct short_name {
  using word = std::uint32_t;
  static constexpr int number_bits = 19;
  static constexpr std::uint32_t by_sender = std::uint32_t{1} << number_bits;
  static constexpr int generation_at = 20;
  static bool fits(const identity& id, pe_id sender) {
    return id.number() >> number_bits == 0 && (id.creator() == sender || id.creator() == id.home);
  }
  static word of(const identity& id, pe_id sender) {
    return static_cast<word>(id.word() >> 32) << generation_at | (id.creator() == sender ? by_sender : 0) | id.number();
  }
  static identity read(word w, pe_id home, pe_id from) {
    const std::uint32_t number = w & ((std::uint32_t{1} << number_bits) - 1);
    return {home, (w & by_sender) != 0 ? from : home, number, w >> generation_at};
  }
};

// Which of the two the next packet of a PE has. A run of packets of one handler has a header, so short names among full
// ones do not pay: all are full for a while after one that must be.
class name_choice {
 public:
  [[gnu::always_inline]] bool use_short(bool fits) {
    if (!fits) [[unlikely]]
      full_ones_left_ = 64;
    if (full_ones_left_ == 0) [[likely]]
      return true;
    --full_ones_left_;
    return false;
  }

 private:
  int full_ones_left_ = 0;
};

struct identity_hash {
  std::size_t operator()(const identity& i) const {
    const std::uint64_t home = static_cast<std::uint32_t>(i.home);
    return static_cast<std::size_t>((i.word() ^ home * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 >> 8);
  }
};

}  // namespace tsubu::objects
