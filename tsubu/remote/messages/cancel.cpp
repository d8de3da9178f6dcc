#include "tsubu/remote/messages/cancel.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tsubu/base/job_names.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu {
namespace remote {

// Those on this PE who are told of one source.
class cancel_watchers {
 public:
  cancel_watchers() { head_.prev = head_.next = &head_; }
  // Whoever is still in it is not told any more.
  ~cancel_watchers() {
    while (head_.next != &head_) head_.next->unlink();
  }
  cancel_watchers(const cancel_watchers&) = delete;
  cancel_watchers& operator=(const cancel_watchers&) = delete;

  void add(cancel_watcher& w) { w.link_before(head_); }
  void tell_cancelled(const cancelled& why) {
    while (cancel_watcher* const w = take_first()) w->told_cancelled(why);
  }
  void tell_ended() {
    while (cancel_watcher* const w = take_first()) w->told_ended();
  }

 private:
  cancel_watcher* take_first() {
    if (head_.next == &head_) return nullptr;
    auto* const first = static_cast<cancel_watcher*>(head_.next);
    first->unlink();
    return first;
  }

  wait_link head_;
};

cancel_watcher::~cancel_watcher() {
  if (linked()) unlink();
}

namespace {

constexpr int number_bits = 44;
cancel_name name_of(pe_id home, std::uint64_t number) {
  return static_cast<cancel_name>(static_cast<std::uint32_t>(home)) << number_bits | number;
}
pe_id home_of(cancel_name name) { return static_cast<pe_id>(name >> number_bits); }
std::uint64_t number_of(cancel_name name) { return name & ((std::uint64_t{1} << number_bits) - 1); }

// A source, in the list of its parent.
class child_source final : public cancel_watcher {
 public:
  explicit child_source(cancel_name name) : name_(name) {}

 private:
  void told_cancelled(const cancelled& why) override;

  cancel_name name_;
};

// A source, as its PE knows it or another one.
struct cancel_record {
  enum class state : std::uint8_t { live, cancelled, ended };
  state is = state::live;
  bool source_is_gone = false;  // as its own PE has told
  std::optional<cancelled> why;
  cancel_watchers watchers;             // empty unless it is live
  std::unique_ptr<child_source> child;  // on its own PE, if it has a parent that lives
  std::vector<pe_id> interested;        // on its own PE: other PEs that are to be told of its end, too
};

// What this PE knows of sources: each that lives, from when it is made, or first asked for here; and the last few of
// those that have ended.
class cancel_table {
 public:
  cancel_name open(const cancel_token& parent);
  void close(cancel_name name);

  // Asks its PE to be told, if nothing is known of it here.
  cancel_record& look(cancel_name name);
  // `asked_by`: the PE that need not be told, beside this one.
  void cancel(cancel_name name, const cancelled& why, pe_id asked_by);

  // By the handlers.
  void tell(pe_id who, cancel_name name);
  void has_ended(cancel_name name);

 private:
  static constexpr std::size_t most_remembered = 1024;

  void cancel_one(cancel_name name, const cancelled& why, pe_id asked_by);
  void remember(cancel_name over);

  std::unordered_map<cancel_name, cancel_record> known_;
  std::deque<cancel_name> over_;  // of the known ones, oldest first
  // Those of a job follow those of the jobs before it in the process: a token that was kept from there is of no source.
  static constexpr int bits_in_a_job = 28;
  std::uint64_t last_number_ = number_of(std::uint64_t{detail::job_names::jobs_before()} << bits_in_a_job);
  struct wanted {
    cancel_name name;
    cancelled why;
    pe_id asked_by;
  };
  std::vector<wanted> to_cancel_;  // children of children would else be calls in calls
  bool cancelling_ = false;
};

const pe_local<cancel_table> sources;

void check_named(cancel_name name) {
  require(home_of(name) < pe_count() && number_of(name) != 0,
          "a cancel_token names a source of PE {}, but the job's PEs are 0 to {}", home_of(name), pe_count() - 1);
}

// The runtime's own messages belong to no epoch.
template <class H, class... V>
void tell_pe(pe_id to, const V&... values) {
  const task_group_scope outside(nullptr);
  remote::send<H>(to, values...);
}

struct watch_source {
  using layout = wire::layout<cancel_name>;
  static void call(const message::delivery& d, cancel_name name) { sources->tell(d.from, name); }
};
struct source_ended {
  using layout = wire::layout<cancel_name>;
  static void call(const message::delivery& d, cancel_name name) {
    require(d.from == home_of(name), "PE {} tells the end of a cancel_source of PE {}", d.from, home_of(name));
    sources->has_ended(name);
  }
};
// To the source's PE: cancel it; from there: it is cancelled.
struct source_cancelled {
  using layout = wire::layout<cancel_name, pe_id, std::uint32_t, std::uint8_t, std::string>;
  static void call(const message::delivery& d, cancel_name name, pe_id by, std::uint32_t line, std::uint8_t reason,
                   std::string file) {
    check_named(name);
    require(home_of(name) == this_pe() || d.from == home_of(name),
            "PE {} tells that a cancel_source of PE {} is cancelled", d.from, home_of(name));
    const auto why = reason == 0 ? cancelled::reason::asked : cancelled::reason::time_up;
    sources->cancel(name, cancelled(by, std::move(file), line, why), d.from);
  }
  static void send(pe_id to, cancel_name name, const cancelled& why) {
    tell_pe<source_cancelled>(to, name, why.pe(), why.line(), static_cast<std::uint8_t>(why.time_up() ? 1 : 0),
                              why.file());
  }
};

void child_source::told_cancelled(const cancelled& why) { sources->cancel(name_, why, no_pe); }

cancel_name cancel_table::open(const cancel_token& parent) {
  const cancel_name name = name_of(this_pe(), ++last_number_);
  cancel_record& made = known_[name];
  if (parent.name() == 0) return name;
  cancel_record& of = look(parent.name());
  if (of.is == cancel_record::state::cancelled) {
    const cancelled why = *of.why;
    cancel(name, why, no_pe);
  } else if (of.is == cancel_record::state::live) {
    made.child = std::make_unique<child_source>(name);
    of.watchers.add(*made.child);
  }
  return name;
}

cancel_record& cancel_table::look(cancel_name name) {
  check_named(name);
  const auto [found, is_new] = known_.try_emplace(name);
  if (!is_new) return found->second;
  if (home_of(name) != this_pe()) {
    tell_pe<watch_source>(home_of(name), name);
    return found->second;
  }
  require(number_of(name) <= last_number_, "a cancel_token names source {} of PE {}, which has made {}",
          number_of(name), this_pe(), last_number_);
  cancel_record& forgotten = found->second;
  forgotten.is = cancel_record::state::ended;
  forgotten.source_is_gone = true;
  remember(name);
  return forgotten;
}

void cancel_table::cancel(cancel_name name, const cancelled& why, pe_id asked_by) {
  to_cancel_.push_back({name, why, asked_by});
  if (cancelling_) return;
  cancelling_ = true;
  while (!to_cancel_.empty()) {
    const wanted next = std::move(to_cancel_.back());
    to_cancel_.pop_back();
    cancel_one(next.name, next.why, next.asked_by);
  }
  cancelling_ = false;
}

void cancel_table::cancel_one(cancel_name name, const cancelled& why, pe_id asked_by) {
  check_named(name);
  const bool at_home = home_of(name) == this_pe();
  // Elsewhere it need not ask to be told what it knows.
  cancel_record& r = at_home ? look(name) : known_[name];
  // Who asks knows of it now, and is to hear of its end.
  if (at_home && asked_by != no_pe && asked_by != this_pe()) {
    if (r.source_is_gone) {
      tell_pe<source_ended>(asked_by, name);
    } else if (std::find(r.interested.begin(), r.interested.end(), asked_by) == r.interested.end()) {
      r.interested.push_back(asked_by);
    }
  }
  if (r.is != cancel_record::state::live) return;
  r.is = cancel_record::state::cancelled;
  r.why = why;
  if (last_cancel->name == name) last_cancel->cancelled = true;
  if (at_home) {
    for (const pe_id pe : r.interested) {
      if (pe != asked_by) source_cancelled::send(pe, name, why);
    }
  } else if (asked_by != home_of(name)) {
    source_cancelled::send(home_of(name), name, why);
  }
  r.watchers.tell_cancelled(why);
}

void cancel_table::tell(pe_id who, cancel_name name) {
  require(home_of(name) == this_pe(), "PE {} asks PE {} for a cancel_source of PE {}", who, this_pe(), home_of(name));
  cancel_record& r = look(name);
  if (r.is == cancel_record::state::cancelled) source_cancelled::send(who, name, *r.why);
  if (r.source_is_gone) {
    tell_pe<source_ended>(who, name);
  } else {
    r.interested.push_back(who);
  }
}

void cancel_table::close(cancel_name name) {
  const auto found = known_.find(name);
  if (found == known_.end()) return;  // a source that was kept from an earlier job
  cancel_record& r = found->second;
  r.child.reset();
  r.source_is_gone = true;
  for (const pe_id pe : std::exchange(r.interested, {})) tell_pe<source_ended>(pe, name);
  if (r.is == cancel_record::state::live) {
    r.is = cancel_record::state::ended;
    r.watchers.tell_ended();
  }
  remember(name);
}

void cancel_table::has_ended(cancel_name name) {
  const auto found = known_.find(name);
  if (found == known_.end()) return;
  cancel_record& r = found->second;
  if (std::exchange(r.source_is_gone, true)) return;  // told twice: as who asked, and as who cancelled
  if (r.is == cancel_record::state::live) {
    r.is = cancel_record::state::ended;
    r.watchers.tell_ended();
  }
  remember(name);
}

void cancel_table::remember(cancel_name over) {
  over_.push_back(over);
  if (over_.size() <= most_remembered) return;
  if (last_cancel->name == over_.front()) *last_cancel = {};
  known_.erase(over_.front());
  over_.pop_front();
}

// Whether so much time passes before.
task<bool> time_passes(const cancel_wait* before, std::int64_t ns, const char* what) {
  detail::future_state_base* const state = before->state();
  detail::first_of any(std::span(&state, 1), before->ready() ? 0 : detail::first_of::none,
                       std::max<std::int64_t>(ns, 0), what);
  const std::size_t first = co_await any;
  co_return first == detail::first_of::none;
}

// Cancels it when the time is up, unless it is over before.
task<void> cancel_later(cancel_name name, std::int64_t ns, cancelled why) {
  const cancel_wait over(name, cancel_wait::until::cancelled_or_ended);
  const bool time_up = co_await time_passes(&over, ns, "cancel_after");
  if (time_up) sources->cancel(name, why, no_pe);
}

}  // namespace

bool ask_cancelled(cancel_name name) {
  const bool is = sources->look(name).is == cancel_record::state::cancelled;
  *last_cancel = {name, is};
  return is;
}

void cancel(cancel_name name, const cancelled& why) { sources->cancel(name, why, no_pe); }

std::optional<cancelled> why_cancelled(cancel_name name) { return sources->look(name).why; }

task<void> sleep_or_cancelled(cancel_name name, std::int64_t ns) {
  const cancel_wait told(name);
  const bool slept = co_await time_passes(&told, ns, "or_cancelled");
  if (!slept) throw cancelled(told.why());
}

cancel_wait::cancel_wait(cancel_name name, until what) : what_(what) {
  if (name == 0) return;
  cancel_record& r = sources->look(name);
  if (r.is == cancel_record::state::live) {
    r.watchers.add(*this);
  } else if (r.is == cancel_record::state::cancelled || what == until::cancelled_or_ended) {
    why_ = r.why;
    set_.set_value();
  }
}

}  // namespace remote

void cancel_token::cancel(std::source_location where) const {
  if (name_ == 0 || !remote::job_goes_on()) return;
  remote::cancel(name_, tsubu::cancelled(this_pe(), where.file_name(), where.line()));
}

cancel_source::cancel_source() : cancel_source(cancel_token()) {}

cancel_source::cancel_source(const cancel_token& parent) : name_(0) {
  if (remote::current_pe == nullptr) remote::outside_a_job("cancel_source()");
  name_ = remote::sources->open(parent);
}

cancel_source::~cancel_source() {
  if (name_ == 0 || !remote::job_goes_on()) return;
  require(remote::home_of(name_) == this_pe(), "a cancel_source of PE {} ends on PE {}", remote::home_of(name_),
          this_pe());
  remote::sources->close(name_);
}

void cancel_source::cancel_after(std::chrono::nanoseconds time, std::source_location where) const {
  require(name_ != 0, "cancel_after() of a cancel_source that was moved from");
  const tsubu::cancelled why(this_pe(), where.file_name(), where.line(), tsubu::cancelled::reason::time_up);
  if (time.count() <= 0) return remote::cancel(name_, why);
  const task_group_scope outside(nullptr);
  spawn(remote::cancel_later(name_, time.count(), why));
}

}  // namespace tsubu
