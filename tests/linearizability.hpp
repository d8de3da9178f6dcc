// Can a history of accesses to one variable be explained by one order, in which each takes place at one moment between
// its call and its return?
//
// The search of J. M. Wing and C. Gong ("Testing and verifying concurrent objects", 1993), with G. Lowe's memory of
// what has been tried ("Testing for linearizability", 2017): a set of accesses that have had their turn, and the value
// after them, are looked at once.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tsubu::test {

// An access to a variable of a long. Calls and returns are numbered by one clock.
struct recorded_access {
  enum class kind { read, write, add } what;
  long argument;  // written or added
  long result;    // read, or the value after the addition
  int pe;
  std::int64_t called;
  std::int64_t returned = never;  // never: nobody waits for it; it may take place at any later moment

  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
};

using history_of_accesses = std::vector<recorded_access>;

class order_search {
 public:
  static constexpr std::size_t most = 64;  // accesses of a history

  order_search(const history_of_accesses& all, long initial) : all_(all), found_(search(0, initial)) {}
  bool found() const { return found_; }

 private:
  // The rest of the history, from a value, without those in `done`. What nobody waits for may be left out.
  bool search(std::uint64_t done, long value) {
    std::int64_t first_return = recorded_access::never;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if ((done >> i & 1) == 0 && all_[i].returned < first_return) first_return = all_[i].returned;
    }
    if (first_return == recorded_access::never) return true;
    if (!tried_.insert({done, value}).second) return false;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const recorded_access& a = all_[i];
      if ((done >> i & 1) != 0 || a.called >= first_return) continue;
      long after = value;
      if (a.what == recorded_access::kind::write) after = a.argument;
      if (a.what == recorded_access::kind::add) after += a.argument;
      const bool tells = a.what == recorded_access::kind::read ||
                         (a.what == recorded_access::kind::add && a.returned != recorded_access::never);
      if (tells && a.result != after) continue;
      if (search(done | std::uint64_t{1} << i, after)) return true;
    }
    return false;
  }

  const history_of_accesses& all_;
  std::set<std::pair<std::uint64_t, long>> tried_;
  bool found_;
};

// At most 64 accesses.
inline bool linearizable(const history_of_accesses& all, long initial) { return order_search(all, initial).found(); }

// A line for each access, in the order of their calls.
inline std::string described(history_of_accesses all) {
  std::string text;
  for (const recorded_access& a : all) {
    const char* const names[] = {"reads", "writes", "adds"};
    text += "  " + std::to_string(a.called) + " to " +
            (a.returned == recorded_access::never ? "?" : std::to_string(a.returned)) + ": PE " + std::to_string(a.pe) +
            " " + names[static_cast<int>(a.what)];
    if (a.what != recorded_access::kind::read) text += " " + std::to_string(a.argument);
    if (a.what != recorded_access::kind::write && a.returned != recorded_access::never) {
      text += ": " + std::to_string(a.result);
    }
    text += '\n';
  }
  return text;
}

}  // namespace tsubu::test
