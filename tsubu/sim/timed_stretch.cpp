#include "tsubu/sim/timed_stretch.hpp"

#include <algorithm>
#include <cstddef>

namespace tsubu::sim {
namespace {

void add_difference(account& to, const account& after, const account& before) {
  to.time.working += after.time.working - before.time.working;
  to.time.executing += after.time.executing - before.time.executing;
  to.time.sending += after.time.sending - before.time.sending;
  to.time.receiving += after.time.receiving - before.time.receiving;
  to.time.switching += after.time.switching - before.time.switching;
  to.packets_executed += after.packets_executed - before.packets_executed;
  to.batches_sent += after.batches_sent - before.batches_sent;
  to.bytes_sent += after.bytes_sent - before.bytes_sent;
}

}  // namespace

bool timed_stretch::begins(std::int64_t now_ps) {
  if (open_++ > 0) return false;
  began_ps_ = last_ps_ = now_ps;
  return true;
}

bool timed_stretch::ends(std::int64_t now_ps) {
  if (open_ == 0) return false;
  last_ps_ = std::max(last_ps_, now_ps);
  return --open_ == 0;
}

void timed_stretch::closed(const state& at) {
  whole_ps_ += last_ps_ - began_ps_;
  sum_.of_pes.resize(at.of_pes.size());
  for (std::size_t pe = 0; pe < at.of_pes.size(); ++pe) {
    add_difference(sum_.of_pes[pe], at.of_pes[pe], before_.of_pes[pe]);
  }
  sum_.links_taken_ps.resize(at.links_taken_ps.size());
  for (std::size_t link = 0; link < at.links_taken_ps.size(); ++link) {
    sum_.links_taken_ps[link] += at.links_taken_ps[link] - before_.links_taken_ps[link];
  }
}

account timed_stretch::of(std::size_t pe) const {
  account a = sum_.of_pes[pe];
  a.time.idle = std::max<std::int64_t>(whole_ps_ - a.time.busy(), 0);
  return a;
}

}  // namespace tsubu::sim
