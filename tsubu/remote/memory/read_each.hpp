// Many values through as many global pointers, with no task for each:
//
//   co_await read_each(wanted | std::views::transform([&](entry w) { return tables[w.pe][w.index]; }), values);
//
// Each is a request and an answer of its own, as with global_ptr::read_to(); but on few PEs they are asked for in
// blocks, PE by PE, so that much is tested only once for each of these. Values of the own PE are then copied on the
// spot, if no message of this PE to itself is under way, which they would overtake.
#pragma once

#include <algorithm>
#include <exception>
#include <ranges>
#include <span>
#include <utility>

#include "tsubu/remote/memory/global_ptr.hpp"
#include "tsubu/remote/memory/landing.hpp"
#include "tsubu/remote/memory/read_block.hpp"
#include "tsubu/task/task.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {

namespace remote {

// Asks for as many as there are places, a few at most, one by one. Returns how many there were.
template <class T, class Iterator, class End>
std::size_t ask_singly(Iterator& at, const End& end, std::span<T> places) {
  constexpr std::size_t few = 255;
  std::size_t n = 0;
  for (; n < std::min(few, places.size()) && at != end; ++at) {
    const global_ptr<T> from = *at;
    from.read_to(&places[n++]);
  }
  return n;
}

// Asks for as many as there are places, a block at most, one PE after the other. Outside epochs, on few PEs.
template <class T, class Iterator, class End>
[[gnu::noinline]] std::size_t ask_by_pe(Iterator& next, const End& end, std::span<T> places) {
  read_block<sizeof(T)> block(pe_count());
  const auto pes = static_cast<std::uint32_t>(pe_count());
  Iterator at = std::move(next);
  std::size_t room = std::min(places.size(), block.most());
  constexpr bool sized = std::sized_sentinel_for<End, Iterator>;
  if constexpr (sized) room = std::min(room, static_cast<std::size_t>(end - at));
  std::size_t n = 0;
  for (; n < room && (sized || at != end); ++at, ++n) {
    const global_ptr<T> p = *at;
    const auto pe = static_cast<std::uint32_t>(p.pe());
    if (near_address::fits(p.offset()) && pe < pes) [[likely]] {
      block.add(pe, near_address::of(p.segment(), p.offset()), &places[n]);
    } else if (!block.add_odd(p.pe(), p.segment(), p.offset(), &places[n])) {
      room = n + 1;
    }
  }
  block.ask();
  next = std::move(at);
  return n;
}

template <class T>
T pointed_to_by(global_ptr<T>);
// What the elements of a range of global pointers point to.
template <class Range>
using pointed_to = decltype(pointed_to_by(*std::ranges::begin(std::declval<std::views::all_t<Range>&>())));

template <class View, class T>
task<void> read_each_of(View pointers, std::span<T> places) {
  std::exception_ptr error;  // of the range
  try {
    auto at = std::ranges::begin(pointers);
    const auto end = std::ranges::end(pointers);
    for (int blocks = 1; at != end; ++blocks) {
      require(!places.empty(), "read_each() is given more pointers than places");
      const bool by_pe = pe_count() <= read_block<sizeof(T)>::most_pes && this_task_group == nullptr;
      places = places.subspan(by_pe ? ask_by_pe<T>(at, end, places) : ask_singly<T>(at, end, places));
      co_await room_everywhere();
      // What is read on the spot holds nobody back.
      if (blocks % 64 == 0) co_await yield();
    }
  } catch (...) {
    error = std::current_exception();
  }
  co_await reads_landed();
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace remote

// Reads the value of each pointer of a range into the place of the same number. Ends when all are there; until then the
// range, if it is no temporary, and the places must stay. There are at least as many places as pointers.
// Local; blocks until all values are in place; throws what the range throws, and more pointers than places end the
// job.
template <std::ranges::viewable_range Pointers>
task<void> read_each(Pointers&& pointers, std::span<remote::pointed_to<Pointers>> places) {
  using value = remote::pointed_to<Pointers>;
  static_assert(wire::plain<value> && sizeof(value) <= 240, "values that are read as bytes, of 240 at most");
  return remote::read_each_of(std::views::all(std::forward<Pointers>(pointers)), places);
}

}  // namespace tsubu
