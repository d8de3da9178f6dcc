// Every PE sends what others need of it, a message for each element: EM-X's remote write, which needs no packing.
#pragma once

#include <utility>

#include "tsubu/data/plan/exchange.hpp"
#include "tsubu/data/plan/views.hpp"

namespace tsubu::data {

template <class T>
class update_exchange final : public exchange<T> {
 public:
  // Collective.
  static task<std::unique_ptr<exchange<T>>> make(std::shared_ptr<const exchange_pattern> pattern) {
    std::unique_ptr<update_exchange> made(new update_exchange(pattern));
    const view_layout layout = view_layout::of_sender(*pattern, 0);
    made->views_ = co_await plan_views<T>::open(pes_of(pattern->sources()), pes_of(pattern->destinations()), layout);
    co_return made;
  }

  std::span<const std::int32_t> slots() const override { return pattern_->slots(); }
  std::span<T> own() override { return views_->own(); }

  task<std::span<const T>> gather(std::span<const T> own) override {
    co_await views_->room();
    T* const view = views_->set_own(own);
    for (const exchange_pattern::link& to : pattern_->destinations()) {
      co_await views_->put_listed(to, view);
      views_->tell(to.pe);
    }
    views_->tell_mere_sources();
    flush();  // who goes on at once would keep the others waiting
    co_await views_->arrived();
    co_return views_->complete();
  }

 private:
  explicit update_exchange(std::shared_ptr<const exchange_pattern> pattern) : pattern_(std::move(pattern)) {}

  const std::shared_ptr<const exchange_pattern> pattern_;
  std::unique_ptr<plan_views<T>> views_;
};

}  // namespace tsubu::data
