#include "tsubu/collection/collect.hpp"

#include <utility>
#include <vector>

#include "tsubu/collection/collector.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu::collection {
namespace {

// On PE 0.
struct coordinator {
  std::uint32_t cycle = 0;
  bool runs = false;
  std::vector<promise<collected>> asked;
  // This is what the step that is under way has found.
  bool all_is_marked = true;
  std::uint64_t ended = 0;
};
const pe_local<coordinator> coordinators;

// ---- the steps, on each PE

// A PE begins before whatever a PE that has begun sends there: each tells all others, and messages do not overtake.
void begin(std::uint32_t cycle) {
  collector& here = *collectors;
  if (!here.begin(cycle)) return;
  for (pe_id pe = 0; pe < pe_count(); ++pe) at(pe).past<begin>(cycle);
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

void count_ended(std::uint64_t n) { coordinators->ended += n; }

task<void> end_white() {
  const std::uint64_t ended = co_await collectors->end_white();
  if (ended != 0) at(0).past<count_ended>(ended);
}

// ---- their order

template <auto Step, class... A>
task<void> on_all(A... arguments) {
  const auto send = [arguments...] {
    for (pe_id pe = 0; pe < pe_count(); ++pe) at(pe).past<Step>(arguments...);
  };
  co_await epoch(send);
}

task<collected> collect_once() {
  coordinator& all = *coordinators;
  collected done;
  co_await on_all<begin>(++all.cycle);
  for (;;) {
    all.all_is_marked = true;
    ++done.looks;
    co_await on_all<freeze>();
    if (all.all_is_marked) break;
    co_await on_all<mark_more>();
  }
  all.ended = 0;
  co_await on_all<end_white>();
  done.ended = all.ended;
  co_return done;
}

task<void> collect_for_all_who_ask() {
  coordinator& all = *coordinators;
  while (!all.asked.empty()) {
    std::vector<promise<collected>> asked = std::exchange(all.asked, {});
    const collected done = co_await collect_once();
    for (promise<collected>& p : asked) p.set_value(done);
  }
  all.runs = false;
}

task<collected> collect_for_one() {
  coordinator& all = *coordinators;
  promise<collected> given;
  future<collected> done = given.get_future();
  all.asked.push_back(std::move(given));
  if (!std::exchange(all.runs, true)) {
    // It is done for others, too: not in the epoch of who asks first.
    const task_group_scope in_none(nullptr);
    spawn(collect_for_all_who_ask());
  }
  co_return co_await done;
}

}  // namespace
}  // namespace tsubu::collection

namespace tsubu {

task<collected> collect() { co_return co_await at(0).now<collection::collect_for_one>(); }

}  // namespace tsubu
