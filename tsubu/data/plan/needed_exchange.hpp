// Every PE sends others what they need of it, and no more: a message for each element, which is EM-X's remote write; or
// packed, in one write for each pair of PEs, from where the elements lie if that is one behind the other.
//
// On a machine whose packets leave by themselves there is nothing to pack into.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "tsubu/data/plan/exchange.hpp"
#include "tsubu/data/plan/views.hpp"

namespace tsubu::data {

template <class T>
class needed_exchange final : public exchange<T> {
 public:
  // Collective.
  static task<std::unique_ptr<exchange<T>>> make(std::shared_ptr<const exchange_pattern> pattern, bool packs) {
    std::unique_ptr<needed_exchange> made(new needed_exchange(pattern, packs));
    const view_layout layout = view_layout::of_sender(*pattern, made->packed_);
    made->views_ = co_await plan_views<T>::open(pes_of(pattern->sources()), pes_of(pattern->destinations()), layout);
    co_return made;
  }

  std::span<const std::int32_t> slots() const override { return pattern_->slots(); }
  std::span<T> own() override { return views_->own(); }

  task<std::span<const T>> gather(std::span<const T> own) override {
    co_await views_->room();
    T* const view = views_->set_own(own);
    T* room = views_->room_to_pack();
    for (const exchange_pattern::link& to : pattern_->destinations()) {
      if (packs_) {
        co_await views_->write_and_tell(to.pe, to.first_slot, run_of(to, view, room));
      } else {
        co_await views_->put_listed(to, view);
        views_->tell(to.pe);
      }
    }
    views_->tell_mere_sources();
    flush();  // who goes on at once would keep the others waiting
    co_await views_->arrived();
    co_return views_->complete();
  }

 private:
  needed_exchange(std::shared_ptr<const exchange_pattern> pattern, bool packs)
      : pattern_(std::move(pattern)), packs_(packs && !remote::current_pe->transport().each_packet_alone()) {
    if (!packs_) return;
    for (const exchange_pattern::link& to : pattern_->destinations()) packed_ += to.places.size();
  }

  static bool is_run(const exchange_pattern::link& to) {
    return to.places.back() - to.places.front() + 1 == to.places.size();  // they ascend
  }
  // The elements of a link one behind the other: where they lie, if they do and will not be set before they are sent;
  // else packed into `room`, which then begins behind them.
  std::span<const T> run_of(const exchange_pattern::link& to, const T* own, T*& room) const {
    const std::size_t count = to.places.size();
    const bool is_short = count * sizeof(T) < remote::bulk_from_bytes;  // copied when it is sent
    if (is_run(to) && (is_short || views_->keeps_own())) return {own + to.places.front(), count};
    T* const first = room;
    const std::uint32_t* const places = to.places.data();
    for (std::size_t k = 0; k < count; ++k) first[k] = own[places[k]];
    work(looked_up_word_clocks * static_cast<double>(count));
    room += count;
    return {first, count};
  }

  const std::shared_ptr<const exchange_pattern> pattern_;
  const bool packs_;
  std::unique_ptr<plan_views<T>> views_;
  // Elements that are packed in a round, behind the view: a long write may still read them when this plan is gone.
  std::size_t packed_ = 0;
};

}  // namespace tsubu::data
