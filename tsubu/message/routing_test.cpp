// Promise: on a grid of PEs, whatever its shape, every packet reaches its PE once, in the order of its pair, over links
// between neighbours only; no cycle of links can wait for each other; a PE that passes on more than its next link takes
// keeps a bounded number of batches; and the bytes that a PE holds grow with the number of its links.
// Method: the arithmetic for many numbers of PEs; endpoints in one thread, sent at random, with a window that is soon
// full.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "tests/loopback.hpp"
#include "tsubu/base/random.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/transport/grid.hpp"

namespace tsubu::message {
namespace {

using transport::grid;

using transport::grid_shape;

// One hop, and two and three with rows of any usual width; 0: about as many rows.
std::vector<grid_shape> shapes() {
  std::vector<grid_shape> all{{1, 0}};
  for (int hops = 2; hops <= transport::most_hops; ++hops) {
    for (const pe_id row : {0, 1, 2, 4, 8, 16, 64}) all.push_back({hops, row});
  }
  return all;
}

TEST(grid, a_packet_comes_nearer_with_each_hop) {
  for (const grid_shape& shape : shapes()) {
    for (pe_id pes = 1; pes <= 70; ++pes) {
      for (pe_id from = 0; from < pes; ++from) {
        for (pe_id to = 0; to < pes; ++to) {
          pe_id at = from;
          int taken = 0;
          while (at != to) {
            const grid g(pes, at, shape);
            const pe_id next = g.next(to);
            ASSERT_TRUE(next != at && next >= 0 && next < pes && g.is_neighbour(next));
            ASSERT_LT(g.link_of(next), g.links());
            ASSERT_EQ(g.neighbour(g.link_of(next)), next);
            at = next;
            ASSERT_LE(++taken, shape.hops) << from << " to " << to << " of " << pes;
          }
        }
      }
    }
  }
}

TEST(grid, links_that_wait_for_each_other_form_no_cycle) {
  for (const grid_shape& shape : shapes()) {
    for (pe_id pes = 2; pes <= 70; ++pes) {
      using link = std::pair<pe_id, pe_id>;
      std::map<link, std::set<link>> waits_for;
      for (pe_id from = 0; from < pes; ++from) {
        for (pe_id to = 0; to < pes; ++to) {
          link last{no_pe, no_pe};
          for (pe_id at = from; at != to;) {
            const link next{at, grid(pes, at, shape).next(to)};
            if (last.first != no_pe) waits_for[last].insert(next);
            last = next;
            at = next.second;
          }
        }
      }
      // Takes away what waits for nothing until nothing is left.
      for (bool any = true; any;) {
        any = false;
        for (auto w = waits_for.begin(); w != waits_for.end();) {
          std::erase_if(w->second, [&](const link& l) { return !waits_for.contains(l); });
          any |= w->second.empty();
          w = w->second.empty() ? waits_for.erase(w) : std::next(w);
        }
      }
      EXPECT_TRUE(waits_for.empty()) << pes << " PEs, " << shape.hops << " hops, rows of " << shape.row;
    }
  }
}

TEST(grid, numbers_that_differ_in_one_bit_are_neighbours) {
  for (const grid_shape& shape : shapes()) {
    for (pe_id pe = 0; pe < 100; ++pe) {
      for (pe_id bit = 1; (pe ^ bit) < 100; bit *= 2) EXPECT_TRUE(grid(100, pe, shape).is_neighbour(pe ^ bit));
    }
  }
}

// The table of docs/message.md.
TEST(buffers, grow_with_the_links_and_not_with_the_pes) {
  const auto mib = [](int pes) {
    return static_cast<double>(endpoint::buffer_bytes(pes, transport::usual_shape(pes))) / (1 << 20);
  };
  EXPECT_LE(mib(1'000), 16);
  EXPECT_LE(mib(10'000), 16);
  EXPECT_LE(mib(100'000), 32);
  EXPECT_LE(mib(1'000'000), 64);
}

// What each PE has received from each other, and what it should have.
struct record {
  pe_id pes = 0;
  std::vector<std::uint32_t> next_sent;
  std::vector<std::uint32_t> next_expected;
  pe_id at = 0;
  std::string wrong;
  std::uint32_t& expected(pe_id from) { return next_expected[static_cast<std::size_t>(from * pes + at)]; }
  void arrived(pe_id from, std::uint32_t number, bool intact) {
    if (number != expected(from)++ || !intact) {
      wrong += " " + std::to_string(from) + ">" + std::to_string(at) + ":" + std::to_string(number);
    }
  }
};
record* r = nullptr;  // null: random bytes of another test have come to a handler here

void arrived(const delivery& d, std::uint32_t number, bool intact) {
  if (r != nullptr) r->arrived(d.from, number, intact);
}

struct small {
  using layout = wire::layout<std::uint32_t>;
  static void call(const delivery& d, std::uint32_t n) { arrived(d, n, true); }
};
struct other {
  using layout = wire::layout<std::uint32_t, std::array<char, 25>>;
  static void call(const delivery& d, std::uint32_t n, std::array<char, 25> c) { arrived(d, n, c[24] == 'x'); }
};
struct text {
  using layout = wire::layout<std::uint32_t, std::string>;
  static void call(const delivery& d, std::uint32_t n, const std::string& s) {
    arrived(d, n, s == std::string(n % 50, 'y'));
  }
};
struct large {
  using layout = wire::layout<std::uint32_t, std::array<char, 2000>>;
  static void call(const delivery& d, std::uint32_t n, std::array<char, 2000> c) { arrived(d, n, c[1999] == 'z'); }
};
std::byte landing[64][512];
struct bulk {
  using layout = wire::layout<std::uint32_t>;
  static std::byte* place(const delivery& d, std::uint32_t) {
    if (d.bulk_bytes != 512) fail("a bulk of another size");
    return landing[d.from];
  }
  static void call(const delivery& d, std::uint32_t n) {
    arrived(d, n, d.bulk_bytes == 512 && landing[d.from][511] == static_cast<std::byte>(n));
  }
};

struct bulk_bytes {
  std::vector<std::byte> bytes;
  static void done(void* of) { delete static_cast<bulk_bytes*>(of); }
};

class routed_job {
 public:
  routed_job(pe_id pes, grid_shape shape) : wires(pes, 1024, shape) {
    for (pe_id pe = 0; pe < pes; ++pe) ends.push_back(std::make_unique<endpoint>(wires[pe]));
    expected.pes = pes;
    expected.next_sent.resize(static_cast<std::size_t>(pes * pes));
    expected.next_expected.resize(expected.next_sent.size());
    r = &expected;
  }
  ~routed_job() {
    this_endpoint = nullptr;
    r = nullptr;
  }
  endpoint& operator[](pe_id pe) { return *ends[static_cast<std::size_t>(pe)]; }
  bool run(pe_id pe) {
    expected.at = pe;
    this_endpoint = &(*this)[pe];
    return this_endpoint->run_arrived();
  }
  void send(pe_id from, pe_id to, unsigned what) {
    const std::uint32_t n = expected.next_sent[static_cast<std::size_t>(from * expected.pes + to)]++;
    endpoint& e = (*this)[from];
    switch (what) {
      case 0:
        return e.send<other>(to, n, [] {
          std::array<char, 25> c{};
          c[24] = 'x';
          return c;
        }());
      case 1:
        return e.send<text>(to, n, std::string(n % 50, 'y'));
      case 2:
        return e.send<large>(to, n, [] {
          std::array<char, 2000> c{};
          c[1999] = 'z';
          return c;
        }());
      case 3: {
        auto* b = new bulk_bytes{std::vector<std::byte>(512, static_cast<std::byte>(n))};
        return e.send_bulk<bulk>(to, {b->bytes, bulk_bytes::done, b}, n);
      }
      default:
        return e.send<small>(to, n);
    }
  }
  bool has_work() {
    if (wires.anything_waiting()) return true;
    for (auto& e : ends) {
      if (e->has_unsent() || e->has_waiting() || e->has_arrived()) return true;
    }
    return false;
  }

  test::loopback wires;
  std::vector<std::unique_ptr<endpoint>> ends;
  record expected;
};

class routed : public ::testing::TestWithParam<std::pair<pe_id, grid_shape>> {};

TEST_P(routed, all_packets_reach_their_pe_in_order) {
  const auto [pes, shape] = GetParam();
  const std::uint64_t seed = fresh_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  routed_job job(pes, shape);
  constexpr int sends = 20'000;
  for (int i = 0; i < sends; ++i) {
    // Now and then all to one, so that windows fill.
    const auto from = static_cast<pe_id>(random() % static_cast<unsigned>(pes));
    const auto to = (i / 2000) % 2 == 0 ? static_cast<pe_id>(random() % static_cast<unsigned>(pes)) : pes - 1;
    job.send(from, to, static_cast<unsigned>(random() % 40));
    if (random() % 8 == 0) job.run(static_cast<pe_id>(random() % static_cast<unsigned>(pes)));
    if (random() % 64 == 0) job[from].flush(flush_reason::idle);
  }
  for (int rounds = 0; job.has_work(); ++rounds) {
    ASSERT_LT(rounds, 100'000) << "it stands still";
    for (pe_id pe = 0; pe < pes; ++pe) {
      while (job.run(pe)) continue;
      job[pe].flush(flush_reason::idle);
    }
  }
  EXPECT_EQ(job.expected.wrong, "");
  EXPECT_EQ(job.expected.next_sent, job.expected.next_expected);
  std::uint64_t sent = 0, executed = 0, passed_on = 0;
  for (auto& e : job.ends) {
    sent += e->sent();
    executed += e->executed();
    for (const account& a : e->by_handler()) passed_on += a.passed_on;
  }
  EXPECT_EQ(sent, std::uint64_t{sends});
  EXPECT_EQ(executed, std::uint64_t{sends});
  EXPECT_EQ(passed_on != 0, shape.hops > 1 && pes > 4);
  for (pe_id from = 0; from < pes; ++from) {
    for (pe_id to = 0; to < pes; ++to) {
      EXPECT_EQ(job[from].by_pe()[static_cast<std::size_t>(to)].sent,
                job[to].by_pe()[static_cast<std::size_t>(from)].executed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(shapes, routed,
                         ::testing::Values(std::pair{1, grid_shape{2}}, std::pair{2, grid_shape{3}},
                                           std::pair{5, grid_shape{2}}, std::pair{9, grid_shape{2}},
                                           std::pair{16, grid_shape{2}}, std::pair{23, grid_shape{2}},
                                           std::pair{23, grid_shape{2, 8}}, std::pair{24, grid_shape{2, 2}},
                                           std::pair{23, grid_shape{3}}, std::pair{64, grid_shape{3}},
                                           std::pair{64, grid_shape{3, 16}}, std::pair{7, grid_shape{1}}),
                         [](const auto& of) {
                           const grid_shape shape = of.param.second;
                           return std::to_string(of.param.first) + "_pes_" + std::to_string(shape.hops) + "_hops" +
                                  (shape.row != 0 ? "_rows_of_" + std::to_string(shape.row) : "");
                         });

// Packets that PE 0 of a row of 4 sends to many PEs of another row: behind the corner each PE is named once.
TEST(routed, many_packets_for_few_pes_are_named_once) {
  routed_job job(8, {2, 4});
  constexpr int sends = 120;
  for (int i = 0; i < sends; ++i) job.send(0, static_cast<pe_id>(4 + i % 4), 4);
  job[0].flush(flush_reason::idle);
  // Four bytes for each packet, of which three of four go round the corner at PE 4, and a byte for a tag.
  const std::size_t with_tags = sends * sizeof(std::uint32_t) + sends / 4 * 3;
  EXPECT_LT(job[0].counted().bytes_sent, with_tags);
  while (job.has_work()) {
    for (pe_id pe = 0; pe < 8; ++pe) {
      while (job.run(pe)) continue;
      job[pe].flush(flush_reason::idle);
    }
  }
  EXPECT_EQ(job.expected.wrong, "");
  for (pe_id pe = 4; pe < 8; ++pe) EXPECT_EQ(job[pe].executed(), std::uint64_t{sends / 4});
}

// PE 3 of a square of four does not look; PE 0 floods it by way of PE 1, which only passes on.
TEST(routed, a_pe_keeps_for_others_no_more_than_their_windows) {
  routed_job job(4, {2});
  constexpr std::uint32_t sends = 100'000;
  for (std::uint32_t i = 0; i < sends; ++i) {
    job.send(0, 3, 4);
    if (i % 64 == 0) {
      job.run(0);
      while (job.run(1)) continue;
      job[1].flush(flush_reason::idle);
    }
  }
  // Its window to PE 3, the held window of PE 0, and as much of that again, copied.
  const int most = 3 * credit_window::most_batches + 4;
  EXPECT_LT(job.wires[1].batches_made(), static_cast<std::size_t>(most));
  EXPECT_TRUE(job[0].has_waiting()) << "the sender holds the rest back";
  while (job.has_work()) {
    for (pe_id pe = 0; pe < 4; ++pe) {
      while (job.run(pe)) continue;
      job[pe].flush(flush_reason::idle);
    }
  }
  EXPECT_EQ(job.expected.wrong, "");
  EXPECT_EQ(job[3].executed(), std::uint64_t{sends});
}

int answers = 0;
struct answered {
  using layout = wire::layout<std::array<char, 100>>;
  static void call(const delivery&, std::array<char, 100>) { ++answers; }
};
struct asked {
  using layout = wire::layout<char>;
  static void call(const delivery& d, char) {
    if (this_endpoint != nullptr) this_endpoint->send<answered>(d.from, std::array<char, 100>{});
  }
};

// In a square of four, PEs 0 and 2 ask each other, and the answers travel with packets of PE 1 for PE 2, which PE 0
// passes on, and of PE 3 for PE 0, which PE 2 does. A batch of questions must not wait until its answers have room.
TEST(routed, answers_that_travel_with_packets_of_others_do_not_stop_the_questions) {
  routed_job job(4, {2});
  constexpr int rounds = 200;
  answers = 0;
  for (int i = 0; i < rounds; ++i) {
    for (int k = 0; k < 50; ++k) {
      job[0].send<asked>(2, 'q');
      job[2].send<asked>(0, 'q');
    }
    job.send(1, 2, 4);
    job.send(3, 0, 4);
    for (const pe_id pe : {0, 1, 2, 3}) job[pe].flush(flush_reason::idle);
  }
  for (int turns = 0; job.has_work(); ++turns) {
    ASSERT_LT(turns, 10'000) << "it stands still";
    for (pe_id pe = 0; pe < 4; ++pe) {
      while (job.run(pe)) continue;
      job[pe].flush(flush_reason::idle);
    }
  }
  EXPECT_EQ(job.expected.wrong, "");
  EXPECT_EQ(answers, 2 * 50 * rounds);
}

// With a tag for the second link it would not fit: no correct PE sends it.
TEST(routed_death, a_packet_to_pass_on_that_no_batch_has_room_for) {
  routed_job job(8, {3});
  transport::batch* b = job.wires[0].acquire();
  const std::uint32_t bytes = b->capacity - 8;
  const std::uint32_t words[] = {registered<text>::entry.code | std::uint32_t{1} << 29, bytes, 7, bytes - 8};
  std::memset(b->data(), 0, b->capacity);
  std::memcpy(b->data(), words, sizeof words);
  b->size = b->capacity;
  job.wires[0].post(b, 1);
  EXPECT_EXIT(job.run(1), testing::ExitedWithCode(1), "a packet of 1012 bytes .*text, .* 1008 at most");
}

}  // namespace
}  // namespace tsubu::message
