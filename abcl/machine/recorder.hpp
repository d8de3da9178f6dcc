// What happens to the objects of a node, as the events of a sequence chart (abcl/chart/chart.hpp).
//
// The processor tells of its instructions and packets; here they become events: which clause began, what is waited for,
// when it went on. Reservations of boxes and creations are waits of the machine, and are left out. A packet carries a
// mark from the event where it was sent to the one where what it brought is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "abcl/chart/chart.hpp"
#include "abcl/code/code.hpp"
#include "abcl/machine/word.hpp"

namespace abcl::machine {

class recorder {
 public:
  // `now`: the time of the chart. `adds_clocks`: it does not yet know of the clocks that the processor has not told.
  // It keeps `most` events, and counts the others.
  recorder(int node, int nodes, std::function<double()> now, bool adds_clocks, std::size_t most = 100'000);

  std::vector<chart_event> take() { return std::move(events_); }
  std::size_t left_out() const { return left_out_; }

  // ---- of the processor

  // It begins with a packet, and is done with it. A simulated node may execute several before any time passes for
  // others: here one begins when the one before has ended.
  void begins();
  void ends();
  // What it has not told yet, for all that follows.
  void clocks(std::uint64_t untold) { untold_ = untold; }
  // A word is written to a box or a new object, that of number k; `note`: what it is, of code::notes.
  void puts(word box, int k, word value, int note);
  void puts(word box, int k, std::string text);
  // The object (its address) sends; `datum` names the box. Returns the packet's mark; 0: it has none.
  std::uint32_t sends(std::uint32_t object, word to, word datum, const code::selector_info& what, bool express);
  std::uint32_t replies(std::uint32_t object, word to, word datum);
  // `creator`: 0 is the start of the program.
  void creates(std::uint32_t creator, word object, const std::string& of_class);
  // What has been sent with that mark is in the box now.
  void arrives(std::uint32_t box, std::uint32_t mark) { pending_[box] = mark; }
  // The object takes what is in the box; `note`: what that is.
  void takes(std::uint32_t object, std::uint32_t box, int note);
  void links(std::uint32_t object, code::reactive to, int note);
  // Express clauses have ended, and what they interrupted goes on.
  void resumes(std::uint32_t object);
  void asks_outside(std::uint32_t object);
  // By the world outside, or the machine.
  // An object begins, where there may have been another one.
  void starts(std::uint32_t object) { activities_.erase(object); }
  void answered(std::uint32_t object);

 private:
  enum class doing : std::uint8_t { nothing, runs, waits_for_reply, waits_for_message, waits_for_outside };
  // An express clause does something of its own, while what it interrupted stays as it is.
  struct activity {
    doing normal = doing::runs;
    doing express = doing::nothing;
    doing& now() { return express == doing::nothing ? normal : express; }
  };
  struct written {
    int k;
    int note;
    word value;
    std::string text;
  };

  chart_event& add(chart_event::kind what, word object);
  word name(std::uint32_t object) const { return name_of(node_, object); }
  std::uint32_t next_mark();
  // What was written to it, in order; it is forgotten.
  std::vector<written> words_of(word to, word box);
  static void add_values(std::string& text, const std::vector<written>& all, std::size_t none);
  void waits(std::uint32_t object, doing& now, doing for_what);
  void goes_on(std::uint32_t object, doing& now);
  // Whether there was one.
  bool ends_express(std::uint32_t object, activity& a);
  void ends_clause(std::uint32_t object, activity& a);

  const int node_, nodes_;
  const std::function<double()> now_;
  const bool adds_clocks_;
  const std::size_t most_;
  double behind_ = 0;      // how much later it is for the packet than `now` says
  double busy_until_ = 0;  // by the packet before
  std::uint64_t untold_ = 0;
  std::vector<chart_event> events_;
  std::size_t left_out_ = 0;
  chart_event not_kept_;
  std::uint32_t marks_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> pending_;  // marks, by their boxes
  std::unordered_map<std::uint32_t, activity> activities_;    // by objects
  std::unordered_map<word, std::vector<written>> words_;      // of boxes that are being filled, anywhere
};

}  // namespace abcl::machine
