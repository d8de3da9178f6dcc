#include "tsubu/remote/sent.hpp"

#include <cstring>

#include "tsubu/remote/send.hpp"

namespace tsubu {
namespace remote {

void execute_in_epoch(const message::delivery& d, const std::byte* packet,
                      void (*alone)(const message::delivery& d, const std::byte* packet)) {
  const epoch_execution here(wire::load<epoch_id>(packet), d.from);
  alone(d, packet + sizeof(epoch_id));
}

void send_written(pe_id to, std::byte* packet, const wire::handler_entry& alone, const wire::handler_entry& in_one) {
  send_the_first();
  if (message::this_endpoint == nullptr) outside_a_job("a send");
  message::outbox& out = message::this_endpoint->out();
  if (this_task_group == nullptr) {
    std::memcpy(out.append(to, alone, alone.packet_bytes), packet + sizeof(epoch_id), alone.packet_bytes);
    return;
  }
  auto& epoch = static_cast<epoch_part&>(*this_task_group);
  wire::store(packet, epoch.id());
  std::memcpy(out.append(to, in_one, in_one.packet_bytes), packet, in_one.packet_bytes);
  epoch.sent_one();
}

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
