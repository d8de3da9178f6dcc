// Mutexes, condition variables, barriers, read-write locks, once controls and semaphores of a placed program, at the
// home of their addresses.
//
// An object is known by its address, and is there when it is first used, in the state that memory of zeros means. What
// waits here is a task for each thread, which waits for the answer where it runs, and reports that.
#pragma once

#include <cstdint>
#include <deque>
#include <source_location>
#include <unordered_map>

#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/context.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::placed {

inline constexpr std::int64_t without_limit = -1;

// Awaited by one who waits for its turn, or for that long: 0, or ETIMEDOUT.
class turn {
 public:
  turn(std::uint64_t who, std::int64_t most_ns) : who_(who), most_ns_(most_ns), record_(nullptr, nullptr) {}
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

  std::uint64_t who() const { return who_; }
  // It is; once.
  void grant();

  bool await_ready() const { return granted_; }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current());
  int await_resume() const;

 private:
  const std::uint64_t who_;
  const std::int64_t most_ns_;
  bool granted_ = false;
  wait_record record_;
};

struct mutex_state {
  std::uint64_t holder = 0;  // a thread's number
  std::uint32_t depth = 0;   // of a recursive one
  int kind = 0;              // PTHREAD_MUTEX_NORMAL, ..
  std::deque<turn*> waiting{};
};
struct barrier_state {
  std::uint32_t count = 0;
  std::deque<turn*> arrived{};
};
struct rwlock_state {
  std::uint64_t writer = 0;
  std::uint32_t readers = 0;
  std::deque<turn*> to_read{}, to_write{};
};
struct once_state {
  bool begun = false, done = false;
  std::deque<turn*> waiting{};
};
struct semaphore_state {
  std::uint32_t value = 0;
  std::deque<turn*> waiting{};
};

struct sync_objects {
  // From then on deadlock reports tell of those for which somebody waits.
  sync_objects();

  std::unordered_map<std::uint64_t, mutex_state> mutexes;
  std::unordered_map<std::uint64_t, std::deque<turn*>> conditions;
  std::unordered_map<std::uint64_t, barrier_state> barriers;
  std::unordered_map<std::uint64_t, rwlock_state> rwlocks;
  std::unordered_map<std::uint64_t, once_state> onces;
  std::unordered_map<std::uint64_t, semaphore_state> semaphores;
};
inline const pe_local<sync_objects> objects_here;

// ---- at the home of the address: what the functions of these names give. Those that are tasks wait.
int init_mutex(std::uint64_t at, int kind);
int destroy_mutex(std::uint64_t at);
task<int> lock_mutex(std::uint64_t at, std::uint64_t who, std::int64_t most_ns);
int try_lock_mutex(std::uint64_t at, std::uint64_t who);
int unlock_mutex(std::uint64_t at, std::uint64_t who);

task<int> wait_condition(std::uint64_t at, std::uint64_t mutex, std::uint64_t who, std::int64_t most_ns);
void wake_condition(std::uint64_t at, bool all);
int destroy_condition(std::uint64_t at);

int init_barrier(std::uint64_t at, std::uint32_t count);
int destroy_barrier(std::uint64_t at);
task<int> wait_barrier(std::uint64_t at, std::uint64_t who);

task<int> lock_rwlock(std::uint64_t at, std::uint64_t who, bool writes);
int try_lock_rwlock(std::uint64_t at, std::uint64_t who, bool writes);
int unlock_rwlock(std::uint64_t at, std::uint64_t who);
int destroy_rwlock(std::uint64_t at);

// Whether the caller is to call the function, and then finish_once().
task<bool> begin_once(std::uint64_t at);
void finish_once(std::uint64_t at);

int init_semaphore(std::uint64_t at, std::uint32_t value);
int destroy_semaphore(std::uint64_t at);
task<int> wait_semaphore(std::uint64_t at, std::uint64_t who);
int try_wait_semaphore(std::uint64_t at);
int post_semaphore(std::uint64_t at);
std::uint32_t value_of_semaphore(std::uint64_t at);

// Whose the object at that address is: of shared memory as its data; of a stack its owner; and process 0 of what is
// neither, as the program's own globals are, which have the same address everywhere.
pe_id home_of_object(std::uint64_t address);

}  // namespace tsubu::placed
