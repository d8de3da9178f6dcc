// An actor of a program of actors (storm.hpp): a method for each way in which a message may come and be answered. It
// checks that messages come in their order, and that none comes while it waits.
#pragma once

#include "tests/actors/book.hpp"
#include "tsubu/remote/messages/remote_error.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::test::actors {

// Sends one message, or two: in some way, to somebody. Waits for nothing.
void send_something(int depth);

inline void check_answer(long answer, long wanted, const char* what) {
  if (answer != wanted)
    complain(std::string(what) + " answers " + std::to_string(answer) + ", not " + std::to_string(wanted));
}
// In a catch: the object had ended, or the duty to reply was with one that had.
inline void no_answer() {
  try {
    throw;
  } catch (const object_gone&) {
    ++books->count.gone_asked;
  } catch (const remote_error& e) {
    if (e.type() != "tsubu::broken_duty") throw;
    ++books->count.broken;
  }
}
inline task<void> answered(future<long> answer, long wanted, const char* what) {
  try {
    check_answer(co_await std::move(answer), wanted, what);
  } catch (...) {
    no_answer();
  }
}

class actor : public object<actor> {
 public:
  actor() : made_on_arrival_(true) {}
  explicit actor(int rank) : rank_(rank), last_(static_cast<std::size_t>(pe_count()) * streams) {}

  void note(stamp s, int depth) {
    begins(s, plain, "note");
    if (depth > 0) send_something(depth - 1);
  }
  long echo(stamp s) {
    begins(s, plain, "echo");
    return s.number;
  }
  void hurry(stamp s) { begins(s, hurried, "hurry"); }
  void meet(stamp s, known_actor other) {
    begins(s, plain, "meet");
    learn(other);
  }
  task<long> slow(stamp s, int waits, int depth) {
    begins(s, plain, "slow");
    enter();
    for (int i = 0; i < waits; ++i) {
      const known_actor k = somebody_above(rank_);
      if (!k.who || roll(2) == 0) {
        co_await yield();
      } else if (roll(2) == 0) {
        const stamp inner = next_stamp(k.who, plain);
        try {
          check_answer(co_await k.who.now<&actor::echo>(inner), inner.number, "echo, in slow");
        } catch (...) {
          no_answer();
        }
      } else {
        const stamp inner = next_stamp(k.who, plain);
        try {
          check_answer(co_await k.who.now<&actor::slow>(inner, waits - 1, 0), inner.number, "slow, in slow");
        } catch (...) {
          no_answer();
        }
      }
      if (depth > 0) send_something(depth - 1);
    }
    leave();
    co_return s.number;
  }
  delegated<long> pass(stamp s, int more, long answer) {
    begins(s, plain, "pass");
    const known_actor k = somebody_above(rank_);
    if (more == 0 || !k.who) return answer;
    const stamp inner = next_stamp(k.who, plain);
    return k.who.now<&actor::pass>(inner, more - 1, answer);
  }
  // The duty to reply goes on, as an argument.
  void later(reply_to<long> to, stamp s, long answer) {
    begins(s, plain, "later");
    const known_actor k = somebody_above(rank_);
    if (!k.who) return to.reply(answer);
    const stamp inner = next_stamp(k.who, plain);
    k.who.past<&actor::reply_for>(inner, std::move(to), answer);
  }
  void reply_for(stamp s, reply_to<long> to, long answer) {
    begins(s, plain, "reply_for");
    to.reply(answer);
  }
  // Waits for as many messages.
  task<long> collect(stamp s, int puts, bool by_guard) {
    begins(s, plain, "collect");
    enter();
    for (int i = 0; i < puts; ++i) {
      accepting_ = true;
      if (by_guard) {
        const auto of_mine = [s](const stamp&, const stamp& of) { return of.from == s.from && of.number == s.number; };
        auto one = accept<&actor::put_for>(of_mine);
        co_await one;
      } else {
        auto one = accept<&actor::put>();
        co_await one;
      }
      accepting_ = false;
      if (roll(3) == 0) co_await yield();
    }
    leave();
    co_return s.number;
  }
  void put(stamp s) { put_in(s); }
  void put_for(stamp s, stamp) { put_in(s); }
  void quit(stamp s) {
    begins(s, plain, "quit");
    retire();
  }
  int rank_now() const { return rank_; }
  task<int> slow_rank() {
    const int rank = rank_;
    co_await yield();
    if (rank != rank_) complain("an object changes, or is no more, below a reentrant method");
    co_return rank;
  }

  template <class A>
  void serialize(A& a) {
    if (inside_) complain("an object moves while its method waits");
    a(rank_, last_, moves_);
    ++moves_;
    made_on_arrival_ = false;
  }

 private:
  void enter() {
    inside_ = true;
    ++books->count.inside;
  }
  void leave() {
    inside_ = false;
    --books->count.inside;
  }
  void begins(stamp s, stream in, const char* what) {
    if (made_on_arrival_) complain("a message is executed before its object has arrived");
    if (inside_) complain(std::string(what) + " runs while a method of its object waits");
    in_order(s, in, what);
  }
  void put_in(stamp s) {
    if (!inside_ || !accepting_) complain("put is executed that is not accepted");
    in_order(s, given, "put");
    accepting_ = false;
  }
  void in_order(stamp s, stream in, const char* what) {
    ++books->count.executed;
    std::uint32_t& last = last_[static_cast<std::size_t>(s.from) * streams + in];
    // What is given to one that accepts its own only may overtake others.
    if (in != given && s.number != last + 1) {
      complain(std::string(what) + " number " + std::to_string(s.number) + " of PE " + std::to_string(s.from) +
               " comes after number " + std::to_string(last) + ", on PE " + std::to_string(this_pe()) + " after " +
               std::to_string(moves_) + " moves");
    }
    last = s.number;
  }

  int rank_ = 0;
  int moves_ = 0;
  bool inside_ = false;
  bool accepting_ = false;
  bool made_on_arrival_ = false;
  std::vector<std::uint32_t> last_;
};

}  // namespace tsubu::test::actors

template <>
inline constexpr bool tsubu::reentrant<&tsubu::test::actors::actor::rank_now> = true;
template <>
inline constexpr bool tsubu::reentrant<&tsubu::test::actors::actor::slow_rank> = true;
