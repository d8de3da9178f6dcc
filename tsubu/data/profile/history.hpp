// What has been done to a variable, and what that would have cost under each protocol.
//
// The home sees the accesses in their order, or as runs: what a PE has done with a copy is told when the copy is put
// invalidated or comes back. For each protocol a history keeps who would have what, and adds up the messages that the
// next run would have needed: so the costs can be compared, whichever protocol the variable really has. Reads of
// several PEs between two writes are taken as mixed: a mobile value would have gone to and fro.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tsubu/data/protocol.hpp"
#include "tsubu/data/variables/pe_set.hpp"

namespace tsubu::data {

// What messages cost, for comparisons. The defaults are assumed: threads or one node of an MPI.
struct message_figures {
  double round_trip_ns = 600;  // somebody waits for it
  double message_ns = 60;      // to send and to execute one
  double byte_ns = 0.1;
};

struct traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t round_trips = 0;  // one after the other, of who waits

  double time_ns(const message_figures& f) const {
    return static_cast<double>(round_trips) * f.round_trip_ns + static_cast<double>(messages) * f.message_ns +
           static_cast<double>(bytes) * f.byte_ns;
  }
  traffic& operator+=(const traffic& t) {
    messages += t.messages;
    bytes += t.bytes;
    round_trips += t.round_trips;
    return *this;
  }
  // What was added since it was `before`.
  traffic since(const traffic& before) const {
    return {messages - before.messages, bytes - before.bytes, round_trips - before.round_trips};
  }
};

// The protocols that are compared, the first ones of the enum.
inline constexpr std::size_t compared_protocols = 4;
using traffic_by_protocol = std::array<traffic, compared_protocols>;

// What runs cost by themselves: under each protocol, and under what the variable had. Who waits for a write is not
// always who waits for a read.
struct run_cost {
  struct of_kind {
    traffic_by_protocol under{};
    traffic spent;
  } reads, writes;
};

class site;     // profile.hpp
class request;  // directory_entry.hpp

class history {
 public:
  // declared_at: where its variable was; null: nobody wants to know.
  history(bool adapts, data::site* declared_at) : site_(declared_at), adapts_(adapts) {}
  history(const history&) = delete;
  history& operator=(const history&) = delete;

  data::site* declared_at() const { return site_; }
  // From then on nobody wants to know.
  data::site* leave_site() { return std::exchange(site_, nullptr); }

  // `who` reads and then writes so many times, and nobody else in between. `bytes`: of the value. What the home has
  // done since is added before, and what each costs to `of_home` and `of_who`, if they are not null.
  void add(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::size_t bytes,
           protocol present = protocol::global, run_cost* of_home = nullptr, run_cost* of_who = nullptr);

  bool adapts() const { return adapts_; }
  void set_adapts(bool adapts) { adapts_ = adapts; }
  // Another protocol, if the last runs would have been much cheaper under it, twice in a row; else `now`.
  protocol better_than(protocol now, const message_figures& f);

  const traffic_by_protocol& costs() const { return all_; }
  // Under the protocols that it had: add() takes the run as one under `present`.
  const traffic& spent() const { return spent_; }
  std::size_t bytes() const { return bytes_; }  // of the value, when it was last used from elsewhere

  // What the home has done since the last run of another PE: counted only, since that is much and costs nothing.
  std::uint64_t home_reads = 0;
  std::uint64_t home_writes = 0;
  std::int64_t noted_ns = 0;  // when it was last added to, for a profile

  request* waiting = nullptr;  // the directory entry's, which has a word for one of both

 private:
  static constexpr std::uint32_t window = 24;  // runs, until the protocols are compared
  static constexpr double much_cheaper = 0.7;  // of the time of the present one
  void add_run(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::size_t bytes, protocol present,
               run_cost* cost);
  void add_accesses(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::uint64_t moves,
                    std::size_t bytes, protocol present, run_cost::of_kind* cost);
  void global(pe_id home, pe_id who, std::uint64_t accesses, std::size_t bytes);
  void mobile(pe_id home, pe_id who, std::uint64_t moves, std::size_t bytes);
  void update(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::size_t bytes);
  void invalidate(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::size_t bytes);
  traffic& of(protocol p) { return all_[static_cast<std::size_t>(p)]; }

  traffic_by_protocol all_{};
  traffic_by_protocol before_{};  // when the window began
  // Who would have what.
  pe_set update_copies_;
  pe_set invalidate_copies_;
  pe_id invalidate_owner_ = no_pe;  // no_pe: the value is at home
  pe_id mobile_at_ = no_pe;         // no_pe: at home
  pe_id reader_ = no_pe;            // of the reads since the last write, the last reader
  bool readers_ = false;            // they were several
  traffic spent_;
  std::size_t bytes_ = 0;
  data::site* site_;
  bool adapts_;
  protocol wanted_ = protocol::global;  // by the last window
  bool wanted_once_ = false;
  std::uint32_t runs_ = 0;  // in this window
};

}  // namespace tsubu::data
