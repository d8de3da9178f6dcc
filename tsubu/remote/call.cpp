#include "tsubu/remote/call.hpp"

#include <cxxabi.h>

#include <string>
#include <typeinfo>

#include "tsubu/base/program_text.hpp"

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

namespace remote {

void reply_error::call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, pe_id pe,
                       std::string type, std::string message) {
  reply_sink* sink = current_pe->replies.take(d.from, slot, generation, nullptr);
  if (sink != nullptr) sink->error(std::make_exception_ptr(remote_error(pe, std::move(type), message)));
}

remote_error error_being_handled() {
  std::string type = "an exception of unknown type";
  if (const std::type_info* thrown = abi::__cxa_current_exception_type()) type = readable(*thrown);
  std::string message;
  try {
    throw;
  } catch (const std::exception& e) {
    message = e.what();
  } catch (...) {
  }
  return remote_error(current_pe->number(), std::move(type), message);
}

void answer_error(reply_address to) {
  const remote_error e = error_being_handled();
  remote::send<reply_error>(to.pe, to.slot, to.generation, e.pe(), e.type(), e.message());
}

}  // namespace remote
}  // namespace tsubu
