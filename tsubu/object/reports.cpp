// How an object is doing, and who waits for whom: what status() and a deadlock report say.
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

// The method that waits, when the task that waits is its coroutine, or is awaited by that. Null too in a group.
const waiting_base* waiting_method(const wait_record& w) {
  constexpr std::uintptr_t fiber = 1, several_futures = 2, in_group = 4;
  std::uintptr_t word = w.waiter.word();
  if ((word & several_futures) != 0) return nullptr;
  while (word != 0 && (word & (fiber | in_group)) == 0) {
    word = std::coroutine_handle<detail::promise_base>::from_address(reinterpret_cast<void*>(word)).promise().told();
    if (const detail::task_end* const end = detail::promise_base::as_end(word)) {
      return end->functions->about != nullptr ? static_cast<const waiting_base*>(end) : nullptr;
    }
  }
  return nullptr;
}

}  // namespace

remote::pe::wait_text object_space::describe_wait(const wait_record& w) {
  remote::pe::wait_text text;
  if (w.what == asked_text) text.whom = static_cast<const question*>(w.object)->asked();
  if (w.what == accept_wait::accept_text) text.whom = static_cast<const accept_wait*>(w.object)->accepted();
  if (const waiting_base* const m = waiting_method(w)) {
    text.who =
        here().name_of(*m->object) + ", in " + method_name(*static_cast<const method_info*>(m->functions->about));
  }
  return text;
}

}  // namespace tsubu::objects
