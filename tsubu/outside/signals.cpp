#include "tsubu/outside/signals.hpp"

#include <array>
#include <asio/signal_set.hpp>
#include <csignal>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/outside/awaiter_methods.hpp"
#include "tsubu/outside/poller.hpp"

namespace tsubu::outside {

namespace detail {

namespace {

// What signals did before the first of this process asked for them. Signals are the process's, and so is this.
struct taken_over {
  int times = 0;
  struct sigaction before{};
};
constinit std::mutex taking{};
constinit std::array<taken_over, 65> taken{};  // by their numbers; guarded by `taking`

}  // namespace

class signal_state final : public operation, public std::enable_shared_from_this<signal_state> {
 public:
  static constexpr const char* brings = "a signal";

  signal_state(const std::shared_ptr<poller>& at, std::initializer_list<int> numbers) : operation(at), set_(at->io()) {
    try {
      for (const int number : numbers) take_over(number);
    } catch (...) {
      close();
      throw;
    }
  }
  ~signal_state() override { close(); }

  bool ready() const { return which_ != 0 || closed_; }
  void wait(wait_record& who) {
    require(waiter_ == nullptr, "two tasks wait for the same signals");
    waiter_ = &who;
    if (std::exchange(waiting_, true)) return;
    of().begin();
    set_.async_wait([self = shared_from_this()](const std::error_code& why, int number) mutable {
      self->bytes = static_cast<std::size_t>(number);
      tell(std::move(self), why);
    });
  }
  void give_up() { waiter_ = nullptr; }

  void finish() override {
    waiting_ = false;
    if (!failed) which_ = static_cast<int>(bytes);
    if (waiter_ != nullptr) std::exchange(waiter_, nullptr)->wake();
  }
  int take() { return std::exchange(which_, 0); }

  void close() {
    if (std::exchange(closed_, true)) return;
    const std::lock_guard lock(taking);
    std::error_code ignored;
    set_.cancel(ignored);
    for (const int number : numbers_) give_back(number);
    numbers_.clear();
  }

 private:
  void take_over(int number) {
    const std::lock_guard lock(taking);
    struct sigaction before{};
    const bool known = ::sigaction(number, nullptr, &before) == 0;
    std::error_code why;
    set_.add(number, why);
    if (why || !known) throw error(why, "asking for signal " + std::to_string(number));
    numbers_.push_back(number);
    taken_over& of = taken[static_cast<std::size_t>(number)];
    if (of.times++ != 0) return;
    of.before = before;
    // Nobody's system call fails for it, and it needs no room on the stack of a fiber.
    struct sigaction now{};
    ::sigaction(number, nullptr, &now);
    now.sa_flags |= SA_RESTART | SA_ONSTACK;
    ::sigaction(number, &now, nullptr);
  }

  void give_back(int number) {
    std::error_code ignored;
    set_.remove(number, ignored);
    taken_over& of = taken[static_cast<std::size_t>(number)];
    if (--of.times == 0) ::sigaction(number, &of.before, nullptr);
  }

  asio::signal_set set_;
  std::vector<int> numbers_;
  bool closed_ = false;
  bool waiting_ = false;
  int which_ = 0;  // came, and nobody has taken it
  wait_record* waiter_ = nullptr;
};

template class awaiter<signal_state, int>;

}  // namespace detail

signals::signals(std::initializer_list<int> numbers)
    : state_(std::make_shared<detail::signal_state>(detail::poller::here("signals()"), numbers)) {}

signals& signals::operator=(signals&& other) noexcept {
  close();
  state_ = std::move(other.state_);
  return *this;
}

detail::signal_awaiter signals::next() const {
  require(state_ != nullptr, "signals are asked for of what was moved from");
  return detail::signal_awaiter(state_);
}

void signals::close() {
  if (state_ != nullptr) state_->close();
}

}  // namespace tsubu::outside
