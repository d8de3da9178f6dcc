#include "tsubu/run/start_watch.hpp"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/run/early_end.hpp"
#include "tsubu/run/launcher.hpp"

namespace tsubu::run_detail {
namespace {

// Each rank that waits would say the same. The first of them takes the others along before they do.
std::chrono::milliseconds turn_of(int rank) { return std::chrono::milliseconds(20) * std::clamp(rank, 0, 100); }

// On the watch's thread: the one that waits has what is needed to end a PE, and none of it is there yet.
void end_for_lateness(int limit_s) {
  if (is_traced()) return;
  const int rank = process_launcher().rank;
  const std::string who = rank >= 0 ? "rank " + std::to_string(rank) + " has" : "this process has";
  end_other_ranks_too();
  end_job(exit_code::unavailable,
          "tsubu: " + who + " waited in MPI_Init for " + std::to_string(limit_s) +
              " s: another rank has ended before it called run(), or never calls it, or MPI cannot start here "
              "(--tsubu-mpi-start=SECONDS waits longer; 0: for ever)");
}

std::unique_ptr<start_watch>& watch_of_process() {
  static std::unique_ptr<start_watch> one;
  return one;
}

}  // namespace

start_watch::start_watch(std::chrono::milliseconds limit, std::function<void()> late)
    : limit_(limit), late_(std::move(late)) {
  // Signals are for the threads that the program knows.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = ::pthread_create(&thread_, nullptr, &watch, this);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) throw std::system_error(error, std::generic_category());
}

start_watch::~start_watch() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  ::pthread_join(thread_, nullptr);
}

void* start_watch::watch(void* of) {
  auto& self = *static_cast<start_watch*>(of);
  std::unique_lock lock(self.mutex_);
  // In parts: one that goes on after it was stopped (by SIGSTOP, say) is late by one of them, and not at once.
  constexpr int parts = 10;
  const auto part = std::chrono::nanoseconds(self.limit_) / parts;
  for (int waited = 0; !self.changed_.wait_for(lock, part, [&self] { return self.done_; });) {
    if (++waited % parts == 0) self.late_();
  }
  return nullptr;
}

bool is_traced() {
  constexpr std::string_view key = "TracerPid:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return line.find_first_of("123456789", key.size()) != std::string::npos;
  }
  return false;
}

void watch_mpi_start(int limit_s) {
  if (limit_s == 0) return;
  try {
    watch_of_process() = std::make_unique<start_watch>(std::chrono::seconds(limit_s) + turn_of(process_launcher().rank),
                                                       [limit_s] { end_for_lateness(limit_s); });
  } catch (const std::system_error& e) {
    end_job(exit_code::failed, std::string("tsubu: no thread to watch MPI_Init: ") + e.what());
  }
}

void mpi_has_started() { watch_of_process().reset(); }

}  // namespace tsubu::run_detail
