// For tests: a collection after each so many messages and creations of a PE, as ABCL_COLLECT_EVERY says.
#pragma once

#include <cstdlib>
#include <string>

#include "tsubu/collection/collect.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/group.hpp"
#include "tsubu/task/task.hpp"

namespace abcl {

class forced_collection {
 public:
  // A message, or a creation.
  void count() {
    if (left_ == 0 || --left_ != 0) return;
    left_ = every_;
    if (runs_) return;
    runs_ = true;
    const tsubu::task_group_scope in_none(nullptr);
    tsubu::spawn(collect());
  }

 private:
  static unsigned long every() {
    const char* const said = std::getenv("ABCL_COLLECT_EVERY");
    return said == nullptr ? 0 : std::strtoul(said, nullptr, 10);
  }
  tsubu::task<void> collect() {
    co_await tsubu::collect();
    runs_ = false;
  }

  unsigned long every_ = every();
  unsigned long left_ = every_;  // 0: there is no collection
  bool runs_ = false;
};
inline tsubu::pe_local<forced_collection> forced;

inline void count_for_collection() { forced->count(); }

}  // namespace abcl
