#include "tsubu/data/sync/rw_lock.hpp"

#include "tsubu/data/sync/lock_home.hpp"

namespace tsubu {

void rw_lock::end() const { data::end_lock(data::sync_kind::rw_lock, name_); }

rw_lock create_rw_lock() {
  data::lock_home& here = *data::lock_homes;
  return rw_lock(here.locks.add(here.me, data::sync_kind::rw_lock));
}

}  // namespace tsubu
