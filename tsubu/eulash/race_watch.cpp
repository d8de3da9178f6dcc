#include "tsubu/eulash/race_watch.hpp"

#include <algorithm>
#include <bit>

namespace tsubu::placed {

void vector_clock::set(std::uint32_t thread, std::uint32_t time) {
  if (at_.size() <= thread) at_.resize(thread + 1);
  at_[thread] = time;
}

void vector_clock::join(const vector_clock& other) {
  if (at_.size() < other.at_.size()) at_.resize(other.at_.size());
  for (std::size_t i = 0; i != other.at_.size(); ++i) at_[i] = std::max(at_[i], other.at_[i]);
}

void race_watch::begin_thread(std::uint64_t number, std::uint64_t creator) {
  thread_state& made = threads_[number];
  made.index = static_cast<std::uint32_t>(numbers_.size());
  numbers_.push_back(number);
  if (creator != 0) {
    thread_state& by = threads_.at(creator);
    made.clock = by.clock;
    tick(by);
  }
  tick(made);
}

void race_watch::join_thread(std::uint64_t by, std::uint64_t ended) {
  threads_.at(by).clock.join(threads_.at(ended).clock);
}

void race_watch::release(std::uint64_t by, std::uint64_t object) {
  thread_state& t = threads_.at(by);
  objects_[object].clock.join(t.clock);
  tick(t);
}

void race_watch::acquire(std::uint64_t by, std::uint64_t object) { threads_.at(by).clock.join(objects_[object].clock); }

void race_watch::acquire_to_write(std::uint64_t by, std::uint64_t lock) {
  acquire(by, lock);
  threads_.at(by).clock.join(objects_[lock].readers);
  objects_[lock].writer = by;
}

void race_watch::release_lock(std::uint64_t by, std::uint64_t lock) {
  thread_state& t = threads_.at(by);
  object_state& o = objects_[lock];
  (o.writer == by ? o.clock : o.readers).join(t.clock);
  if (o.writer == by) o.writer = 0;
  tick(t);
}

void race_watch::arrive(std::uint64_t by, std::uint64_t barrier) {
  thread_state& t = threads_.at(by);
  object_state& o = objects_[barrier];
  if (o.open == nullptr) o.open = std::make_shared<vector_clock>();
  o.open->join(t.clock);
  t.arrived[barrier] = o.open;
  tick(t);
}

void race_watch::leave(std::uint64_t by, std::uint64_t barrier) {
  thread_state& t = threads_.at(by);
  const auto mine = t.arrived.extract(barrier).mapped();
  object_state& o = objects_[barrier];
  if (o.open == mine) o.open = nullptr;
  t.clock.join(*mine);
}

// The one that races with `now`, which is not kept then.
const race_watch::seen_access* race_watch::look(word_history& of, const thread_state& t, const seen_access& now) const {
  for (std::size_t i = 0; i < of.size();) {
    const seen_access& old = of[i];
    const bool known = old.time <= t.clock.of(old.thread);
    if (!known && (old.bytes & now.bytes) != 0 && (old.writes || now.writes)) return &old;
    if (known && (old.bytes & ~now.bytes) == 0 && (now.writes || !old.writes)) {
      of[i] = of.back();
      of.pop_back();
    } else {
      ++i;
    }
  }
  of.push_back(now);
  return nullptr;
}

std::optional<race_watch::race> race_watch::access(std::uint64_t by, std::uint64_t address, std::uint64_t bytes,
                                                   bool writes, const eulash_place* where) {
  const thread_state& t = threads_.at(by);
  while (bytes != 0) {
    const std::uint64_t word = address / word_bytes, first = address % word_bytes;
    const std::uint64_t n = std::min(word_bytes - first, bytes);
    const auto mask = static_cast<std::uint8_t>(((1U << n) - 1) << first);
    auto& page = pages_[word / page_words];
    if (page == nullptr) page = std::make_unique<page_history>();
    const seen_access now{t.index, t.clock.of(t.index), mask, writes, where};
    if (const seen_access* const other = look((*page)[word % page_words], t, now); other != nullptr) {
      const auto common = static_cast<unsigned>(other->bytes & mask);
      return race{word * word_bytes + static_cast<std::uint64_t>(std::countr_zero(common)), numbers_[other->thread],
                  other->writes, other->where};
    }
    address += n;
    bytes -= n;
  }
  return std::nullopt;
}

void race_watch::forget(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t end = (address + bytes + word_bytes - 1) / word_bytes;
  for (std::uint64_t word = address / word_bytes; word < end;) {
    const std::uint64_t behind = std::min(end, (word / page_words + 1) * page_words);
    const auto page = pages_.find(word / page_words);
    if (page != pages_.end()) {
      for (std::uint64_t i = word; i < behind; ++i) (*page->second)[i % page_words].clear();
    }
    word = behind;
  }
}

void race_watch::allocated(std::uint64_t address, std::uint64_t bytes, const eulash_site& site) {
  forget(address, bytes);
  allocations_[address] = {address, bytes, &site};
}

race_watch::allocation race_watch::allocation_at(std::uint64_t address) const {
  const auto behind = allocations_.upper_bound(address);
  if (behind == allocations_.begin()) return {};
  const allocation& a = std::prev(behind)->second;
  return address - a.address < a.bytes ? a : allocation{};
}

}  // namespace tsubu::placed
