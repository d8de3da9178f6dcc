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
// Shared memory is the home of a datum, which answers everybody: a PE's memory cannot be addressed by the others. On a
// simulated machine with a table [memory], ATTEMPT-0 or MILL, all PEs address data in shared memory, without messages,
// and each access takes what the machine's memories take.
//
// Source: Yamamoto et al., "EULASH", about 1994, which shows no source text: the signatures are ours. docs/eulash.md.
#pragma once

#include <source_location>
#include <type_traits>
#include <utility>

#include "tsubu/data/sync/lock.hpp"
#include "tsubu/data/variables/addressed.hpp"
#include "tsubu/data/variables/shared.hpp"
#include "tsubu/eulash/processes.hpp"
#include "tsubu/task/scheduler.hpp"

namespace eulash {

// ---- managed data: names, which travel. Each datum is managed by itself.

namespace internal {

// A word of a table in local memory: the paper says that mobile and write-invalidate search one on each access, and not
// what that takes. Assumed: a name is read, a state and an address.
inline constexpr std::int64_t words_of_table_entry = 3;

using tsubu::data::access_kind;

// In a simulated job.
inline void charge_table_entry(tsubu::data::key name) {
  constexpr std::uint64_t table = std::uint64_t{1} << 63;
  const std::size_t bytes = words_of_table_entry * tsubu::simulated->word_bytes();
  tsubu::access_local(words_of_table_entry, table + tsubu::data::local_address(name, bytes));
}
template <class T>
void charge_own_copy(tsubu::data::key name, access_kind how) {
  tsubu::data::charge_local(sizeof(T), how, tsubu::data::local_address(name, sizeof(T)));
}

// A variable in memory that all address, where there is such a memory.
template <class T>
struct addressed_variable : tsubu::data::shared_access<T, tsubu::data::addressed_place<T>> {
  using base = tsubu::data::shared_access<T, tsubu::data::addressed_place<T>>;
  addressed_variable() = default;
  explicit addressed_variable(const tsubu::shared<T>& x) : base(tsubu::data::addressed_place<T>{{x.name()}}) {
    tsubu::data::place_addressed(x);
  }
  tsubu::data::key name() const { return this->place().name(); }
  auto end() const {
    tsubu::data::remove_addressed(name());
    return tsubu::shared<T>(name()).end();
  }
};

}  // namespace internal

// A datum under one of the protocols of tsubu/data/protocol.hpp.
// Local; what is awaited blocks unless the value may be used here at once; as shared.
template <class T, tsubu::protocol How>
class managed {
  static constexpr bool is_addressed = How == tsubu::protocol::global;
  using variable_type = std::conditional_t<is_addressed, internal::addressed_variable<T>, tsubu::shared<T>>;
  using kind = internal::access_kind;

 public:
  managed() = default;
  explicit managed(T initial, std::source_location where = std::source_location::current())
      : variable_(tsubu::create_shared(How, std::move(initial), where)) {}

  // All are awaited.
  auto read() const {
    charge(kind::read);
    return variable_.read();
  }
  auto write(T value) const {
    charge(kind::write);
    return variable_.write(std::move(value));
  }
  // What F(value, arguments...) gives: a plain function R F(T&, A...), which runs once, where the value is.
  template <auto F, class... A>
  auto change(A&&... arguments) const {
    charge(kind::change);
    return variable_.template change<F>(std::forward<A>(arguments)...);
  }
  // Ends it: nobody uses it later.
  auto end() const { return variable_.end(); }

  // The valid value in this process, or null. Until this thread next waits.
  const T* copy() const { return variable_.copy(); }
  tsubu::pe_id home() const { return variable_.home(); }
  // What it is made of.
  const tsubu::shared<T>& variable() const
    requires(!is_addressed)
  {
    return variable_;
  }

 private:
  // A copy lies in local memory; which one is valid under write-invalidate, a table says. Fetching it, and telling
  // others, are messages.
  void charge(kind how) const {
    if (tsubu::simulated == nullptr) [[likely]]
      return;
    if constexpr (is_addressed) {
      const auto* d = tsubu::data::find_addressed(variable_.name());
      if (d != nullptr) tsubu::data::charge_addressed(*d, sizeof(T), how);
    } else {
      if (How == tsubu::protocol::invalidate) internal::charge_table_entry(variable_.name());
      internal::charge_own_copy<T>(variable_.name(), how);
    }
  }

  variable_type variable_;
};

// The value stays at its home, in shared memory where the machine has one.
template <class T>
using shared = managed<T, tsubu::protocol::global>;
// Readers keep copies, which a write updates.
template <class T>
using w_update = managed<T, tsubu::protocol::update>;
// Readers keep copies, which a write invalidates.
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

// Once it is in shared memory, all address it.
template <class T>
struct mobile_place : tsubu::data::addressed_place<placed_value<T>> {
  using base = tsubu::data::addressed_place<placed_value<T>>;
  bool is_here(const tsubu::data::data_space& s) const {
    if (this->home() == s.me) return true;
    const auto* d = tsubu::data::find_addressed(this->name());
    return d != nullptr && static_cast<const placed_value<T>*>(d->value)->in_shared_memory;
  }
};

template <class T>
struct mobile_variable : tsubu::data::shared_access<placed_value<T>, mobile_place<T>> {
  mobile_variable() = default;
  explicit mobile_variable(tsubu::data::key name)
      : tsubu::data::shared_access<placed_value<T>, mobile_place<T>>(mobile_place<T>{{{name}}}) {}
  tsubu::data::key name() const { return this->place().name(); }
};

}  // namespace internal

// A datum that starts in the local memory of its process. The first access by another process moves it to shared
// memory, where it stays. There is never a copy. tsubu::protocol::mobile is another thing: there it goes to who
// accesses it.
// Local; what is awaited blocks unless the value may be used here at once; as shared.
template <class T>
class mobile {
  using placed = internal::placed_value<T>;
  using kind = internal::access_kind;

 public:
  mobile() = default;
  explicit mobile(T initial, std::source_location where = std::source_location::current()) {
    const auto made = tsubu::create_shared(tsubu::protocol::global, placed{std::move(initial), false}, where);
    tsubu::data::place_addressed(made, sizeof(T));
    variable_ = internal::mobile_variable<T>(made.name());
  }

  // All are awaited.
  auto read() const {
    charge(kind::read);
    return variable_.template change<internal::read_placed<T>>(is_foreign());
  }
  auto write(T value) const {
    charge(kind::write);
    return variable_.template change<internal::write_placed<T>>(is_foreign(), std::move(value));
  }
  // What F(value, arguments...) gives: a plain function R F(T&, A...), which runs once, where the value is.
  template <auto F, class... A>
  auto change(A&&... arguments) const {
    using p = tsubu::data::parameters_of<decltype(F)>;
    charge(kind::change);
    return change_with<F>(typename p::template apply<carried>(), std::forward<A>(arguments)...);
  }
  // Ends it: nobody uses it later.
  auto end() const {
    tsubu::data::remove_addressed(variable_.name());
    return tsubu::shared<placed>(variable_.name()).end();
  }

  // Whether another process has accessed it. Does not count as an access.
  auto is_in_shared_memory() const { return variable_.template change<internal::is_placed_in_shared_memory<T>>(); }

  // The value, if it is in the memory of this process; else null. Until this thread next waits.
  const T* copy() const {
    if (is_foreign()) return nullptr;
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

  // A table in local memory says where it is. Who comes first from elsewhere has it written to shared memory.
  void charge(kind how) const {
    if (tsubu::simulated == nullptr) [[likely]]
      return;
    internal::charge_table_entry(variable_.name());
    const auto* d = tsubu::data::find_addressed(variable_.name());
    if (d == nullptr) return;
    const bool was_there = static_cast<const placed*>(d->value)->in_shared_memory;
    if (is_foreign() && !was_there) tsubu::data::charge_addressed(*d, sizeof(T), kind::write);
    if (is_foreign() || was_there) {
      tsubu::data::charge_addressed(*d, sizeof(T), how);
    } else {
      internal::charge_own_copy<T>(variable_.name(), how);
    }
  }

  internal::mobile_variable<T> variable_;
};

}  // namespace eulash
