// Things that are made and given back all the time, at addresses that do not change; all go with their owner.
#pragma once

#include <deque>
#include <utility>
#include <vector>

namespace tsubu::sim {

template <class T>
class recycled {
 public:
  T* make(T value) {
    if (free_.empty()) return &all_.emplace_back(std::move(value));
    T* const place = free_.back();
    free_.pop_back();
    *place = std::move(value);
    return place;
  }
  // Its contents go with the next one that is made there.
  void give_back(T* one) { free_.push_back(one); }

 private:
  std::deque<T> all_;
  std::vector<T*> free_;
};

}  // namespace tsubu::sim
