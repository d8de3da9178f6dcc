// The named barriers whose home is this PE: who has come, and who waits for the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tsubu/data/sync/named_table.hpp"
#include "tsubu/data/sync/sync_wait.hpp"
#include "tsubu/remote/messages/reply.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::data {

class barrier_record {
 public:
  barrier_record(key name, std::uint32_t arrivals) : name_(name), arrivals_(arrivals) {}
  barrier_record(const barrier_record&) = delete;
  barrier_record& operator=(const barrier_record&) = delete;

  // One more. True if that was the last: those who wait are told, and it begins anew.
  bool arrive();
  // Who has arrived with that waits for the rest.
  void wait(remote::reply_address to) { waiting_.push_back(to); }

  bool is_waited_for() const { return arrived_ != 0; }
  // "barrier 1 of PE 0 has 2 arrivals of 4, and who waits: PE 1, PE 2"
  std::string report() const;

 private:
  // Fewer than arrivals_ have arrived, and no more of them wait.
  const key name_;
  const std::uint32_t arrivals_;
  std::uint32_t arrived_ = 0;
  std::vector<remote::reply_address> waiting_;
};

class barrier_home {
 public:
  barrier_home();

  // Ends the job if there is none.
  barrier_record& find(key name, pe_id from, const char* what) const;
  void end(key name, pe_id from);

  const pe_id me;
  named_table<barrier_record> barriers;
};
inline const pe_local<barrier_home> barrier_homes;

// At any home; past. With a slot, it is told of the last arrival.
void arrive_at_barrier(key name);
void ask_barrier(key name, remote::reply_address to);  // the home is another PE
const wire::handler_entry& barrier_asking();
void end_barrier(key name);

}  // namespace tsubu::data
