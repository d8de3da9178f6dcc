#include "tsubu/object/reports.hpp"

#include <optional>

#include "tsubu/object/accept.hpp"
#include "tsubu/object/request.hpp"

namespace tsubu::objects {

object_status status_of(const object_base& o) {
  using bits = object_base::header::bits;
  const object_base::header& h = o.tsubu_header;
  const std::size_t queued = h.queue.size();
  object_mode mode = object_mode::dormant;
  if (h.is(bits::waiting)) {
    mode = object_mode::waiting;
  } else if (queued > 0) {
    mode = object_mode::active;
  }
  return {mode, static_cast<std::uint32_t>(queued), this_pe()};
}

namespace {

// The method that waits, when the task that waits is its coroutine, or is awaited by that. None in a group.
std::optional<detail::object_completion> waiting_method(const wait_record& w) {
  constexpr std::uintptr_t several_futures = 2;
  if ((w.waiter.word() & several_futures) != 0) return {};
  ready_item at = w.waiter;
  while (at && at.is_lone_task()) {
    const auto& task = std::coroutine_handle<detail::promise_base>::from_address(at.as_task().address()).promise();
    if (const auto end = task.object_told()) return end;
    at = task.parent();
  }
  return {};
}

}  // namespace

remote::pe::wait_text describe_wait(const wait_record& w) {
  remote::pe::wait_text text;
  if (w.what == asked_text) text.whom = static_cast<const question*>(w.object)->asked();
  if (w.what == accept_wait::accept_text) text.whom = static_cast<const accept_wait&>(w).accepted();
  if (const auto m = waiting_method(w)) {
    text.who = this_space().name_of(object_of(*m)) + ", in " +
               method_name(*static_cast<const method_info*>(m->actions->about));
  }
  return text;
}

}  // namespace tsubu::objects
