// EULASH's managed data, processes and threads under the paper's words, on shared variables.
//
//   #include <tsubu/eulash.hpp>
//   using namespace tsubu;
//
//   eulash::mobile<long> work(0);               // local to this process, until another one accesses it
//   eulash::w_update<double> row(1.5);          // copies where it is read; a write sends them the new value
//   auto child = eulash::fork_process<f>(2, work);   // long f(eulash::mobile<long>) runs as a thread of process 2
//   auto thread = eulash::fork_thread(g());     // task<int> g() runs beside its maker, in the same process
//   co_await eulash::switch_thread();
//   long n = co_await child + co_await thread;
//
// A process is a PE: there are as many as the job has, and none migrates. A thread is a task: it runs until it asks for
// a switch, or cannot go on, because a lock is held or a value is elsewhere. Locks are tsubu::lock. A scheduler of the
// program's own is registered and chosen as everywhere (register_scheduler); the default is round-robin.
//
// Shared memory is the home of a datum, which answers everybody: a PE's memory cannot be addressed by the others.
//
// Source: Yamamoto et al., "EULASH", about 1994, which shows no source text: the signatures are ours. docs/eulash.md.
#pragma once

#include <utility>

#include "tsubu/data/lock.hpp"
#include "tsubu/data/shared.hpp"
#include "tsubu/remote/at.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/scheduler.hpp"
#include "tsubu/task/yield.hpp"

namespace eulash {

// ---- managed data: names, which travel. Each datum is managed by itself.

// A datum under one of the protocols of tsubu/data/protocol.hpp.
template <class T, tsubu::protocol How>
class managed {
 public:
  managed() = default;
  explicit managed(T initial) : variable_(tsubu::create_shared(How, std::move(initial))) {}

  // All are awaited.
  auto read() const { return variable_.read(); }
  auto write(T value) const { return variable_.write(std::move(value)); }
  // What F(value, arguments...) gives: a plain function R F(T&, A...), which runs once, where the value is.
  template <auto F, class... A>
  auto change(A&&... arguments) const {
    return variable_.template change<F>(std::forward<A>(arguments)...);
  }
  auto end() const { return variable_.end(); }

  // The valid value in this process, or null. Until this thread next waits.
  const T* copy() const { return variable_.copy(); }
  tsubu::pe_id home() const { return variable_.home(); }
  // What it is made of.
  const tsubu::shared<T>& variable() const { return variable_; }

 private:
  tsubu::shared<T> variable_;
};

template <class T>
using shared = managed<T, tsubu::protocol::global>;
template <class T>
using w_update = managed<T, tsubu::protocol::update>;
template <class T>
using w_invalid = managed<T, tsubu::protocol::invalidate>;

namespace internal {

template <class T>
struct placed_value {
  T value = T();
  bool in_shared_memory = false;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(value, in_shared_memory);
  }
};

template <class T>
T read_placed(placed_value<T>& placed, bool foreign) {
  placed.in_shared_memory |= foreign;
  return placed.value;
}

template <class T>
void write_placed(placed_value<T>& placed, bool foreign, T value) {
  placed.in_shared_memory |= foreign;
  placed.value = std::move(value);
}

template <class T>
bool is_placed_in_shared_memory(placed_value<T>& placed) {
  return placed.in_shared_memory;
}

template <auto F, class T, class... A>
struct change_placed {
  static decltype(auto) run(placed_value<T>& placed, bool foreign, A... arguments) {
    placed.in_shared_memory |= foreign;
    return F(placed.value, std::move(arguments)...);
  }
};

}  // namespace internal

// A datum that starts in the local memory of its process. The first access by another process moves it to shared
// memory, where it stays. There is never a copy. tsubu::protocol::mobile is another thing: there it goes to who
// accesses it.
template <class T>
class mobile {
  using placed = internal::placed_value<T>;

 public:
  mobile() = default;
  explicit mobile(T initial)
      : variable_(tsubu::create_shared(tsubu::protocol::global, placed{std::move(initial), false})) {}

  // All are awaited.
  auto read() const { return variable_.template change<internal::read_placed<T>>(is_foreign()); }
  auto write(T value) const {
    return variable_.template change<internal::write_placed<T>>(is_foreign(), std::move(value));
  }
  // What F(value, arguments...) gives: a plain function R F(T&, A...), which runs once, where the value is.
  template <auto F, class... A>
  auto change(A&&... arguments) const {
    using p = tsubu::data::parameters_of<decltype(F)>;
    return change_with<F>(typename p::template apply<carried>(), std::forward<A>(arguments)...);
  }
  auto end() const { return variable_.end(); }

  // Whether another process has accessed it. Does not count as an access.
  auto is_in_shared_memory() const { return variable_.template change<internal::is_placed_in_shared_memory<T>>(); }

  // The value, if it is in the memory of this process; else null. Until this thread next waits.
  const T* copy() const {
    const placed* here = variable_.copy();
    return here == nullptr ? nullptr : &here->value;
  }
  tsubu::pe_id home() const { return variable_.home(); }

 private:
  template <class... A>
  struct carried {};
  template <auto F, class... P, class... A>
  auto change_with(carried<P...>, A&&... arguments) const {
    static_assert(sizeof...(A) == sizeof...(P), "the number of arguments is not that of the function's parameters");
    return variable_.template change<&internal::change_placed<F, T, P...>::run>(is_foreign(),
                                                                                std::forward<A>(arguments)...);
  }
  bool is_foreign() const { return tsubu::this_pe() != variable_.home(); }

  tsubu::shared<placed> variable_;
};

// ---- processes and threads

inline tsubu::pe_id this_process() { return tsubu::this_pe(); }
inline tsubu::pe_id process_count() { return tsubu::pe_count(); }

// Runs F there as a new thread: the future is its result, and awaiting it joins. What F throws is thrown then.
template <auto F, class... A>
auto fork_process(tsubu::pe_id process, A&&... arguments) {
  return tsubu::at(process).future<F>(std::forward<A>(arguments)...);
}

// Starts the work, which runs until it first waits; then its maker goes on. The future is as above.
template <class T>
tsubu::future<T> fork_thread(tsubu::task<T> thread) {
  return tsubu::start(std::move(thread));
}

// The other threads of this process that are ready run before this one goes on.
inline auto switch_thread() { return tsubu::yield(); }

}  // namespace eulash
