// Collectives: every PE calls them, in the same order; each returns a task to await.
//
// Cost, in packets per PE and rounds: barrier, all_reduce and scan log2 P (two more when P is not a power
// of two, but for scan); broadcast and reduce log2 P rounds of a binomial tree; gather, all_gather and
// all_to_all go straight to their destination. An all_reduce gives the same bits on every PE.
// PEs that call different collectives at the same point are found out, and end the job.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tsubu/base/pool.hpp"
#include "tsubu/base/tree.hpp"
#include "tsubu/remote/reduce.hpp"
#include "tsubu/remote/send.hpp"
#include "tsubu/task/cell.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {
namespace remote {

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

// `co_await collective_receive<T>(key, from, "barrier")`
template <class T>
class collective_receive : public collective_box::waiter {
 public:
  collective_receive(collective_key k, pe_id from_pe, const char* what)
      : waiter(k, from_pe, &collective_type<T>), cell_(what) {
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
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    cell_.suspend(task, where);
  }
  T await_resume() { return cell_.await_resume(); }

 private:
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

// Steps of a collective, in its key: rounds 0.., and these.
inline constexpr collective_key fold_in = 0x4000;
inline constexpr collective_key fold_out = 0x4001;

// The largest power of two that is at most n.
inline pe_id power_below(pe_id n) {
  pe_id p = 1;
  while (2 * p <= n) p *= 2;
  return p;
}

struct nothing {};

template <class T, class Op>
T combine(const Op& op, T a, T b) {
  return op(std::move(a), std::move(b));
}
// Vectors of one length are combined element by element.
template <class T, class Op>
std::vector<T> combine(const Op& op, std::vector<T> a, std::vector<T> b) {
  require(a.size() == b.size(), "a reduction over vectors of {} and {} elements", a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = op(a[i], b[i]);
  return a;
}

// Recursive doubling; the PEs beyond the largest power of two lend their value to a partner before and
// get the result after. Partners combine in the order of their numbers, so all get the same bits.
template <class T, class Op>
task<T> all_reduce_named(T value, Op op, const char* name) {
  const pe_id me = this_pe(), p = pe_count(), whole = power_below(p);
  const collective_key call = current_pe->collectives->begin();
  if (me >= whole) {
    collective_send<T>(me - whole, call + fold_in, value);
    collective_receive<T> result(call + fold_out, me - whole, name);
    co_return co_await result;
  }
  if (me + whole < p) {
    collective_receive<T> lent(call + fold_in, me + whole, name);
    value = combine(op, std::move(value), co_await lent);
  }
  collective_key round = 0;
  for (pe_id distance = 1; distance < whole; distance *= 2, ++round) {
    const pe_id partner = me ^ distance;
    collective_send<T>(partner, call + round, value);
    collective_receive<T> other(call + round, partner, name);
    T theirs = co_await other;
    value = me < partner ? combine(op, std::move(value), std::move(theirs))
                         : combine(op, std::move(theirs), std::move(value));
  }
  if (me + whole < p) collective_send<T>(me + whole, call + fold_out, value);
  co_return value;
}

}  // namespace remote

// Returns when every PE has called it. Says nothing of messages in flight: see quiescence().
task<void> barrier();

// `value` of PE `root`, on every PE.
template <class T>
task<T> broadcast(T value, pe_id root = 0) {
  const pe_id p = pe_count(), me = (this_pe() - root + p) % p;  // numbered from the root
  const auto call = remote::current_pe->collectives->begin();
  if (me != 0) {
    remote::collective_receive<T> arriving(call, (tree_parent(me) + root) % p, "broadcast");
    value = co_await arriving;
  }
  for_each_child(me, p, [&](pe_id child) { remote::collective_send<T>((child + root) % p, call, value); });
  co_return value;
}

// All values combined by `op` in the order of the PEs from `root` on, on PE `root`; elsewhere what is
// returned is a partial result without meaning.
template <class T, class Op>
task<T> reduce_to(pe_id root, T value, Op op) {
  const pe_id p = pe_count(), me = (this_pe() - root + p) % p;
  const auto call = remote::current_pe->collectives->begin();
  for (pe_id distance = 1; distance < p; distance *= 2) {
    if ((me & distance) != 0) {
      remote::collective_send<T>((me - distance + root) % p, call + static_cast<remote::collective_key>(distance),
                                 value);
      break;
    }
    if (me + distance < p) {
      remote::collective_receive<T> other(call + static_cast<remote::collective_key>(distance),
                                          (me + distance + root) % p, "reduce");
      value = remote::combine(op, std::move(value), co_await other);
    }
  }
  co_return value;
}

// All values combined by `op`, on every PE, the same bits on each. Vectors are combined element by element.
template <class T, class Op>
task<T> all_reduce(T value, Op op) {
  return remote::all_reduce_named<T, Op>(std::move(value), std::move(op), "all_reduce");
}

// The values of PEs 0 .. this one combined by `op`, in their order.
template <class T, class Op>
task<T> scan(T value, Op op) {
  const pe_id me = this_pe(), p = pe_count();
  const auto call = remote::current_pe->collectives->begin();
  remote::collective_key round = 0;
  for (pe_id distance = 1; distance < p; distance *= 2, ++round) {
    if (me + distance < p) remote::collective_send<T>(me + distance, call + round, value);
    if (me >= distance) {
      remote::collective_receive<T> lower(call + round, me - distance, "scan");
      value = remote::combine(op, co_await lower, std::move(value));
    }
  }
  co_return value;
}

// One value of each PE, by PE, on PE `root`; empty elsewhere.
template <class T>
task<std::vector<T>> gather(T value, pe_id root = 0) {
  const pe_id me = this_pe();
  const auto call = remote::current_pe->collectives->begin();
  std::vector<T> all;
  if (me != root) {
    remote::collective_send<T>(root, call, value);
    co_return all;
  }
  for (pe_id from = 0; from < pe_count(); ++from) {
    if (from == me) {
      all.push_back(std::move(value));
      continue;
    }
    remote::collective_receive<T> arriving(call, from, "gather");
    all.push_back(co_await arriving);
  }
  co_return all;
}

// One value for each PE goes there; one from each comes back, by PE. Values may be vectors of any length.
template <class T>
task<std::vector<T>> all_to_all(std::vector<T> values) {
  const pe_id me = this_pe(), p = pe_count();
  require(values.size() == static_cast<std::size_t>(p), "all_to_all needs {} values, one for each PE, and got {}", p,
          values.size());
  const auto call = remote::current_pe->collectives->begin();
  // Each PE starts with the next one, so that they do not all send to the same.
  for (pe_id i = 1; i < p; ++i) {
    const pe_id to = (me + i) % p;
    remote::collective_send<T>(to, call, values[static_cast<std::size_t>(to)]);
  }
  for (pe_id i = 1; i < p; ++i) {
    const pe_id from = (me + p - i) % p;
    remote::collective_receive<T> arriving(call, from, "all_to_all");
    values[static_cast<std::size_t>(from)] = co_await arriving;
  }
  co_return values;
}

// One value of each PE, by PE, on every PE.
template <class T>
task<std::vector<T>> all_gather(T value) {
  return all_to_all(std::vector<T>(static_cast<std::size_t>(pe_count()), value));
}

}  // namespace tsubu
