// Promise: whatever the order of events, a message always finds a posted receive; messages of a pair arrive once and in
// order; no more than the credits allow are unreleased; and the end is reached when all has arrived, not before. What a
// correct peer cannot send ends the job.
// Method: a few ranks on a carrier in memory that delays messages and sends as it likes, and random schedules of posts,
// bulks, receives and releases; each prints its seed when it fails.
#include "tsubu/transport/mpi/credit_lanes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tsubu/transport/mpi/batch_pool.hpp"

namespace tsubu::transport::mpi {

// In place of the plug-in's, which ends the job.
void fail(std::string_view reason, std::source_location) { throw std::runtime_error(std::string(reason)); }

namespace {

constexpr std::size_t batch_bytes = 64;

// What the ranks share: messages on the way, and the collectives of the end.
struct network {
  network(int ranks, std::uint64_t seed)
      : random(seed),
        wires(static_cast<std::size_t>(ranks * ranks)),
        receives(static_cast<std::size_t>(ranks)),
        on_the_way(receives.size()),
        clearances(wires.size()),
        coming(receives.size()),
        begun(receives.size()) {}

  std::size_t below(std::size_t limit) { return random() % limit; }
  std::size_t ranks() const { return receives.size(); }

  std::mt19937_64 random;
  std::vector<std::deque<std::vector<std::byte>>> wires;  // by receiver, then sender
  std::vector<std::size_t> receives;                      // posted by each rank
  std::vector<std::size_t> on_the_way;                    // messages to each rank
  int unexpected = 0;                                     // messages that were sent when no receive was left for them
  std::vector<std::uint32_t> clearances;                  // arrived, by who gave them, then who was waiting
  std::vector<std::uint64_t> coming;
  std::vector<int> begun;  // collectives that each rank has begun
};

class fake_carrier {
 public:
  // The bytes of bulks do not travel here: they are there as soon as the clearance has arrived.
  struct fake_bulks {
    int uncleared = 0;  // sent
    int moving = 0;     // to be received
    bool idle() const { return uncleared == 0 && moving == 0; }
  };

  fake_carrier(std::size_t receives, std::size_t) : most_receives_(receives) {}
  void attach(network& net, int rank) {
    net_ = &net;
    rank_ = static_cast<std::size_t>(rank);
  }

  std::size_t ranks() const { return net_->ranks(); }
  fake_bulks& bulks() { return bulks_; }
  const fake_bulks& bulks() const { return bulks_; }

  template <class Batches>
  void send(batch* b, std::uint32_t size, bool bulk_head, int rank, Batches& batches) {
    if (bulk_head) write_bulk_length(b, b->bulk_bytes);
    const std::size_t bytes = sizeof(label_word) + size + (bulk_head ? sizeof(bulk_length) : 0);
    const auto to = static_cast<std::size_t>(rank);
    if (++net_->on_the_way[to] > net_->receives[to]) ++net_->unexpected;
    net_->wires[to * ranks() + rank_].emplace_back(message(b), message(b) + bytes);
    if (net_->below(2) == 0) {
      batches.put(b);
    } else {
      unfinished_.push_back(b);
    }
  }
  bool sending() const { return !unfinished_.empty(); }
  template <class Batches>
  void collect(Batches& batches) {
    while (!unfinished_.empty() && net_->below(3) != 0) {
      batches.put(unfinished_.front());
      unfinished_.pop_front();
    }
  }

  void post_receive(batch* buffer) {
    buffers_.push_back(buffer);
    ++net_->receives[rank_];
    EXPECT_LE(buffers_.size(), most_receives_);
  }
  bool listening() const { return !buffers_.empty(); }
  bool has_arrival() const { return net_->on_the_way[rank_] != 0; }
  batch* take(int& rank) {
    const std::size_t from = net_->below(ranks());
    auto& wire = net_->wires[rank_ * ranks() + from];
    if (wire.empty()) return nullptr;
    batch* b = buffers_.front();
    buffers_.pop_front();
    std::memcpy(message(b), wire.front().data(), wire.front().size());
    wire.pop_front();
    --net_->on_the_way[rank_];
    --net_->receives[rank_];
    rank = static_cast<int>(from);
    return b;
  }

  void barrier() {}
  void begin_agreement() { ++net_->begun[rank_]; }
  void begin_count(const std::vector<std::uint64_t>& sent_to) {
    for (std::size_t to = 0; to < sent_to.size(); ++to) net_->coming[to] += sent_to[to];
    begin_agreement();
  }
  bool agreed() const {
    return std::all_of(net_->begun.begin(), net_->begun.end(), [this](int n) { return n >= net_->begun[rank_]; });
  }
  std::uint64_t coming() const { return net_->coming[rank_]; }

  template <class Batches>
  void close(Batches& batches) {
    EXPECT_EQ(net_->on_the_way[rank_], 0U) << "a receive is cancelled that a message is on its way to";
    for (batch* b : buffers_) batches.put(b);
    buffers_.clear();
  }

 private:
  network* net_ = nullptr;
  std::size_t rank_ = 0;
  const std::size_t most_receives_;
  fake_bulks bulks_;
  std::deque<batch*> buffers_;     // posted
  std::deque<batch*> unfinished_;  // sends
};

// A rank: posts numbered messages, checks what arrives, releases it when it likes.
template <credit_return When>
class test_rank {
 public:
  using tested = credit_lanes<fake_carrier, batch_pool, When>;

  test_rank(network& net, int rank, std::uint32_t limit, int posts)
      : net_(net),
        rank_(rank),
        limit_(limit),
        posts_left_(posts),
        lanes_(all(net), net.ranks() - 1, limit, batch_bytes, batch_bytes),
        sent_(net.ranks()),
        arrived_(net.ranks()),
        cleared_(net.ranks()),
        unreleased_(net.ranks()) {
    lanes_.carrier().attach(net, rank);
  }
  void open() { lanes_.open(); }

  // Something that a rank may do at any time.
  void act() {
    switch (net_.below(8)) {
      case 0:
        if (posts_left_ > 0) post();
        break;
      case 1:
        clear_one();
        break;
      case 2:
        release_one();
        break;
      case 3:
        if (lanes_.has_chores()) lanes_.chores();
        if (net_.below(8) == 0) lanes_.pay_all();
        break;
      default:
        land();
        receive();
    }
  }

  bool done_posting() const { return posts_left_ == 0; }

  // The program reads no more. True when the end is reached.
  bool finish() {
    if (!closing_) {
      closing_ = true;
      std::vector<std::uint32_t> moving(net_.ranks());
      for (const kept& k : kept_) moving[k.from] += k.bulk != bulk_state::landed ? 1 : 0;
      for (std::size_t from = 0; from < moving.size() && !at_arrival; ++from) {
        lanes_.owe_all_but(static_cast<int>(from), moving[from]);
      }
    }
    return lanes_.advance_end(true);
  }

  void expect_all_over(const std::vector<std::unique_ptr<test_rank>>& all_ranks) {
    for (const auto& other : all_ranks) {
      EXPECT_EQ(arrived_[static_cast<std::size_t>(other->rank_)], other->sent_[static_cast<std::size_t>(rank_)]);
    }
    for (const kept& k : kept_) lanes_.batches().put(k.b);
    EXPECT_EQ(lanes_.batches().bytes_in_use(), 0U) << "all buffers are back";
    EXPECT_TRUE(lanes_.bulks().idle());
    EXPECT_FALSE(lanes_.listening());
  }

 private:
  static constexpr bool at_arrival = When == credit_return::at_arrival;

  enum class bulk_state { uncleared, moving, landed };
  struct kept {
    batch* b;
    std::size_t from;
    bulk_state bulk;          // landed: or a plain batch
    std::uint32_t clearance;  // its number among those for that rank
  };

  static std::vector<int> all(const network& net) {
    std::vector<int> ranks;
    for (std::size_t i = 0; i < net.ranks(); ++i) ranks.push_back(static_cast<int>(i));
    return ranks;
  }

  void post() {
    const auto to = (static_cast<std::size_t>(rank_) + 1 + net_.below(net_.ranks() - 1)) % net_.ranks();
    batch* b = lanes_.batches().take();
    const std::uint32_t number = sent_[to]++;
    const bool bulk = net_.below(4) == 0;
    std::memcpy(b->data(), &number, sizeof number);
    b->size = sizeof number + static_cast<std::uint32_t>(net_.below(batch_bytes - sizeof number));
    b->bulk_bytes = bulk ? 1000 + number : 0;
    if (bulk) ++lanes_.bulks().uncleared;
    lanes_.post(static_cast<int>(to), b, {b->size, bulk ? kind::bulk_head : kind::batch});
    EXPECT_GE(lanes_.on_the_way(static_cast<int>(to)), 1);
    --posts_left_;
  }

  void receive() {
    int rank = -1;
    batch* b = lanes_.listening() ? lanes_.take(rank) : nullptr;
    if (b == nullptr) return;
    const label what = lanes_.admit(rank, b);
    const auto from = static_cast<std::size_t>(rank);
    if (at_arrival && what.what != kind::credits) lanes_.owe(rank);
    if (what.what == kind::batch || what.what == kind::bulk_head) {
      std::uint32_t number = 0;
      std::memcpy(&number, b->data(), sizeof number);
      EXPECT_EQ(number, arrived_[from]++) << "messages of a pair arrive once and in order";
      EXPECT_EQ(b->bulk_bytes, what.what == kind::bulk_head ? 1000 + number : 0);
      kept_.push_back({b, from, b->is_bulk() ? bulk_state::uncleared : bulk_state::landed, 0});
      if (at_arrival) return;
      if (!closing_) {
        EXPECT_LE(++unreleased_[from], limit_);
      } else if (!b->is_bulk()) {
        lanes_.owe(rank);
      }
      return;
    }
    if (what.what == kind::clear_to_send) {
      --lanes_.bulks().uncleared;
      ++net_.clearances[from * net_.ranks() + static_cast<std::size_t>(rank_)];
    } else {
      EXPECT_EQ(what.what, kind::credits);
    }
    lanes_.batches().put(b);
  }

  void clear_one() {
    for (kept& k : kept_) {
      if (k.bulk != bulk_state::uncleared) continue;
      k.bulk = bulk_state::moving;
      k.clearance = ++cleared_[k.from];
      ++lanes_.bulks().moving;
      const int to = static_cast<int>(k.from);
      if (at_arrival) {
        lanes_.post(to, lanes_.batches().take(), {0, kind::clear_to_send});
      } else {
        lanes_.post_news(to, kind::clear_to_send);
      }
      return;
    }
  }

  void land() {
    for (kept& k : kept_) {
      const std::size_t heard = net_.clearances[static_cast<std::size_t>(rank_) * net_.ranks() + k.from];
      if (k.bulk != bulk_state::moving || heard < k.clearance) continue;
      k.bulk = bulk_state::landed;
      --lanes_.bulks().moving;
      if (closing_ && !at_arrival) lanes_.owe(static_cast<int>(k.from));
    }
  }

  void release_one() {
    if (kept_.empty()) return;
    const auto chosen = kept_.begin() + static_cast<std::ptrdiff_t>(net_.below(kept_.size()));
    if (chosen->bulk != bulk_state::landed) return;
    const kept k = *chosen;
    kept_.erase(chosen);
    lanes_.batches().put(k.b);
    if (closing_ || at_arrival) return;
    --unreleased_[k.from];
    lanes_.owe(static_cast<int>(k.from));
  }

  network& net_;
  const int rank_;
  const std::uint32_t limit_;
  int posts_left_;
  tested lanes_;
  std::vector<std::uint32_t> sent_;     // to each rank
  std::vector<std::uint32_t> arrived_;  // from each rank
  std::vector<std::uint32_t> cleared_;  // bulks of each rank
  std::vector<std::uint32_t> unreleased_;
  std::vector<kept> kept_;
  bool closing_ = false;
};

template <credit_return When>
void storm(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  network net(2 + static_cast<int>(seed % 4), seed);
  const auto limit = static_cast<std::uint32_t>(1 + net.below(8));
  std::vector<std::unique_ptr<test_rank<When>>> ranks;
  for (std::size_t i = 0; i < net.ranks(); ++i) {
    ranks.push_back(std::make_unique<test_rank<When>>(net, static_cast<int>(i), limit, 400));
  }
  for (auto& r : ranks) r->open();
  std::vector<bool> closed(net.ranks());
  std::size_t open = net.ranks();
  constexpr int most_steps = 10'000'000;
  for (int step = 0; open != 0; ++step) {
    ASSERT_LT(step, most_steps) << "the ranks wait for each other";
    const std::size_t i = net.below(net.ranks());
    if (closed[i]) continue;
    ranks[i]->act();
    if (ranks[i]->done_posting() && net.below(4) == 0 && ranks[i]->finish()) {
      closed[i] = true;
      --open;
    }
  }
  EXPECT_EQ(net.unexpected, 0) << "a message finds a posted receive";
  for (auto& r : ranks) r->expect_all_over(ranks);
}

TEST(credit_lanes, whose_credits_return_at_release) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) storm<credit_return::at_release>(seed);
}

TEST(credit_lanes, whose_credits_return_at_arrival) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) storm<credit_return::at_arrival>(seed);
}

// Two ranks of which the second says what it likes.
struct wrong_peer {
  wrong_peer() {
    lanes.carrier().attach(net, 0);
    lanes.open();
  }
  label admit(const label& l) {
    batch* b = lanes.batches().take();
    write_label(b, l);
    return lanes.admit(1, b);
  }

  network net{2, 1};
  credit_lanes<fake_carrier, batch_pool, credit_return::at_release> lanes{{0, 1}, 1, 4, batch_bytes, batch_bytes};
};

TEST(credit_lanes, refuses_what_no_correct_peer_sends) {
  wrong_peer p;
  EXPECT_THROW(p.admit({0, kind::credits, 1}), std::runtime_error) << "a credit for a message that was not sent";
  EXPECT_THROW(p.admit({batch_bytes + 1}), std::runtime_error) << "a batch larger than its buffer";
  EXPECT_EQ(p.admit({batch_bytes}).size, batch_bytes);
}

TEST(credit_limit, fits_the_memory_and_the_label) {
  EXPECT_EQ(credit_limit(1, 2, 65536), most_credits);
  EXPECT_EQ(credit_limit(100'000, 100'001, 4096), fewest_credits);
  EXPECT_EQ(credit_limit(1, 2, 65536, 2), 2 * most_credits);
  EXPECT_LE(credit_limit(1, 2, 4096, 1024), most_label_credits);
  for (const int links : {2, 11, 48, 1001}) {
    const auto peers = static_cast<std::size_t>(links - 1);
    const std::uint32_t limit = credit_limit(peers, links, 65536);
    if (limit > fewest_credits) {
      EXPECT_LE(receives_per_peer(limit) * peers * 65536, receive_memory(links));
    }
  }
  EXPECT_EQ(receive_count(0, 8), 0U);
}

}  // namespace
}  // namespace tsubu::transport::mpi
