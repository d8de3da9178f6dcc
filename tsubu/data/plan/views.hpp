// A PE's two views of a spread vector, which its partners write into or read from, and how it reaches theirs.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tsubu/base/clock.hpp"
#include "tsubu/data/plan/loop_clocks.hpp"
#include "tsubu/data/plan/rounds.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/memory/global_ptr.hpp"
#include "tsubu/remote/memory/segment_memory.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::data {

// An element into a view: its place in one word.
template <class T>
struct put_element {
  using layout = wire::layout<std::uint64_t, T>;
  static constexpr message_kind kind = message_kind::write;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, std::uint64_t word, const T& value) {
    const remote::near_address to{word};
    wire::store(remote::segment_at(to.segment(), to.offset(), sizeof(T), d.from), value);
  }
};

// How a PE's memory for a plan is laid out.
//
// Either there are two views, of the odd rounds and of the even ones. Or there is one, whose own elements the program
// may set where they lie, and two landings for what others send, which is copied from there into the view: that copies
// less where a PE needs fewer elements of others than it has itself. It is for methods that send, as reads come at any
// time.
struct view_layout {
  std::size_t elements = 0;  // of a view
  std::size_t own_at = 0, own = 0;
  std::size_t packed = 0;  // room for elements that are sent in a round
  bool lands = false;      // then the own elements come first

  // The layout for a method that sends, by a pattern.
  static view_layout of_sender(const exchange_pattern& p, std::size_t packed) {
    const bool fewer = p.view_size() - p.own() < p.own();
    return {p.view_size(), 0, p.own(), packed, fewer && !remote::current_pe->transport().each_packet_alone()};
  }

  std::size_t stride() const { return (lands ? elements - own : elements) + packed; }
  std::size_t size() const { return (lands ? elements : 0) + 2 * stride(); }
  // Where others write slot s in a round of that parity: at s + written(parity).
  std::size_t written(std::size_t parity) const { return (lands ? elements - own : 0) + parity * stride(); }
  std::size_t view(std::size_t parity) const { return lands ? 0 : parity * stride(); }
  std::size_t room(std::size_t parity) const { return written(parity) + elements; }
};

template <class T>
class plan_views {
 public:
  // The PEs say who takes part. Collective.
  static task<std::unique_ptr<plan_views>> open(std::vector<pe_id> sources, std::vector<pe_id> destinations,
                                                view_layout layout) {
    std::unique_ptr<plan_views> made(new plan_views(layout));
    const remote::segment_id views = remote::make_segment<T>(std::max<std::size_t>(layout.size(), 1));
    made->first_ = remote::object_at<T>(views, 0, this_pe());
    if (!layout.lands) made->own_.resize(layout.own);
    auto rounds = std::make_unique<plan_rounds>(sources, destinations);
    made->rounds_ = rounds.get();
    const std::uint32_t number = made->number_ = plans_here->next_number();
    plans_here->add(number, std::move(rounds), views);
    std::size_t partners = 0;
    made->rounds_->for_each_partner([&](pe_id pe) {
      remote::send<views_opened>(pe, number, views, layout.written(0), layout.stride());
      ++partners;
    });
    made->partners_.resize(static_cast<std::size_t>(pe_count()));
    for (; partners > 0; --partners) {
      const plan_table::said one = co_await plans_here->next_opened(number);
      made->partners_[static_cast<std::size_t>(one.by)] = one.views;
    }
    co_return made;
  }
  plan_views(const plan_views&) = delete;
  plan_views& operator=(const plan_views&) = delete;
  ~plan_views() {
    if (remote::current_pe == nullptr || remote::current_pe->quiescence.ended()) return;
    rounds_->for_each_partner([this](pe_id pe) { remote::send<plan_left>(pe, number_); });
    plans_here->leave(number_);
  }

  // ---- a round, in this order

  // Awaited: the view of the next round may be used.
  plan_rounds::wait room() {
    rounds_->begin();
    return rounds_->all_began(partner_role::destination, rounds_->now() - 1);
  }
  // Where the program may set its elements, so that they need not be copied from elsewhere.
  std::span<T> own() { return layout_.lands ? std::span<T>(first_, layout_.own) : std::span<T>(own_); }
  // The view, with this PE's elements in it.
  T* set_own(std::span<const T> own) {
    T* const to = view() + layout_.own_at;
    if (to != own.data()) std::ranges::copy(own, to);
    return view();
  }
  // Room for what is packed in this round; it stays as it is until the round after the next.
  T* room_to_pack() { return first_ + layout_.room(parity()); }
  // To a destination, behind what it gets.
  void tell(pe_id destination) const { remote::send<round_begun>(destination, number_); }
  // To those that get nothing.
  void tell_mere_sources() const {
    rounds_->for_each_mere_source([this](pe_id pe) { tell(pe); });
  }
  // Awaited: what others send is here, or may be read there.
  plan_rounds::wait arrived() const { return rounds_->all_began(partner_role::source, rounds_->now()); }
  // The view, complete if all was sent here.
  std::span<const T> complete() {
    if (layout_.lands)
      std::copy_n(first_ + layout_.written(parity()) + layout_.own, layout_.elements - layout_.own,
                  view() + layout_.own);
    return {view(), layout_.elements};
  }
  // Elements of a view that are sent may lie there until the round after the next: they are not set before.
  bool keeps_own() const { return !layout_.lands; }

  // ---- others' views in this round

  global_ptr<T> there(pe_id pe, std::size_t slot) const {
    const partner_views& of = partners_[static_cast<std::size_t>(pe)];
    return global_ptr<T>(pe, of.segment, (of.first + parity() * of.stride + slot) * sizeof(T));
  }
  // A run of elements into slots that follow each other, and tells the PE. The elements stay as they are until it has
  // begun the next round. Awaited to be held back by a full network.
  task<void> write_and_tell(pe_id pe, std::size_t slot, std::span<const T> values) const {
    if (remote::current_pe->transport().each_packet_alone()) {
      co_await put(pe, slot, values.size(), copied_word_clocks, [values](std::size_t k) { return values[k]; });
      tell(pe);
    } else {
      // A long one is awaited by nobody: that it has come follows from the next round of the PE.
      const remote::notified_write sent =
          there(pe, slot).write(values).template notify<round_begun_behind_write>(number_, this_pe());
      co_await remote::sent(pe);
    }
  }
  // The same of elements of the own ones, a message for each; tells nobody.
  task<void> put_listed(const exchange_pattern::link& to, const T* own) const {
    const std::uint32_t* const places = to.places.data();
    return put(to.pe, to.first_slot, to.places.size(), looked_up_word_clocks,
               [places, own](std::size_t k) { return own[places[k]]; });
  }

 private:
  explicit plan_views(view_layout layout) : layout_(layout) {}
  std::size_t parity() const { return static_cast<std::size_t>(rounds_->now() % 2); }
  T* view() { return first_ + layout_.view(parity()); }

  // value_at(0), value_at(1), .. into slots from `slot` on, one by one.
  template <class ValueAt>
  task<void> put(pe_id pe, std::size_t slot, std::size_t count, double word_clocks, ValueAt value_at) const {
    constexpr std::size_t few = 256;
    const global_ptr<T> first = there(pe, slot);
    for (std::size_t done = 0; done < count; done += few) {
      put_some(first, done, std::min(done + few, count), word_clocks, value_at);
      co_await remote::sent(pe);
    }
  }
  // No coroutine, so that a loop over many is compiled as one.
  template <class ValueAt>
  static void put_some(global_ptr<T> first, std::size_t done, std::size_t end, double word_clocks, ValueAt value_at) {
    if (simulated != nullptr) {  // where each packet leaves by itself, each has its own work before it
      for (; done < end; ++done) {
        work(word_clocks);
        (void)(first + done).put(value_at(done));
      }
      return;
    }
    for (; done < end; ++done) {
      const std::uint64_t offset = first.offset() + done * sizeof(T);
      if (remote::near_address::fits(offset)) [[likely]] {
        remote::send<put_element<T>>(first.pe(), remote::near_address::of(first.segment(), offset).word,
                                     value_at(done));
      } else {
        (void)(first + done).put(value_at(done));
      }
    }
  }

  const view_layout layout_;
  std::vector<T> own_;  // where views change
  T* first_ = nullptr;
  std::uint32_t number_ = 0;
  plan_rounds* rounds_ = nullptr;        // the table's, which keeps it until this is destroyed, at least
  std::vector<partner_views> partners_;  // by PE
};

}  // namespace tsubu::data
