#include "tsubu/object/watches.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/object/answer.hpp"
#include "tsubu/object/space.hpp"

namespace tsubu::objects {

namespace {

// As they travel.
struct sent_watcher {
  watch_number by;
  sent_reply<void> told;
};

}  // namespace

void watches::add(object_base& o, watch_number by, reply_to<void> told) {
  o.tsubu_header.set(object_base::header::watched);
  of_[&o].watchers.push_back({by, std::move(told)});
}

void watches::remove(object_base& o, watch_number by) {
  const auto found = of_.find(&o);
  if (found == of_.end()) return;
  // The answer closes what the monitor has opened for it.
  std::vector<watcher>& all = found->second.watchers;
  const auto one = std::find_if(all.rbegin(), all.rend(), [by](const watcher& w) { return w.by == by; });
  if (one != all.rend()) {
    one->told.reply();
    if (one != all.rbegin()) *one = std::move(all.back());
    all.pop_back();
  }
  if (!found->second.watchers.empty() || found->second.error != nullptr) return;
  of_.erase(found);
  o.tsubu_header.clear(object_base::header::watched);
}

bool watches::take_error(const method_info& of, object_base& o, const std::exception_ptr& error) {
  if (of.reenters || o.tsubu_header.is(object_base::header::serving)) return false;
  record& r = of_.at(&o);
  if (r.error == nullptr) r.error = error;
  o.tsubu_header.set(object_base::header::ending);
  return true;
}

watches::record watches::take(object_base& o) {
  o.tsubu_header.clear(object_base::header::watched);
  return std::move(of_.extract(&o).mapped());
}

void watches::tell(record ended) {
  for (watcher& w : ended.watchers) {
    if (ended.error != nullptr) {
      w.told.fail(ended.error);
    } else {
      w.told.reply();
    }
  }
}

void watches::send(object_base& o, std::vector<std::byte>& state) {
  std::vector<sent_watcher> leave;
  for (watcher& w : take(o).watchers) leave.push_back({w.by, w.told.send()});
  wire::writer out(state);
  out(leave);
}

void watches::take_in(object_base& o, wire::reader& state) {
  std::vector<sent_watcher> came;
  state(came);
  for (const sent_watcher& w : came) add(o, w.by, reply_to<void>(w.told));
}

}  // namespace tsubu::objects
