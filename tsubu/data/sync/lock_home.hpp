// The locks whose home is this PE, and what their users on other PEs send to them.
#pragma once

#include <string>

#include "tsubu/data/profile/place_names.hpp"
#include "tsubu/data/sync/lock_record.hpp"
#include "tsubu/data/sync/named_table.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::data {

class lock_home {
 public:
  lock_home();

  // Ends the job if there is none; `what`() says what PE `from` does to it: "acquires".
  template <class F>
  lock_record& find(sync_kind kind, key name, pe_id from, F what) const {
    lock_record* const record = name.home() == me ? locks.find(name) : nullptr;
    if (record == nullptr) [[unlikely]]
      refuse_ended(kind, name, from, what());
    return *record;
  }
  void release(sync_kind kind, key name, pe_id from, lock_ticket ticket);
  void end(sync_kind kind, key name, pe_id from);

  const pe_id me;
  named_table<lock_record> locks;
  place_names places;
};
inline const pe_local<lock_home> lock_homes;

// To a request on any PE.
void send_ticket(remote::reply_address to, sync_kind kind, key name, lock_ticket ticket);

// For a request of this PE, whose answer is a ticket. The home is another PE.
void ask_for_lock(sync_kind kind, key name, lock_mode mode, const std::source_location& where,
                  remote::reply_address to);
const wire::handler_entry& lock_asking();

// At any home; past.
void release_lock(sync_kind kind, key name, lock_ticket ticket);
void end_lock(sync_kind kind, key name);

}  // namespace tsubu::data
