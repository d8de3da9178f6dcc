// What a PE does ahead while it is idle: it expects messages, and prepares what receiving them would begin with.
//
// After Iwamoto, Sawada, Ootsu, Yoshinaga and Baba (1997), whose A-NET predicts in firmware. A message that comes is
// only noted. When the PE has nothing to do, it compares what has come with what it had expected, learns from it, and
// does ahead what the handlers' ahead_functions know to do: a handler's code, an object's place in the table of names,
// and its lines are fetched into the cache, or a pure function is called.
//
// Memory takes about as long as a lone message's way, and nothing may wait for it: a message that comes meanwhile would
// wait, too. So a PE looks a few messages ahead. Whenever it is idle it asks for one more, and does one part for each
// that it knows already; what a part has asked for is there when the PE is idle again. Only after a prediction that was
// wrong does it do several parts for the next message in one idle time, with a look for arrivals after each.
//
// A wrong prediction costs time and nothing else: nothing that a program sees is changed before the message is there.
// What a pure function has returned is kept until the next message, and forgotten if that is another one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/message/kept_result.hpp"
#include "tsubu/message/noted_message.hpp"
#include "tsubu/message/predictor.hpp"
#include "tsubu/message/run_reader.hpp"

namespace tsubu::message {

struct prediction_settings {
  scheme how = scheme::off;
  bool only_worthwhile = false;  // not where the PE will, as it seems, be idle for less time than that takes
  std::string record;            // the trace is written to this and the PE's number; empty: none is
  std::string follow;            // the trace of an earlier run is read from there
  bool force = false;            // a trace may replace a file that is none
  bool wanted() const { return how != scheme::off || !record.empty(); }
};

struct prediction_counts {
  std::uint64_t arrivals = 0;    // batches for which the PE was idle
  std::uint64_t expected = 0;    // of them, those whose first message it had predicted
  std::uint64_t hits = 0;        // and rightly
  std::uint64_t late = 0;        // of the hits, those that came before all was prepared
  std::uint64_t prepared = 0;    // parts that were done ahead
  std::uint64_t wasted = 0;      // of them, for messages that did not come when they were expected
  std::uint64_t called = 0;      // pure functions
  std::uint64_t used = 0;        // of their results
  std::uint64_t declined = 0;    // times that it was not worthwhile
  std::uint64_t overlooked = 0;  // messages that were not noted, since too many came before the PE was idle
};

class prediction {
 public:
  // Ends the job if a trace is not there, or is of another program. `reader` has all handlers.
  prediction(const prediction_settings& how, const run_reader& reader, pe_id me);
  ~prediction();

  // A batch is about to be executed.
  void arrived(std::span<const std::byte> batch, pe_id from);
  // It has been, or a task has run: what had been computed for the next message is forgotten.
  void forget() { kept_ = nullptr; }
  // There is nothing to do. Does some of what can be done; false: there is no more, until something arrives.
  bool idle();

  // As endpoint says.
  void keep(const wire::handler_entry& of, std::unique_ptr<kept_result> result);
  std::unique_ptr<kept_result> take(const wire::handler_entry& of) {
    return kept_of_ == &of ? std::exchange(kept_, nullptr) : nullptr;
  }
  void used() { ++counts_.used; }

  const prediction_counts& counts() const { return counts_; }

  // Writes the trace, if one is recorded.
  void finish();

 private:
  struct arrival {
    noted_message message;
    bool ended_idleness;
  };
  // A message that is expected.
  struct foreseen {
    noted_message message;
    std::uint64_t id;
    const wire::ahead_functions* ahead;  // null: there is nothing to prepare, or no more
    int parts;                           // that have been done
  };

  [[gnu::noinline]] void note_all(std::span<const std::byte> batch, pe_id from, bool ended_idleness);
  void note(const wire::run& packets, const wire::handler_entry& handler, bool ended_idleness);
  void note_one(const wire::handler_entry& handler, pe_id from, const std::byte* at, std::size_t bytes,
                bool ended_idleness);
  void begin_idleness();
  void learn_one();
  bool was_foreseen(const arrival& a, std::uint64_t id);
  bool worthwhile();
  bool do_parts();
  void prepare(foreseen& f);
  void look_further();
  void compute_next();
  void start_again();
  foreseen& nth(std::size_t n) { return foreseen_[(first_ + n) % most_foreseen]; }

  static constexpr std::size_t most_arrivals = 64;
  static constexpr std::size_t most_foreseen = 4;  // one more than an object's message has parts

  const prediction_settings how_;
  const run_reader reader_;
  const pe_id me_;
  std::unique_ptr<predictor> predictor_;  // null: a trace is recorded and nothing predicted

  // Noted and not yet learned: a ring, from learned_ to noted_.
  std::array<arrival, most_arrivals> arrivals_;
  std::uint64_t noted_ = 0, learned_ = 0;

  // The messages that are expected next, in order: a ring. `end_` is the place behind the last of them.
  std::array<foreseen, most_foreseen> foreseen_;
  std::size_t first_ = 0, count_ = 0;
  predictor::place end_;
  bool asked_ = false;  // what is expected at end_ has been fetched

  bool idle_ = false;
  bool done_ = false;      // nothing more can be done in this idle time
  bool learns_ = false;    // what came is learned first
  bool ready_ = false;     // the first message was prepared when the last batch came
  bool expects_ = false;   // there was a first message then
  bool computed_ = false;  // for the first message, in this idle time

  std::unique_ptr<kept_result> kept_;
  const wire::handler_entry* kept_of_ = nullptr;

  // For only_worthwhile, in ticks: how long the PE was idle behind a message of each handler, and what it takes to
  // prepare all. Running means.
  std::uint64_t idle_since_ = 0, spent_ = 0;
  std::uint16_t idle_behind_ = 0;  // the handler of the last message
  std::vector<float> idle_ticks_;
  float preparing_ticks_ = 0;

  std::vector<noted_message> recorded_;
  prediction_counts counts_;
};

}  // namespace tsubu::message
