#include "tsubu/remote/messages/call.hpp"

namespace tsubu {

void on_past_exception(past_exception_hook hook) {
  remote::pe* here = remote::current_pe;
  require(here != nullptr, "on_past_exception() was called outside a job: call it on each PE that shall have it");
  here->tasks.on_uncaught = hook != nullptr ? hook : &task_context::fail_uncaught;
  message::endpoint::escape_hook of_handlers = nullptr;
  if (hook != nullptr) {
    of_handlers = [](const wire::handler_entry&, std::exception_ptr e) {
      remote::current_pe->tasks.on_uncaught(std::move(e));
    };
  }
  here->messages.set_escape_hook(of_handlers);
}

template std::size_t message::run_loop<remote::reply_value<void>>::execute(const wire::run&);
template std::size_t message::run_loop<remote::reply_value<std::string>>::execute(const wire::run&);

namespace remote {

template void send_thoughtfully<reply_value<void>, std::uint32_t, std::uint32_t, done>(pe_id, std::uint32_t,
                                                                                       std::uint32_t, done);
template void send_thoughtfully<reply_value<std::string>, std::uint32_t, std::uint32_t, const std::string&>(
    pe_id, std::uint32_t, std::uint32_t, const std::string&);

void reply_error::call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation,
                       const error_report& report) {
  reply_sink* sink = current_pe->replies.take(d.from, slot, generation, nullptr);
  if (sink != nullptr) sink->error(exception_of(report));
}

void answer_error(reply_address to) { remote::send<reply_error>(to.pe, to.slot, to.generation, error_being_handled()); }

}  // namespace remote
}  // namespace tsubu
