#include "tsubu/base/leftovers.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tsubu {
namespace {

constexpr std::array ending = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
constexpr int patience_ms = 3000, between_looks_ms = 10;

// A signal handler reads all of this: so there is nothing in it that has to be allocated. A folder or child for which
// there is no room is known to its own value only.
struct folder {
  std::atomic<bool> there{false};
  std::array<char, 1024> path{};
};
constinit std::array<folder, 16> folders;
// 0: none; below 0: a group.
constinit std::array<std::atomic<pid_t>, 1100> children;
constexpr std::size_t nowhere = children.size();

constinit std::atomic<pid_t> owner{0};
constinit int kept = 0;  // folders and children
constinit std::array<bool, ending.size()> handled{};

sigset_t all_ending() {
  sigset_t all;
  sigemptyset(&all);
  for (const int number : ending) sigaddset(&all, number);
  return all;
}

// From here on all is safe in a signal handler.

bool is_there(pid_t child) { return ::kill(child, 0) == 0; }

void end_children(int number) {
  for (const auto& c : children) {
    if (c != 0) ::kill(c, number);
  }
  for (int waited_ms = 0;; waited_ms += between_looks_ms) {
    bool any = false;
    for (auto& c : children) {
      const pid_t child = c;
      if (child == 0) continue;
      while (::waitpid(child, nullptr, WNOHANG) > 0) continue;  // those that have ended count as there
      if (!is_there(child)) {
        c = 0;
      } else {
        any = true;
      }
    }
    if (!any || waited_ms > 2 * patience_ms) return;
    if (waited_ms == patience_ms) {
      for (const auto& c : children) {
        if (c != 0) ::kill(c, SIGKILL);
      }
    }
    ::poll(nullptr, 0, between_looks_ms);
  }
}

void remove_folders() {
  for (folder& f : folders) {
    if (!f.there.exchange(false)) continue;
    const pid_t child = ::_Fork();
    if (child == 0) {
      ::execl("/bin/rm", "rm", "-rf", "--", f.path.data(), nullptr);
      ::_exit(1);
    }
    while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  }
}

void on_end(int number) {
  if (owner == ::getpid()) {
    end_children(number == SIGPIPE ? SIGTERM : number);
    remove_folders();
  }
  std::signal(number, SIG_DFL);
  ::raise(number);  // comes when this returns
}

// Until here.

void keep_one_more() {
  owner = ::getpid();
  if (kept++ > 0) return;
  struct sigaction how{};
  how.sa_handler = on_end;
  how.sa_mask = all_ending();
  for (std::size_t i = 0; i < ending.size(); ++i) {
    struct sigaction now{};
    const bool is_free =
        ::sigaction(ending[i], nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
    handled[i] = is_free && ::sigaction(ending[i], &how, nullptr) == 0;
  }
}

void handle_no_more() {
  for (std::size_t i = 0; i < ending.size(); ++i) {
    if (std::exchange(handled[i], false)) std::signal(ending[i], SIG_DFL);
  }
}

void keep_one_less() {
  if (--kept == 0) handle_no_more();
}

}  // namespace

temporary_folder::temporary_folder(const std::string& prefix) : path_(prefix + "XXXXXX"), place_(0) {
  const held_signals meanwhile;
  if (::mkdtemp(path_.data()) == nullptr) throw std::system_error(errno, std::generic_category(), path_);
  const auto free = std::ranges::find_if(folders, [](const folder& f) { return !f.there; });
  place_ = static_cast<std::size_t>(free - folders.begin());
  const std::string whole = std::filesystem::absolute(path_).string();
  if (place_ < folders.size() && whole.size() < free->path.size()) {
    free->path[whole.copy(free->path.data(), whole.size())] = '\0';
    free->there = true;
  } else {
    place_ = folders.size();
  }
  keep_one_more();
}

temporary_folder::~temporary_folder() {
  const held_signals meanwhile;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (place_ < folders.size()) folders[place_].there = false;
  keep_one_less();
}

held_signals::held_signals() {
  const sigset_t all = all_ending();
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
}

held_signals::~held_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void held_signals::let_go_in_child() const {
  kept = 0;
  for (folder& f : folders) f.there = false;
  for (auto& c : children) c = 0;
  handle_no_more();
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

child_of_process::child_of_process(pid_t child, reach whom) : place_(nowhere) {
  const held_signals meanwhile;
  const auto free = std::ranges::find_if(children, [](const std::atomic<pid_t>& c) { return c == 0; });
  place_ = static_cast<std::size_t>(free - children.begin());
  if (place_ != nowhere) *free = whom == reach::group ? -child : child;
  keep_one_more();
}

child_of_process::~child_of_process() {
  if (place_ > nowhere) return;  // moved from
  const held_signals meanwhile;
  if (place_ < nowhere) children[place_] = 0;
  keep_one_less();
}

child_of_process::child_of_process(child_of_process&& other) noexcept
    : place_(std::exchange(other.place_, nowhere + 1)) {}

child_of_process& child_of_process::operator=(child_of_process&& other) noexcept {
  std::swap(place_, other.place_);
  return *this;
}

void remove_leftovers() {
  if (owner != ::getpid()) return;
  const held_signals meanwhile;
  end_children(SIGTERM);
  remove_folders();
}

}  // namespace tsubu
