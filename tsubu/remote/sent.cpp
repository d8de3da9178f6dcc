#include "tsubu/remote/sent.hpp"

#include "tsubu/remote/send.hpp"

namespace tsubu::remote {

void sent::await_suspend(std::coroutine_handle<> task) const { current_pe->resume_with_room(to_, task); }
void sent::suspend(ready_item who, std::source_location) const { current_pe->resume_with_room(to_, who); }

}  // namespace tsubu::remote
