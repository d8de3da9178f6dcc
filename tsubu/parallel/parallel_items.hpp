// Work items that any PE may run, and that may bring more of them:
//
//   std::int64_t nodes = co_await parallel_items(root, reduce::plus, [](node n, work_items<node>& more) {
//     for (const node& child : children(n)) more.add(child);
//     return std::int64_t{1};
//   });
//
// For searches and the like, whose work shows only while it is done. An item is a value that travels; it belongs to no
// PE and has no name: it is run once, somewhere, and is gone. Items that are added wait on the PE where they were, the
// newest is run next there, and PEs that have nothing to do get the oldest. What has a state that lives longer, or is
// sent messages, is an object: create<T>(anywhere()).
//
// Body, result, end and exceptions are as parallel_for.hpp says; of bodies that are coroutines at most 64 are under way
// on a PE.
#pragma once

#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/parallel/item_store.hpp"
#include "tsubu/parallel/parallel_for.hpp"
#include "tsubu/parallel/storing_part.hpp"

namespace tsubu {

// Where a body adds items.
// Local; does not block; throws std::bad_alloc.
template <class Item>
class work_items {
 public:
  // The runtime's.
  work_items(parallel::item_store<Item>& waiting, parallel::part& part) : waiting_(waiting), part_(part) {}

  // One more, run later. Local.
  void add(Item item) {
    waiting_.add(std::move(item));
    part_.added();
  }

 private:
  parallel::item_store<Item>& waiting_;
  parallel::part& part_;
};

namespace parallel {

template <class Item, class F, class Op>
class items_part final : public storing_part<items_part<Item, F, Op>, item_store<Item>, Item, F, Op,
                                             result_of<F, Item, work_items<Item>&>> {
 public:
  items_part(pool_name name, F f, Op o) : items_part::storing_part(name, std::move(f), std::move(o)) {}

 private:
  int run_some(int most) override {
    if constexpr (waits<F, Item, work_items<Item>&>) {
      this->run_beside(run_item(this->waiting_.take()));
      return 1;
    } else {
      int run = 0;
      for (; run < most && !this->waiting_.empty(); ++run) {
        this->results_.add_from([&] { return this->body_(this->waiting_.take(), more_); });
      }
      return run;
    }
  }
  task<void> run_item(Item one) {
    if constexpr (std::is_void_v<result_of<F, Item, work_items<Item>&>>) {
      co_await this->body_(std::move(one), more_);
    } else {
      this->results_.add(co_await this->body_(std::move(one), more_));
    }
  }

  work_items<Item> more_{this->waiting_, *this};
};

template <class Item>
std::vector<Item> only(Item item) {
  std::vector<Item> one;
  one.push_back(std::move(item));
  return one;
}

template <class Item, class F, class Op>
auto run_items(std::vector<Item> items, Op op, F f, std::source_location where) {
  check_travels<F>();
  check_travels<Op>();
  static_assert(wire::sendable<Item>, "an item cannot travel: it has a pointer or a view in it");
  return run_pool<items_part<Item, F, Op>>(std::move(f), std::move(op), std::move(items), where);
}

}  // namespace parallel

// Runs f(item, more) for each of the items and each that is added to `more`, a work_items<Item>&.
// Local; blocks until all items have run, with all that they caused; throws the first exception of a body.
template <class Item, class F>
  requires std::is_invocable_v<F&, Item, work_items<Item>&>
task<void> parallel_items(std::vector<Item> items, F f, std::source_location where = std::source_location::current()) {
  static_assert(std::is_void_v<parallel::result_of<F, Item, work_items<Item>&>>,
                "what the body returns is lost: parallel_items(items, reduce::plus, body) gives the sum");
  return parallel::run_items(std::move(items), parallel::nothing(), std::move(f), where);
}

// The same, and op of what they return, in any order; a default value if there is no item.
template <class Item, class Op, class F>
  requires std::is_invocable_v<F&, Item, work_items<Item>&>
auto parallel_items(std::vector<Item> items, Op op, F f, std::source_location where = std::source_location::current()) {
  using result = parallel::result_of<F, Item, work_items<Item>&>;
  static_assert(!std::is_void_v<result>, "the body returns nothing that could be combined");
  static_assert(wire::sendable<result>, "what the body returns cannot travel: it has a pointer or a view in it");
  return parallel::run_items(std::move(items), std::move(op), std::move(f), where);
}

// The same two, from one item.
template <class Item, class F>
  requires std::is_invocable_v<F&, Item, work_items<Item>&>
task<void> parallel_items(Item first, F f, std::source_location where = std::source_location::current()) {
  return parallel_items(parallel::only(std::move(first)), std::move(f), where);
}
// From one item, combined.
template <class Item, class Op, class F>
  requires std::is_invocable_v<F&, Item, work_items<Item>&>
auto parallel_items(Item first, Op op, F f, std::source_location where = std::source_location::current()) {
  return parallel_items(parallel::only(std::move(first)), std::move(op), std::move(f), where);
}

}  // namespace tsubu
