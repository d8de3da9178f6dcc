// How an object is doing, and who waits for whom: what status() and a deadlock report say.
#include <string_view>

#include "tsubu/object/object.hpp"
#include "tsubu/object/request.hpp"

namespace tsubu::objects {

object_status object_space::status_of(const object_base& o) const {
  const object_base::header& h = o.tsubu_header;
  const std::size_t queued = h.queue.size();
  object_mode mode = object_mode::dormant;
  if (h.is(bits::waiting)) {
    mode = object_mode::waiting;
  } else if (queued > 0) {
    mode = object_mode::active;
  }
  return {mode, static_cast<std::uint32_t>(queued), me_};
}

namespace {

// The method that waits, when the task that waits is its coroutine, or is awaited by that.
const waiting_base* waiting_method(const wait_record& w) {
  constexpr std::uintptr_t fiber_or_futures = 3, in_group = 4;
  std::uintptr_t word = w.waiter.word();
  for (;;) {
    if (word == 0) return nullptr;
    if (const detail::task_end* const end = detail::promise_base::as_end(word)) {
      return end->functions->about != nullptr ? static_cast<const waiting_base*>(end) : nullptr;
    }
    if ((word & fiber_or_futures) != 0) return nullptr;
    task_group* group = nullptr;
    if ((word & in_group) != 0) {
      (void)group;
      return nullptr;
    }
    word = std::coroutine_handle<detail::promise_base>::from_address(reinterpret_cast<void*>(word)).promise().told();
  }
}

}  // namespace

remote::pe::wait_text object_space::describe_wait(const wait_record& w) {
  remote::pe::wait_text text;
  if (w.what == asked_text) text.whom = static_cast<const question*>(w.object)->asked();
  if (w.what == accept_wait::accept_text) text.whom = static_cast<const accept_wait*>(w.object)->accepted();
  if (w.what != asked_text && w.what != accept_wait::accept_text && std::string_view(w.what) != "future" &&
      std::string_view(w.what) != "sync" && std::string_view(w.what) != "a reply" &&
      std::string_view(w.what) != "answers") {
    return text;
  }
  if (const waiting_base* const m = waiting_method(w)) {
    text.who =
        here().name_of(*m->object) + ", in " + method_name(*static_cast<const method_info*>(m->functions->about));
  }
  return text;
}

}  // namespace tsubu::objects
