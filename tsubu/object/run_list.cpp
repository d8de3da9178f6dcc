#include "tsubu/object/run_list.hpp"

#include <algorithm>

namespace tsubu::objects {

namespace {

// Out of one of the two, from its end.
template <class List>
object_base* take_last_of(List& list, const std::function<bool(const object_base&)>& fits) {
  for (std::size_t i = list.size(); i-- > 0;) {
    object_base* const o = list[i];
    if (!fits(*o)) continue;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    o->tsubu_header.clear(object_base::header::runnable);
    return o;
  }
  return nullptr;
}

}  // namespace

void run_list::add(object_base& o) {
  o.tsubu_header.set(object_base::header::runnable);
  list_.push_back(&o);
}

void run_list::add_newest(object_base& o) {
  o.tsubu_header.set(object_base::header::runnable);
  list_.push_front(&o);
}

void run_list::add_in_front(object_base& o) {
  o.tsubu_header.set(object_base::header::runnable);
  in_front_.push_back(&o);
}

void run_list::join() {
  for (; !in_front_.empty(); in_front_.pop_back()) list_.push_front(in_front_.back());
}

void run_list::begin_turn() {
  join();
  passed_over_ = list_.size();
}

object_base* run_list::take_next() {
  join();
  if (list_.empty()) return nullptr;
  object_base* o = nullptr;
  if (++turns_ % from_the_back == 0) {
    o = list_.back();
    list_.pop_back();
  } else {
    o = list_.front();
    list_.pop_front();
  }
  passed_over_ = passed_over();
  o->tsubu_header.clear(object_base::header::runnable);
  return o;
}

object_base* run_list::take_last(const std::function<bool(const object_base&)>& fits) {
  object_base* const o = take_last_of(list_, fits);
  if (o != nullptr && passed_over_ > 0) --passed_over_;
  return o != nullptr ? o : take_last_of(in_front_, fits);
}

void run_list::remove(object_base& o) {
  std::erase(list_, &o);
  passed_over_ = passed_over();
  std::erase(in_front_, &o);
  o.tsubu_header.clear(object_base::header::runnable);
}

}  // namespace tsubu::objects
