// Promise: a message takes what the steps of its kind say, and the sender's leaving its task comes behind; a whole
// message is as long as its header and its arguments; a task that goes on takes what that takes, a message by which
// none does takes nothing of it; what was done ahead is taken off the receiving of a message that came as predicted,
// and off no other, and delays none by more than it takes. Method: times are calculated here, beside the player. Each
// message is handed over to a program that does nothing.
#include "tsubu/sim/protocol.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace tsubu::sim {
namespace {

constexpr std::int64_t ns = 1000, sending = 10 * ns, flight_ps = 50 * ns, receiving = 100 * ns, leaving = 30 * ns;
constexpr std::int64_t log_ps = 3 * ns, ahead = 20 * ns, hit = 5 * ns, miss = 7 * ns;

constexpr message_facts tell{message_kind::past, 2, 1}, tell_else{message_kind::past, 2, 2};
constexpr message_facts ask{message_kind::request, 2, 3};

machine simple() {
  using what = step::what;
  machine m;
  m.name = "simple";
  m.clock_ps = ns;
  m.word_bytes = 5;
  m.network.latency = flight_ps;
  m.protocols["past"] = {{what::sender, sending}, {what::packet}, {what::receiver, receiving}};
  m.protocols["request"] = {
      {what::sender, sending}, {what::packet}, {what::receiver, receiving}, {what::leave, leaving}};
  m.prediction = {.known = true,
                  .log = log_ps,
                  .only_counted = 0,
                  .miss_earns = false,
                  .size = {.ahead = ahead, .hit = hit, .miss = miss},
                  .selector = {.ahead = 2 * ahead, .hit = 2 * hit, .miss = 2 * miss}};
  return m;
}

// Two PEs.
class bench {
 public:
  explicit bench(const machine& m, predicted expects = predicted::nothing)
      : machine_(m),
        wires_(machine_, 2),
        player_(machine_, 2, wires_, expects,
                {.hand_over =
                     [this](const flight& f, std::int64_t ps) {
                       if (task_goes_on_by == handed_over.size()) ++tasks_run_;
                       handed_over.push_back(ps);
                       player_.begin(f.to, ps);
                     },
                 .account = [this](pe_id pe) -> breakdown& { return accounts[pe]; },
                 .delay = [] { return 0; },
                 .tasks_run = [this](pe_id) { return tasks_run_; }}) {}

  // PE 0 sends these to PE 1 in one activity, from `ps` on, and works then.
  void send(std::int64_t ps, const std::vector<message_facts>& messages, std::int64_t work_ps = 0) {
    move_until(ps);
    for (const message_facts& facts : messages) add(0, facts);
    player_.add_work(0, work_ps);
    player_.begin(0, ps);
  }
  // PE 1 answers.
  void answer(std::int64_t ps) {
    move_until(ps);
    add(1, {message_kind::reply, 1, 4});
    player_.begin(1, ps);
  }
  void move_until(std::int64_t ps) {
    while (player_.next_ps() <= ps && player_.next_ps() != network::no_time) player_.move();
  }
  // When PE 1's program has got each.
  const std::vector<std::int64_t>& end() {
    move_until(network::no_time - 1);
    return handed_over;
  }
  const predictor& expected() const { return *player_.expected(1); }

  std::size_t task_goes_on_by = SIZE_MAX;  // the message of that number
  std::vector<std::int64_t> handed_over;
  std::map<pe_id, breakdown> accounts;

 private:
  void add(pe_id from, const message_facts& facts) {
    flight f{};
    f.from = from;
    f.to = 1 - from;
    player_.add_message(f, facts);
  }

  machine machine_;
  network wires_;
  protocol_player player_;
  std::uint64_t tasks_run_ = 0;
};

using times = std::vector<std::int64_t>;
constexpr std::int64_t alone = sending + flight_ps + receiving;

TEST(protocol, the_sender_leaves_its_task_behind_what_it_sends) {
  bench b(simple());
  b.send(0, {ask, tell});
  // The second waits for its receiver: it is there at 10 + 30 + 10 + 50, before the first is done.
  EXPECT_EQ(b.end(), (times{alone, alone + receiving}));
  EXPECT_EQ(b.accounts[0].sending, 2 * sending);
  EXPECT_EQ(b.accounts[0].switching, leaving);

  bench apart(simple());
  apart.send(0, {ask});
  apart.send(sending + 1, {tell});  // while it still leaves
  EXPECT_EQ(apart.end(), (times{alone, alone + receiving}));
  machine idle = simple();
  idle.protocols["request"].back().ps = 500 * ns;
  bench late(idle);
  late.send(0, {ask});
  late.send(sending + 1, {tell});
  EXPECT_EQ(late.end(), (times{alone, sending + 500 * ns + alone}));
}

// A future: its task works, and leaves only if its answer has not come by then.
TEST(protocol, a_task_is_left_when_it_must_wait) {
  constexpr std::int64_t resuming = 40 * ns, work = 1000 * ns;
  machine m = simple();
  m.protocols["reply"] = {{step::what::sender, sending},
                          {step::what::packet},
                          {step::what::receiver, receiving},
                          {step::what::resume, resuming}};
  for (const std::int64_t answered_ps : {work / 2, 2 * work}) {
    const bool in_time = answered_ps < work;
    bench b(m);
    b.send(0, {ask}, work);
    b.answer(answered_ps);
    b.task_goes_on_by = 1;
    const std::int64_t there = in_time ? sending + work : answered_ps + sending + flight_ps;
    EXPECT_EQ(b.end(), (times{alone, there + receiving}));
    EXPECT_EQ(b.accounts[0].switching, in_time ? 0 : leaving + resuming);
    EXPECT_EQ(b.accounts[0].working, work);
  }
}

TEST(protocol, a_whole_message_is_as_long_as_header_and_arguments) {
  machine m = simple();
  m.network.sender.byte_fs = 1'000'000;  // a byte takes a nanosecond
  bench word(m);
  word.send(0, {tell});
  EXPECT_EQ(word.end(), times{alone + 5 * ns});
  m.protocols["past"][1].header_words = 6;
  bench whole(m);
  whole.send(0, {tell});
  EXPECT_EQ(whole.end(), times{alone + (6 + 2) * 5 * ns});
}

TEST(protocol, the_second_of_two_lets_a_task_go_on) {
  constexpr std::int64_t resuming = 40 * ns;
  machine m = simple();
  m.protocols["past"].push_back({step::what::resume, resuming});
  bench b(m);
  b.task_goes_on_by = 1;
  b.send(0, {tell, tell, tell, tell});
  EXPECT_EQ(b.end(),
            (times{alone, alone + receiving, alone + 2 * receiving + resuming, alone + 3 * receiving + resuming}));
  EXPECT_EQ(b.accounts[1].switching, resuming);
}

constexpr std::int64_t later = 10'000 * ns;

TEST(protocol, a_predicted_message_is_received_sooner) {
  for (const predicted what : {predicted::size, predicted::selector}) {
    const int times_dearer = what == predicted::size ? 1 : 2;
    bench b(simple(), what);
    for (int i = 0; i < 3; ++i) b.send(i * later, {tell});
    const std::int64_t hit_ps = alone + log_ps + (hit - ahead) * times_dearer;
    EXPECT_EQ(b.end(), (times{alone + log_ps, later + hit_ps, 2 * later + hit_ps}));
    EXPECT_EQ(b.expected().hits(), 2U);
  }
}

TEST(protocol, another_one_than_predicted_takes_longer) {
  for (const bool earns : {false, true}) {
    machine m = simple();
    m.prediction.miss_earns = earns;
    bench b(m, predicted::selector);
    b.send(0, {tell});
    b.send(later, {tell_else});
    EXPECT_EQ(b.end()[1], later + alone + log_ps + 2 * (miss - (earns ? ahead : 0)));
    EXPECT_EQ(b.expected().misses(), 1U);
    bench same_size(m, predicted::size);
    same_size.send(0, {tell});
    same_size.send(later, {tell_else});
    EXPECT_EQ(same_size.end()[1], later + alone + log_ps + hit - ahead);
  }
}

TEST(protocol, no_more_is_done_ahead_than_there_is_to_do) {
  machine m = simple();
  m.protocols["past"].back().ps = ahead / 2;
  bench b(m, predicted::size);
  b.send(0, {tell});
  b.send(later, {tell});
  EXPECT_EQ(b.end()[1], later + sending + flight_ps + hit + log_ps);
}

TEST(protocol, what_comes_while_things_are_done_ahead_waits) {
  bench b(simple(), predicted::size);
  b.send(0, {tell});
  // Idle from there on; the next one comes a nanosecond later.
  const std::int64_t idle = alone + log_ps;
  b.send(idle + ns - flight_ps - sending, {tell});
  EXPECT_EQ(b.end(), (times{idle, idle + ahead + hit + log_ps + receiving - ahead}));
  EXPECT_EQ(b.expected().hits(), 1U);
}

TEST(protocol, a_pe_that_is_never_idle_logs_and_predicts_nothing) {
  const std::vector<message_facts> many(50, tell);
  bench without(simple()), with(simple(), predicted::size);
  without.send(0, many);
  with.send(0, many);
  times plain = without.end();
  std::int64_t logged_ps = 0;
  for (std::int64_t& ps : plain) ps += logged_ps += log_ps;
  EXPECT_EQ(with.end(), plain);
  EXPECT_EQ(with.expected().hits() + with.expected().misses(), 0U);
}

}  // namespace
}  // namespace tsubu::sim
