// The numbers that a PE gives to the objects it creates, on each PE apart.
//
// They come from two places: numbers that were never given, and those that come back because their objects have ended,
// for the next generation. Numbers that are to go back to another creator are gathered, and go several with a packet.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/object/identity.hpp"

namespace tsubu::objects {

struct numbered {
  std::uint32_t number;
  std::uint32_t generation;
};

// As many numbers as go back with a packet.
using returned_numbers = std::array<numbered, 16>;

class number_stocks {
 public:
  // The first generation of each number.
  explicit number_stocks(pe_id pes, std::uint32_t first_generation = 0);

  std::uint32_t first_generation() const { return first_generation_; }

  // For one more object on `home`. Ends the job if this PE has as many there as can be numbered.
  [[gnu::always_inline]] numbered next_on(pe_id home) {
    stock& s = stocks_[static_cast<std::uint32_t>(home)];
    if (s.returned.empty()) {
      if (s.fresh > identity::most_number) [[unlikely]]
        no_more_numbers(home);
      return {s.fresh++, first_generation_};
    }
    const numbered n = s.returned.back();
    s.returned.pop_back();
    return n;
  }
  // `count` numbers in sequence that were never given, the same on each home, from the one that is returned.
  std::uint32_t next_everywhere(std::uint32_t count);

  // They come back from `home`.
  void take_back(pe_id home, const returned_numbers& n);

  // The number goes back to `creator`, who gave it to an object here. True if there are as many now as go with a
  // packet: then these are in `bunch`, and not owed any more.
  bool owe(pe_id creator, numbered n, returned_numbers& bunch);

 private:
  [[noreturn, gnu::cold]] static void no_more_numbers(pe_id home);

  // Between this PE and another. A number of this PE there is below `fresh`; it belongs to an object that has not
  // ended, or is in `returned`, or is owed by the other PE. `owed` has fewer than go with a packet.
  struct stock {
    std::uint32_t fresh = 0;
    std::vector<numbered> returned;
    std::vector<numbered> owed;
  };

  // Constant after construction.
  pe_id pes_;
  std::uint32_t first_generation_;
  detail::owned_array<stock> stocks_;  // by PE
};

}  // namespace tsubu::objects
