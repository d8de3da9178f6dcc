// What the parts of loops and of items share: a store of what waits, a body that is run for it, and what comes out.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/parallel/pool.hpp"

namespace tsubu::parallel {

// A body that says when nobody wants what it does any more (until_cancelled.hpp).
template <class Body>
concept may_be_called_off = requires(const Body& b) {
  { b.called_off() } -> std::same_as<bool>;
};

// Part derives from it, and runs what waits: run_some(). A Store has add, empty, begin_turn, share and clear.
template <class Part, class Store, class Item, class Body, class Op, class R>
class storing_part : public part {
 public:
  using body = Body;
  using op = Op;
  using result = R;
  using item = Item;

  void take_in(std::vector<Item> items) {
    for (Item& i : items) waiting_.add(std::move(i));
  }

 protected:
  storing_part(pool_name name, Body b, Op o, Store s = Store())
      : part(name, &gift<Part>::tag), body_(std::move(b)), results_(std::move(o)), waiting_(std::move(s)) {}

  Body body_;
  total<R, Op> results_;
  Store waiting_;

 private:
  bool any_waits() const final { return !waiting_.empty(); }
  bool called_off() const final {
    if constexpr (may_be_called_off<Body>) {
      return body_.called_off();
    } else {
      return false;
    }
  }
  void begin_turn() final { waiting_.begin_turn(); }
  std::size_t send_share(pe_id to, std::size_t among) final {
    const std::vector<Item> shared = waiting_.share(among);
    if (!shared.empty()) remote::send<gift<Part>>(to, name(), code_of<Part>{body_, results_.op()}, shared);
    return shared.size();
  }
  void drop() final { waiting_.clear(); }
  void leave_result() final {
    if constexpr (!std::is_void_v<R>) {
      if (!results_.empty()) results_of_pe<Part>::add(*this, {body_, results_.op()}, results_.take());
    }
  }
};

}  // namespace tsubu::parallel
