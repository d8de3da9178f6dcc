// Every PE sends all of its elements to every other one: the complete exchange. The view is the whole vector, PE by PE.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "tsubu/data/plan/exchange.hpp"
#include "tsubu/data/plan/views.hpp"

namespace tsubu::data {

template <class T>
class block_exchange final : public exchange<T> {
 public:
  // Collective.
  static task<std::unique_ptr<exchange<T>>> make(std::shared_ptr<const exchange_pattern> pattern) {
    std::unique_ptr<block_exchange> made(new block_exchange(*pattern));
    if (made->is_short()) {
      made->gathered_.resize(pattern->size());
      made->own_.resize(pattern->own());
    } else {
      std::vector<pe_id> others;
      for (pe_id i = 1; i < pe_count(); ++i) others.push_back((this_pe() + i) % pe_count());
      const view_layout two_views{
          .elements = pattern->size(), .own_at = made->first_of(this_pe()), .own = pattern->own()};
      made->views_ = co_await plan_views<T>::open(others, others, two_views);
    }
    co_return made;
  }

  std::span<const std::int32_t> slots() const override { return slots_; }
  std::span<T> own() override { return is_short() ? std::span<T>(own_) : views_->own(); }
  task<std::span<const T>> gather(std::span<const T> own) override {
    return is_short() ? gather_short(own) : send_blocks(own);
  }

 private:
  explicit block_exchange(const exchange_pattern& pattern) : size_(pattern.size()), slots_(pattern.slots()) {
    std::size_t next = 0;
    for (const std::uint32_t count : pattern.counts()) {
      firsts_.push_back(next);
      next += count;
    }
    std::vector<std::int32_t> whole_slot(pattern.view_size());  // by slot of the pattern
    for (std::size_t k = 0; k < pattern.own(); ++k) whole_slot[k] = static_cast<std::int32_t>(first_of(this_pe()) + k);
    for (const exchange_pattern::link& source : pattern.sources()) {
      for (std::size_t k = 0; k < source.places.size(); ++k)
        whole_slot[source.first_slot + k] = static_cast<std::int32_t>(first_of(source.pe) + source.places[k]);
    }
    for (std::int32_t& slot : slots_) slot = whole_slot[static_cast<std::size_t>(slot)];
  }

  // Short blocks meet as a collective finds best: where PEs share cores, that is in fewer messages.
  bool is_short() const {
    constexpr std::size_t bytes_of_pe = 2048;  // on the average
    return size_ * sizeof(T) <= bytes_of_pe * firsts_.size() && !remote::current_pe->transport().each_packet_alone();
  }
  std::size_t first_of(pe_id pe) const { return firsts_[static_cast<std::size_t>(pe)]; }

  task<std::span<const T>> send_blocks(std::span<const T> own) {
    co_await views_->room();
    T* const view = views_->set_own(own);
    const std::size_t first = first_of(this_pe());
    const std::span<const T> mine(view + first, own.size());
    for (pe_id i = 1; i < pe_count(); ++i) co_await views_->write_and_tell((this_pe() + i) % pe_count(), first, mine);
    flush();  // who goes on at once would keep the others waiting
    co_await views_->arrived();
    co_return std::span<const T>(view, size_);
  }

  task<std::span<const T>> gather_short(std::span<const T> own) {
    const std::vector<std::vector<T>> blocks = co_await all_gather(std::vector<T>(own.begin(), own.end()));
    auto to = gathered_.begin();
    for (const std::vector<T>& block : blocks) to = std::copy(block.begin(), block.end(), to);
    co_return gathered_;
  }

  const std::size_t size_;
  std::vector<std::size_t> firsts_;  // by PE: the slot of its first element
  std::vector<std::int32_t> slots_;
  std::vector<T> gathered_, own_;         // of short blocks
  std::unique_ptr<plan_views<T>> views_;  // of others
};

}  // namespace tsubu::data
