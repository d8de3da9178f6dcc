// Machines that send each message by itself, in steps of their own: EM-4 reserves a mailbox, writes the argument words
// into it and then sends its address, each by packets of two words. The steps are the machine file's
// (docs/machines.md).
//
// What a PE's program does from one wait to the next is an *activity*: its work and its messages, one after the other.
// The program's own code has run by then, in no time; its messages are played here. A PE does one thing at a time, in
// the order in which packets for it come: a part of an activity that runs here, or a step of one that runs elsewhere.
// An activity that waits for a packet leaves its PE to others, as hardware that schedules by packets does.
//
// A thread that waits for two answers goes on with the second: hardware that matches them puts the first one away. What
// going on takes is spent when the program has taken a message, by which it is known whether a task goes on.
//
// Where a network interface executes messages by itself, as EM-X's reads and writes of memory, they do not wait for the
// PE, and their answers leave at once.
//
// Messages from one PE to another are handed over in the order in which they were sent, whatever their protocols take;
// but what an interface executes need not wait for answers that were sent before it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/sim/account.hpp"
#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/network.hpp"
#include "tsubu/sim/prediction.hpp"
#include "tsubu/sim/recycled.hpp"
#include "tsubu/sim/trace.hpp"

namespace tsubu::sim {

class protocol_player {
 public:
  struct hooks {
    // A message has arrived and its PE has been made ready for it: the program takes it now.
    std::function<void(const flight& message, std::int64_t ps)> hand_over;
    std::function<breakdown&(pe_id)> account;
    std::function<std::int64_t()> delay;  // by which the next packet comes late
    // What begin_part() began has been played.
    std::function<void(pe_id, std::int64_t ps)> resumes = {};
    // How many times a task has gone on.
    std::function<std::uint64_t(pe_id)> tasks_run = {};
    trace* traced = nullptr;  // may be null
  };
  protocol_player(const machine& of, int pes, network& wires, predicted expects, hooks to);

  // What PE does next in the activity that its program's turn makes. A message goes by the protocol of its kind.
  void add_work(pe_id pe, std::int64_t ps);
  void add_message(const flight& message, const message_facts& facts);
  // The turn is over: what was added begins, as soon as the PE is free.
  void begin(pe_id pe, std::int64_t ps) { begin_next(pe, ps, false); }
  // The same of a turn that will go on when that has been played. False if nothing was added.
  bool begin_part(pe_id pe, std::int64_t ps) { return begin_next(pe, ps, true); }

  // A packet that was given to the network has arrived.
  void arrived(const flight& packet);

  std::int64_t next_ps() const { return events_.empty() ? network::no_time : events_.top().ps; }
  void move();  // does what is next, at next_ps()

  // What PE expected of its messages; null if nothing is predicted.
  const predictor* expected(pe_id pe) const {
    return predictors_.empty() ? nullptr : &predictors_[static_cast<std::size_t>(pe)];
  }

 private:
  struct message {
    flight f{};
    const std::vector<step>* steps = nullptr;
    message_facts facts;
    const char* kind = "";
    // How many its sender had sent to its receiver before it.
    std::uint64_t answers = 0, others = 0;
    bool is_answer = false;
    std::int64_t interface_ps = pe_executes;  // else by its receiver's interface
  };
  static constexpr std::int64_t pe_executes = -1;
  struct activity {
    struct part {
      std::int64_t work_ps;
      message* sends;              // null: only work,
      bool goes_on_first = false;  // or what it takes a task to go on
    };
    pe_id home = no_pe;
    std::vector<part> parts;
    std::size_t part_now = 0;
    std::size_t step_now = 0;  // of the message of that part
    bool resumes = false;      // the program goes on behind it,
    std::size_t tasks = 1;     // else so many may wait then
  };
  // What travels: something on behalf of an activity, which waits for it (`asks`); a word for the receiver's memory; or
  // a message.
  struct packet {
    activity* asks = nullptr;
    bool back = false;
    message* brings = nullptr;
    std::int64_t memory_ps = 0;
    std::size_t words = 1;
  };
  // What a PE shall do, in turn: one of these.
  struct job {
    packet* arrived = nullptr;
    activity* begins = nullptr;
    message* ready = nullptr;  // to be handed over
  };
  struct pair {
    std::uint64_t answers_sent = 0, others_sent = 0;
    std::uint64_t answers_handed_over = 0, others_handed_over = 0;
    std::vector<message*> early;  // have come before one that was sent before them
    // Whether all that it has to wait for have been handed over.
    bool lets(const message& m) const {
      const bool waits_for_answers = m.interface_ps == pe_executes;
      return m.others <= others_handed_over && (!waits_for_answers || m.answers <= answers_handed_over);
    }
  };
  struct processor {
    pe_id number = no_pe;
    bool busy = false;
    bool hands_over = false;  // busy with a message that the program takes now
    std::deque<job> waiting;
    int activities_waiting = 0;  // of these
    activity* next = nullptr;    // that the program's turn makes
    // While the program takes a message: what it takes a task to go on by that, and what there was before.
    std::int64_t resume_ps = 0;
    bool takes_reply = false;
    std::uint64_t tasks_run_before = 0;
    std::size_t parts_before = 0;  // of `next`
    // On machines that leave a task by a step of its own: the requests whose answers the program has not got, and the
    // tasks that have been left. A task whose answer has come by the time that it needs it is not left, nor resumed.
    std::size_t unanswered = 0, left = 0;
    std::uint64_t tasks_run_played = 0;
    std::int64_t interface_free_ps = 0;
    std::vector<message*> from_interface;  // answers that the turn makes
    std::unordered_map<pe_id, pair> to;
  };
  struct event {
    std::int64_t ps;
    std::uint64_t number;
    pe_id pe;
    flight* leaves = nullptr;        // else
    packet* arrives = nullptr;       // else
    message* handed_over = nullptr;  // else the PE is free,
    bool resumes = false;            // and its program goes on,
    std::size_t tasks = 0;           // or so many tasks that it has run may wait
    bool operator>(const event& other) const { return ps != other.ps ? ps > other.ps : number > other.number; }
  };

  const std::vector<step>& steps_of(message_kind kind, bool to_new) const;
  message* make_message(processor& p, const flight& f, const std::vector<step>& steps, const message_facts& facts);
  void release_early(processor& p, pair& way, std::int64_t ps);
  bool begin_next(pe_id pe, std::int64_t ps, bool resumes);
  void add_resumption(processor& p);
  std::int64_t leave_tasks(processor& p, std::size_t tasks, std::int64_t ps);
  void take(processor& p, std::int64_t ps);
  void rest(processor& p, std::int64_t ps);
  std::int64_t receive(processor& p, const message& m, std::int64_t ps);
  void hand_over(processor& p, message* m, std::int64_t ps);
  void serve_by_interface(processor& p, packet* arrived, std::int64_t ps);
  processor& at(pe_id pe) { return pes_[static_cast<std::size_t>(pe)]; }
  activity& next_of(processor& p);
  void play(processor& p, activity* a, std::int64_t ps);
  void serve(processor& p, const job& j, std::int64_t ps);
  void send(const packet& sent, pe_id from, pe_id to, std::int64_t ps, const char* kind);
  void queue(processor& p, job j, std::int64_t ps);
  void hold(processor& p, std::int64_t until_ps, message* hands_over = nullptr, bool resumes = false,
            std::size_t tasks = 0);
  void spend(pe_id pe, std::int64_t breakdown::* on, std::int64_t from_ps, std::int64_t ps, const char* what);

  const machine& machine_;
  network& network_;
  hooks to_;
  std::vector<step> plain_;   // of kinds that the machine has no protocol for
  std::vector<step> answer_;  // of the answer to a read, which the read's protocol describes
  bool interface_answers_ = false;
  std::int64_t leave_ps_ = 0;  // a task that waits for the answer to a request
  std::vector<processor> pes_;
  machine::predicting predicting_;     // what a prediction takes
  std::vector<predictor> predictors_;  // empty: nothing is predicted
  recycled<message> messages_;
  recycled<activity> activities_;
  recycled<packet> packets_under_way_;
  recycled<flight> leaving_;
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  std::uint64_t numbers_ = 0;
  std::uint64_t packets_ = 0;  // sent so far, by all PEs: their numbers
};

}  // namespace tsubu::sim
