// Where the packets of collectives meet the tasks that wait for them.
//
// PEs come to a collective at different times, so a packet may be there before anybody asks for it, or the task before
// the packet. Both are known by a key: the number of the collective on its PE, the step in it, and who sends. A packet
// of another type under the same key is a program that calls different collectives at one point, and ends the job.
#pragma once

#include <coroutine>
#include <cstdint>
#include <source_location>
#include <utility>

#include "tsubu/remote/send.hpp"
#include "tsubu/task/cell.hpp"

namespace tsubu::remote {

// Names one packet of one collective: the number of the call on each PE, and the step in it.
using collective_key = std::uint64_t;

// The address of one of these stands for a type of value.
template <class T>
inline constexpr char collective_type = 0;

// Where packets of collectives arrive, and wait for the task that will ask for them or find it waiting.
class collective_box {
 public:
  struct packet {
    virtual ~packet() = default;
    collective_key key = 0;
    pe_id from = no_pe;
    const char* type = nullptr;
    packet* next = nullptr;
  };
  template <class T>
  struct value_packet final : packet {
    explicit value_packet(T v) : value(std::move(v)) {}
    T value;
  };
  struct waiter {
    collective_key key;
    pe_id from;
    const char* type;
    waiter* next = nullptr;

    waiter(collective_key k, pe_id f, const char* t) : key(k), from(f), type(t) {}
  };

  ~collective_box();

  // The number of a new collective of this PE.
  collective_key begin() { return ++calls_ << 16; }

  // Takes a packet out, or null. A packet of another type ends the job.
  packet* find_packet(collective_key key, pe_id from, const char* type);
  void add_packet(packet* arrived);
  waiter* find_waiter(collective_key key, pe_id from, const char* type);
  void add_waiter(waiter& w);
  void remove_waiter(waiter& w);

 private:
  packet* packets_ = nullptr;
  waiter* waiters_ = nullptr;
  std::uint64_t calls_ = 0;
};

// `co_await collective_receive<T>(key, from, "barrier", where)`: whoever waits is reported with the line of its call.
template <class T>
class collective_receive : public collective_box::waiter {
 public:
  collective_receive(collective_key k, pe_id from_pe, const char* what, std::source_location where)
      : waiter(k, from_pe, &collective_type<T>), where_(where), cell_(what) {
    auto& box = *current_pe->collectives;
    if (auto* found = static_cast<collective_box::value_packet<T>*>(box.find_packet(k, from_pe, type))) {
      cell_.set_value(std::move(found->value));
      delete found;
    } else {
      box.add_waiter(*this);
    }
  }
  collective_receive(const collective_receive&) = delete;
  collective_receive& operator=(const collective_receive&) = delete;
  ~collective_receive() {
    if (!cell_.ready()) current_pe->collectives->remove_waiter(*this);
  }
  void set(T value) { cell_.set_value(std::move(value)); }

  bool await_ready() const { return cell_.ready(); }
  void await_suspend(std::coroutine_handle<> task) { cell_.suspend(task, where_); }
  T await_resume() { return cell_.await_resume(); }

 private:
  std::source_location where_;
  cell<T> cell_;
};

template <class T>
struct collective_packet {
  using layout = wire::layout<collective_key, T>;
  static constexpr message_kind kind = message_kind::collective;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, collective_key key, T value) {
    auto& box = *current_pe->collectives;
    if (auto* w = box.find_waiter(key, d.from, &collective_type<T>)) {
      static_cast<collective_receive<T>*>(w)->set(std::move(value));
      return;
    }
    auto* kept = new collective_box::value_packet<T>(std::move(value));
    kept->key = key;
    kept->from = d.from;
    kept->type = &collective_type<T>;
    box.add_packet(kept);
  }
};

// A PE waits for it, so it leaves at once: its sender may find its own packets there already, and compute for long
// before it waits for anything.
template <class T>
void collective_send(pe_id to, collective_key key, const T& value) {
  remote::send<collective_packet<T>>(to, key, value);
  message::this_endpoint->flush(message::flush_reason::idle);
}

}  // namespace tsubu::remote
