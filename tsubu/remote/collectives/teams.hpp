// The teams that a PE holds, each once, however many `team` values of the program name it.
//
// A record is made by the split() that made the team, or when a team arrives in a message, and goes with the last value
// that names it. It counts the calls of collectives, so a member that lets a team go has called it for the last time: a
// record that a message makes afterwards does not know the count, and refuses collectives.
#pragma once

#include <cstdint>
#include <string>

#include "tsubu/base/owned.hpp"
#include "tsubu/remote/collectives/team_members.hpp"

namespace tsubu::remote {

class team_table;

// Travels as its bytes. No two teams of a job have the same: its maker counts those that it has made.
struct team_id {
  pe_id maker = no_pe;
  std::uint32_t number = 0;
  bool operator==(const team_id&) const = default;
};
inline constexpr team_id whole_job{0, 0};

// "team 3 of PE 0"; "the whole job"
std::string name_of(team_id id);

// A team on one PE.
struct team_part {
  team_id id;
  team_members members;
  pe_id rank;           // of this PE; no_pe if it is no member
  bool counts_calls;    // a member's, from its split() on
  std::uint32_t calls;  // of collectives, here, so far; modulo 2^32
  std::uint32_t uses;   // by team values
  team_table* table;    // null once the PE has ended
};

class team_table {
 public:
  team_table(pe_id me, pe_id count);
  team_table(const team_table&) = delete;
  team_table& operator=(const team_table&) = delete;
  ~team_table();

  // All PEs of the job.
  team_part& whole() {
    if (whole_ == nullptr) make_whole();
    return *whole_;
  }

  // A number that this PE has not given before. Ends the job when there is none left.
  std::uint32_t next_number();
  // The record of a team that a split() has made, and of one that a message names. Whoever gets it counts its use.
  team_part& add_made(team_id id, team_members members);
  team_part& add_heard_of(team_id id, team_members members);
  // Null if this PE does not hold it, and for the whole job if this PE has done nothing with it.
  const team_part* find(team_id id) const;

  // Records of teams, beside that of the whole job.
  std::size_t size() const;

 private:
  friend void release(team_part& part);
  static std::uint64_t key(team_id id) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(id.maker)) << 32 | id.number;
  }
  void make_whole();
  team_part& add(team_id id, team_members members);
  static void check_members(const team_part& part, const team_members& named);

  pe_id me_;
  pe_id count_;
  std::uint32_t given_ = 0;
  team_part* whole_ = nullptr;  // used by the table itself, too
  struct table;
  const detail::owned<table> parts_;  // by key()
};

// Nobody uses it any more.
void release(team_part& part);

}  // namespace tsubu::remote
