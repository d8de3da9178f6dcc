// The vector stays where it is: who needs an element reads it, by some tasks that hide each other's latency. Each takes
// the next group of occurrences that none has taken.
//
// An element is read again for each of its occurrences, as in the paper; or what has been read is kept for the rest of
// the execution (software caching), at the price of a look at each occurrence. Either way it is put into the view,
// where whoever reads it again puts the same value.
#pragma once

#include <utility>
#include <vector>

#include "tsubu/data/plan/exchange.hpp"
#include "tsubu/data/plan/views.hpp"
#include "tsubu/task/scope.hpp"

namespace tsubu::data {

template <class T>
class read_exchange final : public exchange<T> {
 public:
  // Collective.
  static task<std::unique_ptr<exchange<T>>> make(std::shared_ptr<const exchange_pattern> pattern, int tasks,
                                                 bool keeps) {
    std::unique_ptr<read_exchange> made(new read_exchange(pattern, tasks, keeps));
    const view_layout two_views{.elements = pattern->view_size(), .own = pattern->own()};
    made->views_ = co_await plan_views<T>::open(pes_of(pattern->sources()), pes_of(pattern->destinations()), two_views);
    co_return made;
  }

  std::span<const std::int32_t> slots() const override { return pattern_->slots(); }
  std::span<T> own() override { return views_->own(); }

  task<std::span<const T>> gather(std::span<const T> own) override {
    auto nothing = [](std::size_t, std::size_t, std::span<const T>) {};
    co_await visit(own, occurrence_groups(slots().size()), group_visitor<T>(nothing));
    co_return std::span<const T>(view_, pattern_->view_size());
  }

  task<void> visit(std::span<const T> own, occurrence_groups groups, group_visitor<T> body) override {
    co_await views_->room();
    view_ = views_->set_own(own);
    for (const exchange_pattern::link& to : pattern_->destinations()) views_->tell(to.pe);
    views_->tell_mere_sources();
    flush();
    co_await views_->arrived();
    ++execution_;
    next_group_ = 0;
    scope all;
    for (int i = 0; i < tasks_; ++i) all.spawn(take_groups(groups, body));
    co_await all.join();
  }

 private:
  read_exchange(std::shared_ptr<const exchange_pattern> pattern, int tasks, bool keeps)
      : pattern_(std::move(pattern)), tasks_(tasks), keeps_(keeps) {
    for (const exchange_pattern::link& source : pattern_->sources()) {
      for (const std::uint32_t place : source.places) homes_.emplace_back(source.pe, place);
    }
    if (keeps_) kept_for_.resize(homes_.size());
  }

  task<void> take_groups(occurrence_groups groups, group_visitor<T> body) {
    const std::span<const std::int32_t> slot_of = slots();
    const std::size_t own = pattern_->own();
    while (next_group_ < groups.count()) {
      const std::size_t group = next_group_++;
      for (std::size_t k = groups.begin(group); k < groups.begin(group + 1); ++k) {
        const auto slot = static_cast<std::size_t>(slot_of[k]);
        if (slot < own || is_kept(slot - own)) continue;
        const auto& [pe, place] = homes_[slot - own];
        view_[slot] = co_await views_->there(pe, place).read();
        if (keeps_) keep(slot - own);
      }
      body(group, group + 1, std::span<const T>(view_, pattern_->view_size()));
    }
  }

  bool is_kept(std::size_t element) const {
    if (!keeps_) return false;
    work(presence_clocks);
    return kept_for_[element] == execution_;
  }
  void keep(std::size_t element) {
    work(keeping_clocks);
    kept_for_[element] = execution_;
  }

  const std::shared_ptr<const exchange_pattern> pattern_;
  const int tasks_;
  const bool keeps_;
  std::vector<std::pair<pe_id, std::uint32_t>> homes_;  // of others' elements in the view, so that none is looked for
  std::vector<std::uint64_t> kept_for_;                 // the same: the execution in which it was read last
  std::unique_ptr<plan_views<T>> views_;
  // What belongs to the execution under way:
  T* view_ = nullptr;
  std::uint64_t execution_ = 0;
  std::size_t next_group_ = 0;
};

}  // namespace tsubu::data
