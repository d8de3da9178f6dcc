// A generated program of concurrent objects, for tests: actors on random PEs create each other, hand on each other's
// names, and send each other messages in every way there is, wait in their methods, accept, move and end.
//
// Every message has a stamp: who sent it (a PE's code), and which one it is of those from there to that object in its
// stream. Checked as they are executed: each stream is in order, also across moves; nothing runs while another method
// of its object runs or waits, unless it was accepted; answers are those to the question. Checked at the end: each
// stamp was executed once, or its object had ended; no method is left waiting; all objects have ended.
//
// It cannot deadlock: an actor only waits for actors of a higher rank, or for messages sent right after the one that
// has it wait.
#pragma once

#include "tests/actors/actor.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/task/fiber.hpp"

namespace tsubu::test::actors {

inline known_actor make_one() {
  book& b = *books;
  const int rank = b.next_rank++ * pe_count() + this_pe();
  // Where balance may move it before it begins, or on that PE.
  known_actor k{roll(3) == 0 ? create<actor>(anywhere(), rank) : create<actor>(at(any_pe()), rank), rank};
  b.made.push_back(k.who);
  return k;
}

inline task<void> ask_rank(known_actor k, bool lives = false) {
  try {
    const int rank = roll(2) == 0 ? co_await k.who.now<&actor::rank_now>() : co_await k.who.now<&actor::slow_rank>();
    if (rank != k.rank) complain("an object of rank " + std::to_string(k.rank) + " says " + std::to_string(rank));
  } catch (const object_gone& e) {
    if (lives) complain(e.what());
  }
}
inline task<void> ask_status(known_actor k, bool lives = false) {
  try {
    const object_status status = co_await k.who.status();
    if (status.pe < 0 || status.pe >= pe_count()) complain("an object is on no PE");
  } catch (const object_gone& e) {
    if (lives) complain(e.what());
  }
}
inline task<void> move_it(known_actor k, pe_id to) {
  try {
    const pe_id there = co_await k.who.move_to(to);
    if (there != to) complain("a move to PE " + std::to_string(to) + " went to PE " + std::to_string(there));
  } catch (const object_gone&) {
  }
}
inline task<void> ask_two(known_actor a, known_actor b) {
  const stamp x = next_stamp(a.who, plain), y = next_stamp(b.who, plain);
  auto first = a.who.now<&actor::echo>(x);
  auto second = b.who.now<&actor::slow>(y, 1, 0);
  auto two = both(std::move(first), std::move(second));  // neither ends
  const auto [m, n] = co_await two;
  if (m != x.number || n != y.number) complain("both() mixes its answers up");
}

inline void send_something(int depth) {
  book& b = *books;
  const known_actor to = somebody();
  const std::size_t how = roll(100);
  if (how < 30) {
    const int more = roll(3) == 0 ? depth : 0;
    to.who.past<&actor::note>(next_stamp(to.who, plain), more);
  } else if (how < 38) {
    to.who.express<&actor::hurry>(next_stamp(to.who, hurried));
  } else if (how < 46) {
    const stamp s = next_stamp(to.who, plain);
    spawn(answered(to.who.future<&actor::echo>(s), s.number, "echo"));
  } else if (how < 54) {
    const stamp s = next_stamp(to.who, plain);
    spawn(answered(to.who.future<&actor::slow>(s, static_cast<int>(roll(3)), depth), s.number, "slow"));
  } else if (how < 60) {
    to.who.past<&actor::slow>(next_stamp(to.who, plain), static_cast<int>(roll(3)), depth);
  } else if (how < 66) {
    const stamp s = next_stamp(to.who, plain);
    spawn(answered(to.who.future<&actor::pass>(s, 5, 17L), 17, "pass"));
  } else if (how < 72) {
    const stamp s = next_stamp(to.who, plain);
    spawn(answered(to.who.future<&actor::later>(s, 18L), 18, "later"));
  } else if (how < 82) {
    const bool by_guard = roll(2) == 0;
    const int puts = 1 + static_cast<int>(roll(3));
    const stamp s = next_stamp(to.who, plain);
    if (roll(2) == 0) {
      to.who.past<&actor::collect>(s, puts, by_guard);
    } else {
      spawn(answered(to.who.future<&actor::collect>(s, puts, by_guard), s.number, "collect"));
    }
    for (int i = 0; i < puts; ++i) {
      if (by_guard) {
        to.who.past<&actor::put_for>(next_stamp(to.who, given), s);
      } else {
        to.who.past<&actor::put>(next_stamp(to.who, given));
      }
    }
  } else if (how < 87) {
    to.who.past<&actor::meet>(next_stamp(to.who, plain), somebody());
  } else if (how < 91) {
    if (b.set.moves) spawn(move_it(to, any_pe()));
  } else if (how < 95) {
    spawn(roll(2) == 0 ? ask_rank(to) : ask_status(to));
  } else if (how < 99) {
    learn(make_one());
  } else {
    to.who.past<&actor::quit>(next_stamp(to.who, plain));
    std::erase_if(b.known, [&to](const known_actor& k) { return k.who == to.who; });
    learn(make_one());
  }
}

inline void begin(settings s) {
  book& b = *books;
  b.set = s;
  b.random.seed(s.seed * 1024 + static_cast<std::uint64_t>(this_pe()));
  b.known.clear();
  b.numbers.clear();
  b.made.clear();
  b.count = {};
  b.next_rank = 0;
  b.before = objects::this_space().counted();
}
inline void make_some() {
  for (int i = 0; i < books->set.objects; ++i) learn(make_one());
}

inline task<void> drive() {
  ++books->count.drivers;
  const known_actor lasting_one = make_one(), other = make_one();  // nobody else knows them
  long left = books->set.messages;
  while (left > 0) {
    switch (roll(40)) {
      case 0:
        co_await yield();
        break;
      case 1:
        co_await run_fiber([] {
          for (int i = 0; i < 4; ++i) send_something(1);
        });
        left -= 4;
        break;
      case 2:
        co_await ask_two(lasting_one, other);
        break;
      case 3:
        if (!books->set.moves) break;
        spawn(ask_status(other, true));
        spawn(ask_rank(other, true));
        co_await move_it(other, any_pe());
        break;
      case 4: {
        const known_actor k = somebody();
        const stamp s = next_stamp(k.who, plain);
        try {
          check_answer(co_await k.who.now<&actor::pass>(s, 3, 19L), 19, "pass, awaited");
        } catch (...) {
          no_answer();
        }
        break;
      }
      case 5: {
        const known_actor k = somebody();
        const stamp s = next_stamp(k.who, plain);
        try {
          check_answer(co_await k.who.now<&actor::later>(s, 20L), 20, "later, awaited");
        } catch (...) {
          no_answer();
        }
        break;
      }
      case 6: {
        const known_actor k = somebody();
        const stamp s = next_stamp(k.who, plain);
        co_await k.who.past<&actor::note>(s, 1);
        break;
      }
      default:
        send_something(2);
        --left;
    }
  }
  --books->count.drivers;
}

inline void end_all() {
  for (const ref<actor>& a : books->made) a.end();
}

inline totals total_here() {
  totals t = books->count;
  const objects::counters now = objects::this_space().counted();
  t.gone_past = static_cast<long>(now.gone - books->before.gone);
  t.created = static_cast<long>(now.created - books->before.created);
  t.ended = static_cast<long>(now.ended - books->before.ended);
  return t;
}

inline void drive_everywhere() {
  for (pe_id pe = 0; pe < pe_count(); ++pe) at(pe).past<drive>();
}

// On PE 0. Returns how many messages there were.
inline task<long> storm(settings s) {
  co_await everywhere().now<begin>(s);
  co_await everywhere().now<make_some>();
  if (s.in_epoch) {
    auto body = []() -> task<void> {
      drive_everywhere();
      co_return;
    };
    co_await epoch(body);
  } else {
    drive_everywhere();
    co_await quiescence();
  }
  const totals t = co_await everywhere().now<total_here>(reduce::plus);
  if (t.drivers != 0 || t.inside != 0) {
    complain(std::to_string(t.drivers) + " drivers and " + std::to_string(t.inside) + " methods wait for ever");
  }
  if (t.sent != t.executed + t.gone_asked + t.gone_past) {
    complain(std::to_string(t.sent) + " messages were sent, but " + std::to_string(t.executed) + " executed, and " +
             std::to_string(t.gone_past) + " past and " + std::to_string(t.gone_asked) +
             " others were for objects that had ended");
  }
  co_await everywhere().now<end_all>();
  co_await quiescence();
  const totals end = co_await everywhere().now<total_here>(reduce::plus);
  if (end.created != end.ended) {
    complain(std::to_string(end.created) + " objects were created, and " + std::to_string(end.ended) + " have ended");
  }
  co_return t.sent;
}

}  // namespace tsubu::test::actors
