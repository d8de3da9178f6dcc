#include "tsubu/outside/poller.hpp"

#include <sched.h>

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/thread_pool.hpp>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "tsubu/base/clock.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/transport/threads/cores.hpp"

namespace tsubu::outside::detail {

namespace {

// A poll costs a system call. So a PE that spins for messages does not poll at each of its steps.
constexpr double between_polls_ns = 1000;
// What goes on for long, as a large write to a quick reader, lets messages in.
constexpr int most_at_a_time = 256;
constexpr std::size_t threads_for_what_blocks = 2;

// Ends the poller with its PE, whoever else still holds it.
struct held_poller {
  held_poller() = default;
  held_poller(held_poller&&) = default;
  ~held_poller() {
    if (held != nullptr) held->end();
  }
  std::shared_ptr<poller> held;
};
const pe_local<held_poller> pollers;

// The cores that the process may run on. PEs are bound to one each, and threads that they make begin there.
const cpu_set_t cores_of_process = [] {
  cpu_set_t all{};
  sched_getaffinity(0, sizeof all, &all);
  return all;
}();

// Threads that block have nothing to do with the core of the PE that makes them.
std::unique_ptr<asio::thread_pool> threads_on_all_cores(std::size_t count) {
  const transport::affinity_kept of_the_pe;
  sched_setaffinity(0, sizeof cores_of_process, &cores_of_process);
  return std::make_unique<asio::thread_pool>(count);
}

}  // namespace

struct poller::parts {
  asio::io_context io;
  asio::executor_work_guard<asio::io_context::executor_type> stays{io.get_executor()};
  const std::thread::id pe_thread = std::this_thread::get_id();
  std::unique_ptr<asio::thread_pool> blocking;  // made by the first offload()

  std::mutex mutex;
  std::vector<std::shared_ptr<operation>> came;  // guarded by mutex
  bool watching = false;                         // guarded by mutex: the PE sleeps
  bool ending = false;                           // guarded by mutex
  std::atomic<bool> any_came{false};
  std::condition_variable changed;
  std::thread watcher;
  std::vector<std::shared_ptr<operation>> finishing;  // the PE's
};

std::shared_ptr<poller> poller::here(const char* what) {
  remote::pe* const pe = remote::current_pe;
  if (pe == nullptr) remote::outside_a_job(what);
  require(pe->transport().has_other_threads(),
          "{} waits for the world outside, and a job whose PEs are simulated has none", what);
  std::shared_ptr<poller>& held = pollers->held;
  if (held == nullptr) held = std::make_shared<poller>(*pe);
  return held;
}

poller::poller(remote::pe& of)
    : pe_(of),
      parts_(std::make_unique<parts>()),
      between_polls_ticks_(static_cast<std::uint64_t>(between_polls_ns * ticks_per_ns())) {}

poller::~poller() = default;

asio::io_context& poller::io() { return parts_->io; }

void poller::begin() {
  require(remote::current_pe == &pe_, "something of the world outside is used that belongs to PE {}", pe_.number());
  ++under_way_;
  if (is_a_source_) return;
  is_a_source_ = true;
  pe_.take_in_from(shared_from_this());
}

void poller::came(std::shared_ptr<operation> which) {
  if (std::this_thread::get_id() == parts_->pe_thread) return finish(*which);
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->came.push_back(std::move(which));
    parts_->any_came.store(true, std::memory_order_release);
  }
  pe_.transport().interrupt();
}

void poller::finish(operation& which) {
  --under_way_;
  which.finish();
}

bool poller::finish_what_came() {
  if (!parts_->any_came.load(std::memory_order_acquire)) return false;
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->any_came.store(false, std::memory_order_relaxed);
    std::swap(parts_->came, parts_->finishing);
  }
  for (const std::shared_ptr<operation>& one : parts_->finishing) finish(*one);
  parts_->finishing.clear();
  return true;
}

void tell(std::shared_ptr<operation> which, const std::error_code& failed) {
  which->failed = failed;
  poller& of = which->of();
  of.came(std::move(which));
}

bool poller::take_in() {
  bool any = finish_what_came();
  if (ticks() - polled_at_ticks_ < between_polls_ticks_) return any;
  for (int n = 0; n < most_at_a_time && parts_->io.poll_one() != 0; ++n) any = true;
  polled_at_ticks_ = ticks();
  return any;
}

bool poller::ended() {
  if (under_way_ != 0) return false;
  is_a_source_ = false;
  return true;
}

void poller::before_sleep() {
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->watching = true;
  }
  if (!parts_->watcher.joinable()) {
    parts_->watcher = std::thread([this] { watch(); });
  } else {
    parts_->changed.notify_one();
  }
}

void poller::after_sleep() {
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->watching = false;
  }
  asio::post(parts_->io, [] {});  // the watcher comes back and sees it
}

// What comes here has gone to came(), which interrupts the PE.
void poller::watch() {
  std::unique_lock lock(parts_->mutex);
  for (;;) {
    parts_->changed.wait(lock, [this] { return parts_->watching || parts_->ending; });
    if (parts_->ending) return;
    lock.unlock();
    parts_->io.run_one();
    lock.lock();
  }
}

void poller::offload(std::shared_ptr<operation> which, void (*run)(operation&)) {
  if (parts_->blocking == nullptr) parts_->blocking = threads_on_all_cores(threads_for_what_blocks);
  begin();
  asio::post(*parts_->blocking, [which = std::move(which), run]() mutable {
    run(*which);
    tell(std::move(which), {});
  });
}

void poller::end() {
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->ending = true;
  }
  if (parts_->watcher.joinable()) {
    parts_->changed.notify_one();
    asio::post(parts_->io, [] {});
    parts_->watcher.join();
  }
  if (parts_->blocking != nullptr) {
    parts_->blocking->stop();
    parts_->blocking->join();
  }
}

}  // namespace tsubu::outside::detail
