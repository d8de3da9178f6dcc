// Cancelling what runs or waits, on any PE:
//
//   cancel_source source;
//   source.cancel_after(2s);
//   auto answer = at(3).future<search>(board, source.token());   // it asks token.cancelled() now and then
//   int n = co_await or_cancelled(source.token(), std::move(answer));
//   ...
//   source.cancel();                                             // here, or token.cancel() on any PE
//
// Nothing is stopped by force: what runs asks its token, and what waits does so in or_cancelled(). What has been
// cancelled throws `cancelled`, which says who did it and where, also to a caller on another PE.
//
// A token is a name of eight bytes that travels and is copied like a number. A PE that asks it, or waits with it, is
// put down with the source's PE when it does so first, and is told. Names are not used again: a token that outlives its
// source is safe, and stays as it was. docs/task.md has the whole of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <source_location>
#include <utility>

#include "tsubu/remote/messages/cancelled.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/task.hpp"
#include "tsubu/task/when_any.hpp"

namespace tsubu {

namespace remote {

// The PE of the source, and the number of the source there. 0: of none.
using cancel_name = std::uint64_t;

// What this PE has asked last: most ask for one token again and again.
struct last_cancel_asked {
  cancel_name name = 0;
  bool cancelled = false;
};
inline const pe_local<last_cancel_asked> last_cancel;

[[gnu::noinline]] bool ask_cancelled(cancel_name name);
void cancel(cancel_name name, const cancelled& why);
std::optional<cancelled> why_cancelled(cancel_name name);

// Somebody on this PE who is told when a source is cancelled or ends.
class cancel_watcher : private wait_link {
 public:
  cancel_watcher() = default;
  cancel_watcher(const cancel_watcher&) = delete;
  cancel_watcher& operator=(const cancel_watcher&) = delete;

 protected:
  ~cancel_watcher();

 private:
  friend class cancel_watchers;
  // Each at most once, and out of the list by then. The reason is kept by who wants it: what this PE knows of a source
  // that is over may be forgotten before a task goes on.
  virtual void told_cancelled(const cancelled& why) = 0;
  virtual void told_ended() {}
};

// A future that is ready when the token is cancelled.
class cancel_wait final : private cancel_watcher {
 public:
  enum class until : std::uint8_t { cancelled, cancelled_or_ended };
  explicit cancel_wait(cancel_name name, until what = until::cancelled);

  detail::future_state_base* state() const { return over_.state().get(); }
  bool ready() const { return over_.ready(); }
  // Where it is cancelled.
  const cancelled& why() const { return *why_; }

 private:
  void told_cancelled(const cancelled& why) override {
    why_ = why;
    set_.set_value();
  }
  void told_ended() override {
    if (what_ == until::cancelled_or_ended) set_.set_value();
  }

  until what_;
  std::optional<cancelled> why_;
  promise<void> set_;
  future<void> over_ = set_.get_future();
};

template <class A>
task<awaited_value<A>> await_or_cancelled(cancel_name name, A work) {
  const cancel_wait told(name);
  if (told.ready()) throw cancelled(told.why());
  const future<awaited_value<A>> later = detail::as_future(std::move(work));
  detail::future_state_base* const states[] = {later.state().get(), told.state()};
  detail::first_of any(states, later.ready() ? 0 : detail::first_of::none, detail::first_of::no_limit, "or_cancelled");
  co_await any;
  if (!later.ready()) throw cancelled(told.why());
  co_return later.state()->result.take();
}

task<void> sleep_or_cancelled(cancel_name name, std::int64_t ns);

}  // namespace remote

// Travels as its bytes. One that was made by default is never cancelled.
// Local; does not block; throw_if_cancelled() throws cancelled.
class cancel_token {
 public:
  cancel_token() = default;
  explicit cancel_token(remote::cancel_name name) : name_(name) {}

  // Has it been, as far as this PE knows? Local, a few loads; the first time on a PE it sends a message. Once true, it
  // stays true.
  bool cancelled() const {
    if (name_ == 0) return false;
    const remote::last_cancel_asked& last = *remote::last_cancel;
    return last.name == name_ ? last.cancelled : remote::ask_cancelled(name_);
  }
  // Who did it, and where; nothing if it is not cancelled, as far as this PE knows. Local.
  std::optional<tsubu::cancelled> why() const { return name_ != 0 ? remote::why_cancelled(name_) : std::nullopt; }
  void throw_if_cancelled() const {
    if (cancelled()) [[unlikely]]
      throw tsubu::cancelled(*why());
  }

  // By anybody who has it: this PE knows at once, the others are told by messages, and those who are told go by whoever
  // was first at the source. Does not wait. Does nothing to a token of no source, nor to one whose source has ended,
  // where that is known: on a PE that has not heard of the end the token is cancelled, and on no other. Nothing is done
  // by what is destroyed behind the end of a job.
  void cancel(std::source_location where = std::source_location::current()) const;

  remote::cancel_name name() const { return name_; }
  bool operator==(const cancel_token&) const = default;

 private:
  remote::cancel_name name_ = 0;
};

// Belongs to the PE that made it, and ends there. Its end does not cancel: tokens stay as they were.
// Local; does not block; outside a job it ends the process.
class cancel_source {
 public:
  cancel_source();
  // Cancelled with its parent too, and for the same reason; not the other way round.
  explicit cancel_source(const cancel_token& parent);
  cancel_source(cancel_source&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  cancel_source& operator=(cancel_source&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~cancel_source();

  // What others are given, to ask or to wait with.
  cancel_token token() const { return cancel_token(name_); }
  bool cancelled() const { return token().cancelled(); }
  void cancel(std::source_location where = std::source_location::current()) const { token().cancel(where); }
  // When so much time has passed by the clock of this PE, unless it is cancelled or has ended before. Until one of
  // these, the job is not at rest: it does not end, and quiescence() does not return.
  void cancel_after(std::chrono::nanoseconds time, std::source_location where = std::source_location::current()) const;

 private:
  remote::cancel_name name_;  // 0: moved from
};

// Waits for something, and no longer when the token is cancelled: then it throws `cancelled`. What was waited for is
// moved in as for within(), goes on, and what it comes to is dropped; a task is not begun if the token is cancelled
// already. Gives its value, or throws its exception.
// Local; blocks until it is there, or the token is cancelled; throws cancelled, or what it throws.
template <awaitable A>
auto or_cancelled(cancel_token token, A&& work) {
  detail::check_can_go_on<A>();
  return remote::await_or_cancelled<A>(token.name(), std::move(work));
}
// Sleeps so long, and no longer when the token is cancelled: then it throws `cancelled`.
// Local; blocks so long, or until the token is cancelled; throws cancelled.
inline task<void> or_cancelled(cancel_token token, std::chrono::nanoseconds time) {
  return remote::sleep_or_cancelled(token.name(), time.count());
}

}  // namespace tsubu
