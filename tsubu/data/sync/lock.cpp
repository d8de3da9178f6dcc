#include "tsubu/data/sync/lock.hpp"

#include "tsubu/data/sync/lock_home.hpp"

namespace tsubu {

void lock::end() const { data::end_lock(data::sync_kind::lock, name_); }

lock create_lock() {
  data::lock_home& here = *data::lock_homes;
  return lock(here.locks.add(here.me, data::sync_kind::lock));
}

}  // namespace tsubu
