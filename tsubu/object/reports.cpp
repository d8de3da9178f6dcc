#include "tsubu/object/reports.hpp"

#include <optional>

#include "tsubu/object/accept.hpp"
#include "tsubu/object/request.hpp"
#include "tsubu/task/back_trace.hpp"

namespace tsubu::objects {

using bits = object_base::header::bits;

object_status status_of(const object_base& o) {
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

// The method that waits, when the task that waits is its coroutine, or is awaited by that.
std::optional<detail::object_completion> waiting_method(const wait_record& w) {
  std::optional<detail::object_completion> method;
  detail::for_each_that_waits(w, [&method](const detail::promise_base& task) {
    method = task.object_told();
    return !method;
  });
  return method;
}

}  // namespace

const object_base* waiting_object(const wait_record& w) {
  const auto m = waiting_method(w);
  return m ? &object_of(*m) : nullptr;
}

remote::wait_reports::wait_text describe_wait(const wait_record& w) {
  remote::wait_reports::wait_text text;
  if (w.what == asked_text) text = static_cast<const question*>(w.object)->told(w);
  if (w.what == accept_wait::accept_text) text = static_cast<const accept_wait&>(w).told();
  if (const auto m = waiting_method(w); m && text.who.empty()) {
    text.who = this_space().name_of(object_of(*m)) + ", in " +
               method_name(*static_cast<const method_info*>(m->actions->about));
  }
  return text;
}

}  // namespace tsubu::objects
