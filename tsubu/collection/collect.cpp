#include "tsubu/collection/collect.hpp"

#include <utility>
#include <vector>

#include "tsubu/collection/collector.hpp"
#include "tsubu/collection/why_alive.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu::collection {
namespace {

// On PE 0.
struct coordinator {
  std::uint32_t cycle = 0;
  bool runs = false;
  bool wanted = false;  // by a pacer
  std::vector<promise<collected>> asked;
  struct question {
    objects::identity to;
    promise<std::vector<holder>> path;
  };
  std::vector<question> questions;  // of why_alive()
  bool all_is_marked = true;        // as far as the step that is under way has found
  collection_account account;

  coordinator() {
    remote::current_pe->accounts.add_lines([] { return text_of_account(); });
  }
  static std::string text_of_account();
};
const pe_local<coordinator> coordinators;

std::string coordinator::text_of_account() { return coordinators->account.text(); }

// ---- the steps, on each PE

// A PE begins before whatever a PE that has begun sends there: each tells all others, and messages do not overtake.
void begin(std::uint32_t cycle, bool keep_causes) {
  collector& here = *collectors;
  if (!here.begin(cycle, keep_causes)) return;
  for (pe_id pe = 0; pe < pe_count(); ++pe) at(pe).past<begin>(cycle, keep_causes);
  spawn(here.mark_from_roots());
}

void is_not_all_marked() { coordinators->all_is_marked = false; }

task<void> freeze() {
  const bool all_is_marked = co_await collectors->freeze();
  if (!all_is_marked) at(0).past<is_not_all_marked>();
}

task<void> mark_more() {
  collectors->thaw();
  co_await collectors->mark_grey();
}

void take_report(const cycle_report& of_pe) { coordinators->account.add(of_pe); }

task<void> end_white() {
  const cycle_report report = co_await collectors->end_white();
  at(0).past<take_report>(report);
}

// ---- their order

template <auto Step, class... A>
task<void> on_all(A... arguments) {
  const auto send = [arguments...] {
    for (pe_id pe = 0; pe < pe_count(); ++pe) at(pe).past<Step>(arguments...);
  };
  co_await epoch(send);
}

task<collected> collect_once(bool keep_causes) {
  coordinator& all = *coordinators;
  collected done;
  all.wanted = false;
  all.account.cycle_begins();
  co_await on_all<begin>(++all.cycle, keep_causes);
  for (;;) {
    all.all_is_marked = true;
    all.account.looked();
    ++done.looks;
    co_await on_all<freeze>();
    if (all.all_is_marked) break;
    co_await on_all<mark_more>();
  }
  co_await on_all<end_white>();
  done.ended = all.account.ended();
  done.pause_99_ns = all.account.pauses_of_cycle().quantile_ns(0.99);
  done.longest_pause_ns = all.account.pauses_of_cycle().longest_ns();
  co_return done;
}

task<void> collect_for_all_who_ask() {
  coordinator& all = *coordinators;
  while (!all.asked.empty() || !all.questions.empty() || all.wanted) {
    std::vector<promise<collected>> asked = std::exchange(all.asked, {});
    std::vector<coordinator::question> questions = std::exchange(all.questions, {});
    const collected done = co_await collect_once(!questions.empty());
    for (promise<collected>& p : asked) p.set_value(done);
    for (coordinator::question& q : questions) {
      std::vector<holder> path = co_await path_to(q.to);
      q.path.set_value(std::move(path));
    }
  }
  all.runs = false;
}

void begin_to_collect() {
  if (std::exchange(coordinators->runs, true)) return;
  // It is done for others, too: not in the epoch of who asks first.
  const task_group_scope in_none(nullptr);
  spawn(collect_for_all_who_ask());
}

task<collected> collect_for_one() {
  coordinator& all = *coordinators;
  promise<collected> given;
  future<collected> done = given.get_future();
  all.asked.push_back(std::move(given));
  begin_to_collect();
  co_return co_await done;
}

task<std::vector<holder>> answer(objects::identity to) {
  coordinator& all = *coordinators;
  promise<std::vector<holder>> given;
  future<std::vector<holder>> path = given.get_future();
  all.questions.push_back({to, std::move(given)});
  begin_to_collect();
  co_return co_await path;
}

// A PE asks that has seen all cycles up to this one.
void want(std::uint32_t cycle) {
  coordinator& all = *coordinators;
  if (all.cycle != cycle) return;
  all.wanted = true;
  begin_to_collect();
}

}  // namespace

task<std::vector<holder>> find_path(objects::identity to) { co_return co_await at(0).now<answer>(to); }

void ask_for_cycle() {
  const task_group_scope in_none(nullptr);
  at(0).past<want>(names_held->cycle());
}

}  // namespace tsubu::collection

namespace tsubu {

task<collected> collect() { co_return co_await at(0).now<collection::collect_for_one>(); }

}  // namespace tsubu
