#include "tsubu/parallel/part.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "tsubu/base/clock.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/parallel/pool.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::parallel {

namespace {

std::uint64_t key(pool_name name) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(name.opener)) << 32 | name.number;
}

const pe_local<std::unordered_map<std::uint64_t, part*>> parts;

objects::balancer& balance() { return objects::this_space().balance(); }

}  // namespace

part::part(pool_name name, const void* kind)
    : completion(detail::completion_by<&one_ended, &one_failed>), name_(name), kind_(kind), epoch_(this_task_group) {
  parts->emplace(key(name), this);
  balance().add(*this);
}

part::~part() {
  balance().remove(*this);
  parts->erase(key(name_));
}

part* part::find(pool_name name, const void* kind) {
  const auto found = parts->find(key(name));
  if (found == parts->end()) return nullptr;
  require(found->second->kind_ == kind, "work came for pool {} of PE {}, which is of another kind", name.number,
          name.opener);
  return found->second;
}

void part::work_came_from(pe_id from) { balance().fed_by(from); }

// ---- running

class part::stopped {
 public:
  explicit stopped(part& of) : of_(of) {}
  bool await_ready() const { return of_.may_start() || (of_.beside_ == 0 && !of_.any_waits()); }
  void await_suspend(std::coroutine_handle<> runner) const { of_.runner_ = runner; }
  void await_resume() const {}

 private:
  part& of_;
};

void part::start(std::unique_ptr<part> owned) { spawn(run(std::move(owned))); }

task<void> part::run(std::unique_ptr<part> owned) {
  part& self = *owned;
  // Shares of it go on before any is run: a loop reaches all PEs in as many steps as their number has binary digits.
  self.begin_turn();
  if (!self.called_off()) balance().serve_hungry();
  co_await yield();
  for (;;) {
    self.run_slice();
    balance().turn_over();
    if (self.may_start()) {
      co_await yield();
      continue;
    }
    stopped until(self);
    co_await until;
    if (self.beside_ == 0 && !self.any_waits()) break;
  }
  self.leave_result();
}

void part::run_slice() {
  if (called_off()) return drop();
  begin_turn();
  const std::int64_t limit_ns = balance().slice_ns();
  const std::int64_t began_ns = now_ns();
  int until_look = 1;
  for (int runs = 0; runs < most_in_slice && may_start();) {
    try {
      const int some = run_some(until_look);
      runs += some;
      until_look -= some;
    } catch (...) {
      failed(std::current_exception());
    }
    if (until_look > 0) continue;
    if (now_ns() - began_ns > limit_ns) {
      remote::current_pe->runs_long();
      remote::current_pe->flush(message::flush_reason::old);
      return;
    }
    until_look = std::min(runs, most_between_looks);
  }
}

void part::run_beside(task<void> work) {
  ++beside_;
  detail::start(std::move(work), *this);
}

void part::wake() { this_task_context->ready(std::exchange(runner_, ready_item())); }

void part::wake_for_more() {
  if (beside_ < most_beside) wake();
}

void part::one_ended(detail::completion& self) noexcept {
  part& of = static_cast<part&>(self);
  --of.beside_;
  // Half of them are started at once, so that their messages share batches (task/for_each.hpp).
  if (of.runner_ && (of.beside_ == 0 || (of.beside_ <= most_beside / 2 && of.any_waits()))) of.wake();
}

void part::one_failed(detail::completion& self, std::exception_ptr error) noexcept {
  static_cast<part&>(self).failed(std::move(error));
}

void part::failed(std::exception_ptr error) {
  const task_group_scope in_the_epoch(epoch_);
  drop();
  pool::tell_error(name_, std::move(error));
}

// ---- giving

std::size_t part::give(pe_id to, std::size_t among) {
  const task_group_scope in_the_epoch(epoch_);
  return send_share(to, among);
}

}  // namespace tsubu::parallel
