// The two counters of the ABCL/EM-4 paper's figure 5: chains of objects, each on the PE after the one before, along
// which a message goes out and its reply comes back. At any time one message exists.
//
// Source: Yasugi, Matsuoka, Yonezawa, ABCL/EM-4, 1997.
#pragma once

#include <cstdint>

#include "tsubu/tsubu.hpp"

namespace counter {

// How many objects have been made on this PE, and how many of them have ended.
struct tally {
  std::int64_t created = 0;
  std::int64_t ended = 0;
};
inline tsubu::pe_local<tally> tally_here;

inline tsubu::pe_destination neighbour() { return tsubu::at(tsubu::neighbour()); }

// Counter-with-Create: each level creates the next one and asks it.
class with_create : public tsubu::object<with_create> {
 public:
  with_create();
  ~with_create();

  // 1, from n levels on. The reply comes back level by level, as in the paper.
  tsubu::task<std::int64_t> count(std::int64_t n);
  // The same; each level hands on its duty to reply, so the last one answers who asked the first.
  tsubu::delegated<std::int64_t> hand_on(std::int64_t n);
};

// Counter-after-Create: the chain is built first, then asked.
class after_create : public tsubu::object<after_create> {
 public:
  // Builds n levels; the last one acknowledges.
  after_create(std::int64_t n, tsubu::reply_to<void> built);
  ~after_create();

  tsubu::task<std::int64_t> count(std::int64_t n);
  tsubu::delegated<std::int64_t> hand_on(std::int64_t n);
  // Ends the chain from here on.
  void end();

 private:
  tsubu::ref<after_create> next_;
};

// Builds a chain of after_create.
class builder : public tsubu::object<builder> {
 public:
  void build(tsubu::reply_to<void> built, std::int64_t n);
  // The chain's first object. The builder ends with its answer.
  tsubu::ref<after_create> take();

 private:
  tsubu::ref<after_create> first_;
};

}  // namespace counter
