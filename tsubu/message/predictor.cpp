#include "tsubu/message/predictor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <optional>
#include <span>

#include "tsubu/base/check.hpp"

namespace tsubu::message {
namespace {

class last_message final : public predictor {
 public:
  void learn(const noted_message& m, std::uint64_t) override { last_ = m; }
  const noted_message* expect(const place&) const override { return last_.has_value() ? &*last_ : nullptr; }

 private:
  std::optional<noted_message> last_;
};

// What is known by a 64-bit key, with a vote for what is there. A key has two places, in neighbouring lines; who finds
// others in both votes against the weaker one, and takes its place when that has no vote left. The table grows with
// what it holds, to 16 MiB.
class note_table {
 public:
  struct alignas(64) note {
    std::uint64_t key;  // 0: nothing is noted here
    std::uint32_t id;   // of the message: half of it
    std::uint32_t votes;
    noted_message message;
  };
  static_assert(sizeof(note) == 64);

  note_table() { allocate(least_places); }

  // Where it stands, or would.
  note& at(std::uint64_t key) const {
    note& first = notes_[key & (places_ - 1)];
    if (first.key == key) return first;
    note& second = notes_[(key & (places_ - 1)) ^ 1];
    return second.key == key || second.votes < first.votes ? second : first;
  }
  void fetch(std::uint64_t key) const {
    __builtin_prefetch(&notes_[key & (places_ - 1)], 1);
    __builtin_prefetch(&notes_[(key & (places_ - 1)) ^ 1], 1);
  }

  // The message comes with that key once more: `most` votes are enough.
  void vote(std::uint64_t key, std::uint64_t id, const noted_message& m, std::uint32_t most) {
    note& n = at(key);
    if (n.key == key && n.id == static_cast<std::uint32_t>(id)) {
      n.votes = std::min(n.votes + 1, most);
      n.message = m;  // the newest of its kind: reply slots change
    } else if (n.votes > 1) {
      --n.votes;
    } else {
      held_ += n.key == 0 ? 1 : 0;
      n = {key, static_cast<std::uint32_t>(id), 1, m};
      if (held_ > places_ / 4 && places_ < most_places) grow();
    }
  }

 private:
  static constexpr std::size_t least_places = 256, most_places = std::size_t{1} << 18;
  struct release {
    void operator()(void* memory) const { std::free(memory); }
  };

  void allocate(std::size_t places) {
    constexpr std::size_t pair = 2 * sizeof(note);
    places_ = places;
    memory_.reset(std::calloc(places + 2, sizeof(note)));
    if (memory_ == nullptr) throw std::bad_alloc();
    const auto first = reinterpret_cast<std::uintptr_t>(memory_.get());
    notes_ = reinterpret_cast<note*>((first + pair - 1) / pair * pair);
  }

  // The two of a pair go to two pairs, so that each finds a place.
  void grow() {
    const std::unique_ptr<void, release> before = std::move(memory_);
    const std::span<const note> notes(notes_, places_);
    allocate(2 * places_);
    for (const note& n : notes) {
      if (n.key != 0) at(n.key) = n;
    }
  }

  std::unique_ptr<void, release> memory_;
  note* notes_ = nullptr;
  std::size_t places_ = 0;
  std::size_t held_ = 0;
};

// A count that is full is halved, so that what was frequent long ago gives way.
class most_frequent final : public predictor {
 public:
  void learn(const noted_message& m, std::uint64_t id) override {
    seen_.vote(id, id, m, most_votes);
    note_table::note& n = seen_.at(id);
    if (n.key != id) return;
    const note_table::note& top = seen_.at(top_);
    if (top.key != top_ || n.votes >= top.votes) top_ = id;
    if (n.votes == most_votes) n.votes /= 2;
  }
  const noted_message* expect(const place&) const override {
    const note_table::note& top = seen_.at(top_);
    return top_ != 0 && top.key == top_ ? &top.message : nullptr;
  }

 private:
  static constexpr std::uint32_t most_votes = 256;
  note_table seen_;
  std::uint64_t top_ = 0;  // its id; 0: none has come
};

// For each context, the message that follows it most often, by Boyer and Moore's vote (1981): who comes votes for
// itself, or against who is there. What an order of 2 does not know, an order of 1 may.
class markov_chain final : public predictor {
 public:
  explicit markov_chain(int order) : order_(order) {}

  void learn(const noted_message& m, std::uint64_t id) override {
    for (int k = 0; k < order_; ++k) {
      if (here_.contexts[k] != 0) next_.vote(here_.contexts[k], id, m, most_votes);
    }
    go_on(here_, id);
  }

  place here() const override { return here_; }

  void fetch(const place& at) const override {
    for (int k = 0; k < order_; ++k) next_.fetch(at.contexts[k]);
  }

  const noted_message* expect(const place& at) const override {
    for (int k = order_ - 1; k >= 0; --k) {
      if (at.contexts[k] == 0) continue;
      const note_table::note& n = next_.at(at.contexts[k]);
      if (n.key == at.contexts[k]) return &n.message;
    }
    return nullptr;
  }

  // The message itself, and it with the one before.
  void go_on(place& at, std::uint64_t id) const override {
    if (order_ > 1) at.contexts[1] = at.contexts[0] == 0 ? 0 : (at.contexts[0] * 0x9e3779b97f4a7c15U ^ id) | 1;
    at.contexts[0] = id;
  }

 private:
  static constexpr std::uint32_t most_votes = 15;  // so that a change is learned soon

  int order_;
  place here_;
  note_table next_;
};

// Where it has lost the way, it looks for the next place in the trace with the message that has come: the longer it has
// been lost, the further on; and behind, since two messages may have come the other way round.
class earlier_run final : public predictor {
 public:
  explicit earlier_run(std::vector<noted_message> before) : trace_(std::move(before)) {}

  void learn(const noted_message&, std::uint64_t id) override {
    if (next_ < trace_.size() && trace_[next_].id() == id) {
      ++next_;
      lost_ = 0;
      return;
    }
    const std::size_t reach = std::size_t{least_reach} << std::min(lost_, most_doublings);
    const std::size_t end = std::min(next_ + reach, trace_.size());
    for (std::size_t k = next_; k < end; ++k) {
      if (trace_[k].id() != id) continue;
      next_ = k + 1;
      lost_ = 0;
      return;
    }
    const std::size_t begin = next_ - std::min<std::size_t>(next_, least_reach);
    for (std::size_t k = next_; k > begin; --k) {
      if (trace_[k - 1].id() == id) {
        lost_ = 0;
        return;  // it was passed over, and has come now
      }
    }
    ++lost_;
  }

  place here() const override { return {.position = next_}; }
  void fetch(const place& at) const override {
    if (at.position < trace_.size()) __builtin_prefetch(&trace_[at.position]);
  }
  const noted_message* expect(const place& at) const override {
    return at.position < trace_.size() ? &trace_[at.position] : nullptr;
  }
  void go_on(place& at, std::uint64_t) const override { ++at.position; }

 private:
  static constexpr std::size_t least_reach = 16;
  static constexpr std::uint32_t most_doublings = 8;
  std::vector<noted_message> trace_;
  std::size_t next_ = 0;
  std::uint32_t lost_ = 0;  // messages in a row that were not found
};

}  // namespace

std::unique_ptr<predictor> make_predictor(scheme how) {
  switch (how) {
    case scheme::last:
      return std::make_unique<last_message>();
    case scheme::frequency:
      return std::make_unique<most_frequent>();
    case scheme::markov:
      return std::make_unique<markov_chain>(1);
    case scheme::markov2:
      return std::make_unique<markov_chain>(2);
    case scheme::off:
    case scheme::trace:
      break;
  }
  fail("a predictor is made that is none, or that needs a trace");
}

std::unique_ptr<predictor> make_trace_predictor(std::vector<noted_message> before) {
  return std::make_unique<earlier_run>(std::move(before));
}

}  // namespace tsubu::message
