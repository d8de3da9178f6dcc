// Teams: some PEs of the job, in an order of their own.
//
//   const team row = co_await world().split(this_pe() / columns);   // every member calls it
//   double sum = co_await all_reduce(row, x, reduce::plus);         // collectives.hpp
//   co_await everywhere(row).past<refill>(n);                       // at.hpp: not only members
//   co_await epoch(row, body);                                      // team_epoch.hpp
//
// A member has a rank in its team: 0, 1, ... A `team` is a value: copied like a pointer, compared, and sent, as an
// argument or inside one. The last copy on a PE that goes takes the PE's record of the team along. So who calls
// collectives of a team keeps a copy of the one that split() has given it.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/collectives/teams.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

namespace remote {

// An integer of any type, or std::nullopt. A compiler makes a std::optional<int> of any number, without a word.
class team_colour {
 public:
  team_colour(std::nullopt_t) {}
  template <std::integral I>
  team_colour(I colour) : value_(checked(colour)) {}
  template <std::integral I>
  team_colour(std::optional<I> colour) {
    if (colour) value_ = checked(*colour);
  }
  std::optional<std::int64_t> value() const { return value_; }

 private:
  template <std::integral I>
  static std::int64_t checked(I colour) {
    const auto value = static_cast<std::int64_t>(colour);
    require(value >= 0 || std::is_signed_v<I>, "the colour of a team is 2^63 or more");
    return value;
  }

  std::optional<std::int64_t> value_;
};

}  // namespace remote

// A copy belongs to its PE.
// Local; split() is collective and blocks until every member has called it; whoever asks team() anything but whether it
// is one ends the job.
class team {
 public:
  // No team: what split() gives to who is in none. It may be copied, compared and sent, and used for nothing else.
  team() = default;
  team(const team& other) : part_(other.part_) {
    if (part_ != nullptr) ++part_->uses;
  }
  team(team&& other) noexcept : part_(std::exchange(other.part_, nullptr)) {}
  team& operator=(team other) noexcept {
    std::swap(part_, other.part_);
    return *this;
  }
  ~team() {
    if (part_ != nullptr && --part_->uses == 0) remote::release(*part_);
  }
  explicit operator bool() const { return part_ != nullptr; }

  // Local, and without messages.
  pe_id size() const { return part().members.size(); }
  // This PE's rank; no_pe if it is no member.
  pe_id rank() const { return part().rank; }
  // The PE of that rank: 0 <= rank < size().
  pe_id pe(pe_id rank) const;
  // The rank of a PE; no_pe if it is no member. Where the PEs are not evenly spaced, a search through all.
  pe_id rank_of(pe_id pe) const { return part().members.rank_of(pe); }
  bool has(pe_id pe) const { return rank_of(pe) != no_pe; }
  // For reports: "team 3 of PE 0".
  std::string name() const;

  // Collective over this team; each member waits for all. Members that give the same colour are one new team, ranked
  // by `key`, and by their rank here where keys are equal. A colour is an integer of any type; who gives std::nullopt
  // is in no team, and gets team().
  task<team> split(remote::team_colour colour, int key = 0,
                   std::source_location where = std::source_location::current()) const;

  // The same team. Two that were made by different calls of split() are not, even if they have the same members.
  friend bool operator==(const team& a, const team& b) { return a.part_ == b.part_; }

  // As cereal calls them: a team travels as its name and its members.
  template <class Archive>
  void save(Archive& archive) const {
    if (part_ != nullptr) {
      archive(part_->id.maker, part_->id.number, part_->members);
    } else {
      archive(no_pe, std::uint32_t{0}, remote::team_members());
    }
  }
  // Refuses a team whose members are not those that this PE knows: ends the job.
  template <class Archive>
  void load(Archive& archive) {
    remote::team_id id;
    remote::team_members members;
    archive(id.maker, id.number, members);
    *this = heard_of(id, std::move(members));
  }

  // For the runtime.
  explicit team(remote::team_part& of) : part_(&of) { ++of.uses; }
  remote::team_part& part() const {
    if (part_ == nullptr) [[unlikely]]
      no_team();
    return *part_;
  }

 private:
  [[noreturn, gnu::cold]] static void no_team();
  static team heard_of(remote::team_id id, remote::team_members members);

  remote::team_part* part_ = nullptr;
};

// All PEs of the job; a PE's rank is its number.
// Local; does not block; outside a job it ends the process.
team world();

}  // namespace tsubu
