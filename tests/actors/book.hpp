// What each PE keeps of a program of actors (storm.hpp): who is known there, how many messages of each stream have been
// sent to whom, and what is to be counted at the end.
#pragma once

#include <array>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "tsubu/object/create.hpp"

namespace tsubu::test::actors {

enum stream : std::uint32_t { plain, hurried, given, streams };

struct stamp {
  pe_id from;
  std::uint32_t number;  // from 1
};

class actor;
struct known_actor {
  ref<actor> who;
  int rank = 0;
};

struct settings {
  std::uint64_t seed = 1;
  long messages = 1000;  // that each PE begins with; they cause some more
  int objects = 10;      // that each PE creates at first
  bool in_epoch = false;
  bool moves = true;
};

struct totals {
  long sent = 0, executed = 0, gone_asked = 0, gone_past = 0, created = 0, ended = 0, inside = 0, drivers = 0,
       broken = 0;
  totals operator+(const totals& o) const {
    return {sent + o.sent,           executed + o.executed, gone_asked + o.gone_asked,
            gone_past + o.gone_past, created + o.created,   ended + o.ended,
            inside + o.inside,       drivers + o.drivers,   broken + o.broken};
  }
};

// What each PE keeps.
struct book {
  settings set;
  std::mt19937_64 random;
  std::vector<known_actor> known;
  std::vector<ref<actor>> made;
  std::unordered_map<ref<actor>, std::array<std::uint32_t, streams>> numbers;
  totals count;
  objects::counters before;
  int next_rank = 0;
};
inline pe_local<book> books;

inline std::size_t roll(std::size_t n) { return static_cast<std::size_t>(books->random() % n); }
inline pe_id any_pe() { return static_cast<pe_id>(roll(static_cast<std::size_t>(pe_count()))); }

inline stamp next_stamp(const ref<actor>& to, stream s) {
  ++books->count.sent;
  return {this_pe(), ++books->numbers[to][s]};
}

[[noreturn]] inline void complain(const std::string& what) {
  fail("seed " + std::to_string(books->set.seed) + ": " + what);
}

inline void learn(const known_actor& k) {
  auto& known = books->known;
  if (known.size() < 64) {
    known.push_back(k);
  } else {
    known[roll(known.size())] = k;
  }
}
inline known_actor somebody() { return books->known[roll(books->known.size())]; }
// Somebody of a rank above, or nobody.
inline known_actor somebody_above(int rank) {
  for (int i = 0; i < 4; ++i) {
    const known_actor k = somebody();
    if (k.rank > rank) return k;
  }
  return {};
}

}  // namespace tsubu::test::actors
