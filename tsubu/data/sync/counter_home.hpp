// The counters whose home is this PE, the zeros of others that it keeps, and what is said between PEs about them.
//
// A zero stays zero until somebody writes, so who has seen one answers its own questions, until the home asks it to
// forget. A write of another value is in place when all have: so nobody reads the zero after it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "tsubu/data/sync/counter_record.hpp"
#include "tsubu/data/sync/named_table.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::data {

class counter_home {
 public:
  counter_home();

  // Ends the job if there is none.
  counter_record& find(key name, pe_id from, const char* what) const;
  void end(key name, pe_id from);
  bool keeps_zero(key name) const { return zeros.contains(name.bits()); }

  const pe_id me;
  named_table<counter_record> counters;
  std::unordered_set<std::uint64_t> zeros;  // of others, by name
};
inline const pe_local<counter_home> counter_homes;

// "reads", "decrements"
const char* verb_of(counter_operation what);

// For a request of this PE. The home is another one.
void ask_counter(key name, counter_operation what, long argument, remote::reply_address to);
const wire::handler_entry& counter_asking();

// To a request on any PE; it keeps the zero if it may.
void answer_counter(key name, remote::reply_address to, long value, bool may_keep);
// PE `to` keeps a zero of that name no more, and says so if that is asked for.
void send_forget(pe_id to, key name, bool say_so);

// At any home; past.
void end_counter(key name);

}  // namespace tsubu::data
