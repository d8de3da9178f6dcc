// What a PE records of the use of shared data, by the place of declaration: for a profile, and for what adaptive
// variables have chosen.
//
// A variable that is recorded has a history, which its home keeps; when it ends, or the job does, that is added to what
// is known of its site. Reads of copies that are never invalidated are told to the homes at the end of the job, so
// that the histories have all. A PE without a profile (data_space::recorded is null) does nothing of this.
//
// How much faster a job would be is reckoned from the time for which each PE really waited between the meetings of all
// PEs (predicted_gain.hpp): that shrinks as the cost of messages does.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <typeindex>
#include <vector>

#include "tsubu/data/profile/declared.hpp"
#include "tsubu/data/profile/phases.hpp"
#include "tsubu/data/profile/usage.hpp"
#include "tsubu/data/settings.hpp"
#include "tsubu/data/variables/directory_entry.hpp"
#include "tsubu/remote/collectives/collective_box.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::data {

// Where variables are declared: in a line of the program, of a type. Of the file, its name without folders.
struct place {
  std::string file;
  std::uint32_t line;
  std::string type;
  bool array;

  auto operator<=>(const place&) const = default;
};

// What a PE has done to what is declared somewhere.
struct use_by_pe {
  usage used;
  run_cost cost;
};

// A place of declaration, and what this PE knows of the use of what is declared there and has its home here.
class site {
 public:
  site(place of, protocol first, pe_id on) : where(std::move(of)), declared(first), me(on) {}

  // A run of accesses between those times. The home hears of many at once when they are over. Returns to what their
  // cost is added, for who waits; null if there were none.
  run_cost* seen(pe_id who, std::uint64_t reads, std::uint64_t writes, std::int64_t from_ns, std::int64_t to_ns);
  // A variable that was declared here has this behind it.
  void add(history& h, protocol how);

  const place where;
  const protocol declared;  // the first time
  const pe_id me;
  std::optional<protocol> best;  // by the profile that is used
  bool unknown = false;          // to it
  std::uint64_t count = 0;       // variables, or elements
  std::array<std::uint64_t, protocols> present{};
  traffic_by_protocol costs{};
  traffic spent;
  std::map<pe_id, use_by_pe> by_pe;
};

class profile final : remote::meeting_watcher {
 public:
  // As this PE was configured; null if nothing is to be recorded.
  static std::unique_ptr<profile> wanted_here();
  profile(const profile_settings& settings, pe_id me);
  profile(const profile&) = delete;
  profile& operator=(const profile&) = delete;
  ~profile();

  // A variable is being made; so many elements of an array here.
  void declare(directory_entry& entry, protocol how, const std::source_location& where);
  data::declared declare_array(const value_type& t, protocol how, const std::source_location& where,
                               std::uint64_t elements);

  // A run of accesses to a variable with a history, whose home is this PE.
  static void note(directory_entry& entry, pe_id who, std::uint32_t reads, std::uint32_t writes);

  // What a floor above has recorded, as JSON, becomes a part of the file, under a name that is none of ours. On PE 0.
  void add_part(const std::string& name, std::string json) { parts_[name] = std::move(json); }
  const std::map<std::string, std::string>& parts() const { return parts_; }

  std::int64_t settled_ns = 0;  // when the programs had ended, from the job's beginning

  // A task of this PE begins to wait for shared data; and has what it waited for, perhaps from another PE.
  void begin_wait(wait_kind what);
  void end_wait(wait_kind what, bool from_another);
  // For so long this PE's tasks have waited, and none of them has run.
  const waited& waited_ns() const { return waited_ns_; }
  // The shortest wait for another PE, of one task alone; 0: there was none.
  std::int64_t shortest_wait_ns() const { return shortest_wait_ns_; }
  // The programs have ended.
  void end_last_phase();
  const data::phases& phases() const { return phases_; }

  const profile_settings& settings() const { return settings_; }
  template <class F>
  void for_each_site(F f) const {
    for (const auto& [at, s] : sites_) f(s);
  }

 private:
  using key_of_site = std::tuple<std::string_view, std::uint32_t, std::type_index, bool>;
  bool records(protocol how) const { return !settings_.file.empty() || how == protocol::adaptive; }
  data::declared declare(const value_type& t, protocol how, const std::source_location& where, bool array,
                         std::uint64_t count);
  site* find_site(const value_type& t, protocol how, const std::source_location& where, bool array);

  const profile_settings settings_;
  const pe_id me_;
  std::map<key_of_site, site> sites_;
  std::map<std::string, std::string> parts_;

  void arrive(std::uint32_t kind) override;
  void go_on() override;
  void end_phase(std::uint32_t kind, bool idle_too);
  void account_waits();

  std::array<int, wait_kinds> waits_{};  // of tasks, now
  std::int64_t accounted_ns_ = 0;        // until then, in without_tasks_ns()
  waited waited_ns_{};
  std::int64_t alone_since_ns_ = 0;  // one task waits, and none has begun to meanwhile; 0: it is not so
  std::int64_t shortest_wait_ns_ = 0;

  data::phases phases_;
  int at_meetings_ = 0;  // tasks
  // When the phase began.
  std::int64_t phase_since_ns_ = 0, phase_since_without_tasks_ns_ = 0;
  waited phase_since_waited_ns_{};
};

}  // namespace tsubu::data
