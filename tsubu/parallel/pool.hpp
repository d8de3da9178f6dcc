// A pool of work: the task that opened it waits here, and what came out on all PEs comes together.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tsubu/parallel/part.hpp"
#include "tsubu/remote/termination/epoch.hpp"

namespace tsubu::parallel {

class pool {
 public:
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  const pool_name& name() const { return name_; }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

  // On any PE: the opener throws it, if it is the first. There it is as it arrives, unless this is its own PE.
  static void tell_error(pool_name name, std::exception_ptr error);
  void fail(std::exception_ptr error) {
    if (error_ == nullptr) error_ = std::move(error);
  }
  // The one that this PE opened under that number. Ends the job if there is none, or if it is of another kind.
  static pool& opened_here(std::uint32_t number, const void* kind);
  // The pool's epoch on this PE, by its number, as PE `from` names it. Ends the job if this PE has no part in it.
  static remote::epoch_part& epoch_here(pe_id from, const pool_name& name, std::uint32_t epoch);

 protected:
  explicit pool(const void* kind);
  ~pool();

 private:
  pool_name name_;
  const void* kind_;
  std::exception_ptr error_;
};

// No result.
struct nothing {};

// The results of several, as one.
template <class R, class Op>
class total {
 public:
  explicit total(Op combine) : op_(std::move(combine)) {}
  void add(R value) {
    if (value_.has_value()) {
      *value_ = op_(std::move(*value_), std::move(value));
    } else {
      value_.emplace(std::move(value));
    }
  }
  // What f gives.
  template <class F>
  void add_from(F f) {
    add(f());
  }
  bool empty() const { return !value_.has_value(); }
  R take() { return value_.has_value() ? std::move(*value_) : R(); }
  const Op& op() const { return op_; }

 private:
  Op op_;
  std::optional<R> value_;
};

template <class Op>
class total<void, Op> {
 public:
  explicit total(Op) {}
  template <class F>
  void add_from(F f) {
    f();
  }
  void take() const {}
  Op op() const { return {}; }
};

template <class R, class Op>
class pool_of final : public pool {
 public:
  static constexpr char tag = 0;
  explicit pool_of(Op op) : pool(&tag), results(std::move(op)) {}
  total<R, Op> results;
};

// What runs it, and what combines the results. They travel in one struct: g++ 12 forgets in a coroutine that a lambda
// with captures is trivially copyable, unless it is a member.
template <class Work>
struct code_of {
  typename Work::body body;
  typename Work::op op;
};

// The results of a pool's parts on a PE. They go up the tree of its epoch, combined at each PE on their way
// (remote/termination/epochs.hpp): the opener gets few of them, however often work was given.
template <class Work>
class results_of_pe final : public remote::carried_up {
 public:
  using result = typename Work::result;
  using code = code_of<Work>;

  // `of` has run out of work.
  static void add(const part& of, const code& c, result value) {
    auto& epoch = static_cast<remote::epoch_part&>(*of.epoch());
    add(of.name(), epoch, c, std::move(value));
  }

  // What one PE has, for the PE above it. The code comes along: that PE may have run other things of the epoch only.
  struct from_below {
    using layout = wire::layout<pool_name, std::uint32_t, code, result>;
    static void call(const message::delivery& d, pool_name name, std::uint32_t epoch, code c, result value) {
      add(name, pool::epoch_here(d.from, name, epoch), c, std::move(value));
    }
  };

 private:
  results_of_pe(pool_name name, std::uint32_t epoch, code c)
      : name_(name), epoch_(epoch), code_(std::move(c)), results_(code_.op) {}

  static void add(pool_name name, remote::epoch_part& epoch, const code& c, result value) {
    try {
      results_here(name, epoch, c).add(std::move(value));
    } catch (...) {
      const task_group_scope in_the_epoch(&epoch);
      pool::tell_error(name, std::current_exception());
    }
  }
  static total<result, typename Work::op>& results_here(pool_name name, remote::epoch_part& epoch, const code& c) {
    if (name.opener == this_pe()) {
      using opened = pool_of<result, typename Work::op>;
      return static_cast<opened&>(pool::opened_here(name.number, &opened::tag)).results;
    }
    if (epoch.carried() == nullptr) {
      epoch.carry(std::unique_ptr<results_of_pe>(new results_of_pe(name, epoch.id().number, c)));
    }
    auto* here = dynamic_cast<results_of_pe*>(epoch.carried());
    require(here != nullptr, "a result came for pool {} of PE {}, whose results are of another type", name.number,
            name.opener);
    return here->results_;
  }

  void send_to(pe_id above) override {
    message::this_endpoint->send<from_below>(above, name_, epoch_, code_, results_.take());
  }

  pool_name name_;
  std::uint32_t epoch_;  // its number
  code code_;
  total<result, typename Work::op> results_;
};

// A part for `Work` comes to a PE, or more for the one that is there. Work has
//   using body, op, result, item;  explicit Work(pool_name, body, op);  void take_in(std::vector<item>);
template <class Work>
struct gift {
  using layout = wire::layout<pool_name, code_of<Work>, std::vector<typename Work::item>>;
  static constexpr char tag = 0;
  static void call(const message::delivery& d, pool_name name, code_of<Work> code,
                   std::vector<typename Work::item> items) {
    part::work_came_from(d.from);
    hand_in(name, std::move(code), std::move(items));
  }
  static void hand_in(pool_name name, code_of<Work> code, std::vector<typename Work::item> items) {
    if (part* here = part::find(name, &tag)) {
      static_cast<Work*>(here)->take_in(std::move(items));
      here->added();
      return;
    }
    auto made = std::make_unique<Work>(name, std::move(code.body), std::move(code.op));
    made->take_in(std::move(items));
    part::start(std::move(made));
  }
};

// Opens a pool with these items, and waits until all is done.
template <class Work>
task<typename Work::result> run_pool(typename Work::body body, typename Work::op op,
                                     std::vector<typename Work::item> items, std::source_location where) {
  pool_of<typename Work::result, typename Work::op> opened(op);
  const auto start = [&] { gift<Work>::hand_in(opened.name(), {body, op}, std::move(items)); };
  co_await epoch(start, where);
  opened.rethrow();
  co_return opened.results.take();
}

}  // namespace tsubu::parallel
