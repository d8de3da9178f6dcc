#include "tsubu/remote/messages/sent.hpp"

#include "tsubu/remote/messages/send.hpp"

namespace tsubu {
namespace remote {

void sent::await_suspend(std::coroutine_handle<> task) const { current_pe->resume_with_room(to_, task); }
void sent::suspend(ready_item who, std::source_location) const { current_pe->resume_with_room(to_, who); }

}  // namespace remote

void room_everywhere::await_suspend(std::coroutine_handle<> task) const {
  remote::current_pe->resume_with_room(no_pe, task);
}
void room_everywhere::suspend(ready_item who, std::source_location) const {
  remote::current_pe->resume_with_room(no_pe, who);
}

void flush() { remote::current_pe->flush(message::flush_reason::idle); }

}  // namespace tsubu
