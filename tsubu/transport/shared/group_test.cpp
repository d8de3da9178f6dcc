// Promise: PEs of several processes exchange batches and bulks through a segment, wherever each process has mapped it,
// unchanged and in order per pair; with the system's copies or in pieces. A process that names a place which is not its
// own, or a length that cannot be, ends the job.
//
// Two processes are two groups here, each with a mapping of its own (with ThreadSanitizer one mapping, or it could not
// see that they touch the same memory), and a thread for each PE.
#include "tsubu/transport/shared/group.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "tsubu/base/sanitizer.hpp"
#include "tsubu/transport/shared/end.hpp"
#include "tsubu/transport/shared/segment.hpp"

namespace tsubu::transport {
namespace {

constexpr int processes = 2;
constexpr int pes_per_process = 2;
constexpr int pes = processes * pes_per_process;
constexpr std::size_t batch_bytes = 256;
constexpr std::size_t segment_bytes = std::size_t{64} << 20;

#if TSUBU_TSAN
constexpr bool one_mapping = true;
#else
constexpr bool one_mapping = false;
#endif

[[noreturn]] void fail_test(const char* reason) {
  std::fprintf(stderr, "%s\n", reason);
  std::abort();
}

// A segment and the groups of the processes that have mapped it.
class machine {
 public:
  explicit machine(bool system_copies) {
    views_.push_back(segment::make(segment_bytes));
    shared_group::prepare(views_[0]->base(), pes, can_fence_all_threads(reach::machine));
    for (int process = 1; process < processes && !one_mapping; ++process) {
      views_.push_back(segment::open(views_[0]->own_ticket()));
    }
    const group_facts facts{.pes = pes,
                            .batch_bytes = batch_bytes,
                            .oversubscribed = true,
                            .ending = {[](int) { std::abort(); }, fail_test}};
    for (int process = 0; process < processes; ++process) {
      const segment& view = *views_[one_mapping ? 0 : static_cast<std::size_t>(process)];
      groups_.push_back(std::make_unique<shared_group>(
          facts, group_processes{process, pes_per_process, std::vector<pid_t>(processes, getpid()), system_copies},
          view.base(), view.bytes()));
    }
  }

  shared_group& group_of(pe_id pe) { return *groups_[static_cast<std::size_t>(pe / pes_per_process)]; }

 private:
  std::vector<std::optional<segment>> views_;
  std::vector<std::unique_ptr<shared_group>> groups_;
};

// A PE that sends random things to all others, and expects the same from them.
class player final : private receiver {
 public:
  player(machine& all, pe_id pe, unsigned seed) : end_(all.group_of(pe), pe), all_(all), seed_(seed) {
    end_.set_receiver(this);
  }

  void play(int messages) {
    all_.group_of(end_.pe()).everyone().arrive_and_wait();
    std::vector<std::mt19937> to_peer = randoms(end_.pe());
    for (int i = 0; i < messages; ++i) {
      for (pe_id peer = 0; peer < pes; ++peer) {
        if (peer != end_.pe()) send(peer, i, to_peer[static_cast<std::size_t>(peer)]);
        receive();
      }
    }
    const int all_others = (pes - 1) * messages;
    while (received_ < all_others || told_ != bulks_ || on_the_way()) {
      if (!receive()) end_.wait(1000);
    }
    end_.close();
    EXPECT_EQ(end_.poll(), nullptr);  // fetches what has been given back
    EXPECT_EQ(end_.bytes_in_use(), 0U);
  }

 private:
  // Both sides draw the same sizes.
  struct shape {
    std::size_t bytes;
    std::size_t bulk_bytes;
  };
  static shape next_shape(std::mt19937& random) {
    const unsigned kind = random() % 8;
    const std::size_t bytes = kind < 4 ? 8 : 8 + random() % (batch_bytes - 7);
    return {bytes, kind == 7 ? 1 + random() % (60 * batch_bytes) : 0};
  }
  std::vector<std::mt19937> randoms(pe_id from) const {
    std::vector<std::mt19937> made;
    for (pe_id to = 0; to < pes; ++to) made.emplace_back(seed_ + static_cast<unsigned>(from * pes + to));
    return made;
  }
  static std::byte filler(pe_id from, int number) { return static_cast<std::byte>(from * 37 + number); }

  void send(pe_id to, int number, std::mt19937& random) {
    const shape s = next_shape(random);
    batch* b = end_.acquire();
    std::memset(b->data(), static_cast<int>(filler(end_.pe(), number)), s.bytes);
    std::memcpy(b->data(), &number, sizeof number);
    b->size = static_cast<std::uint32_t>(s.bytes);
    if (s.bulk_bytes == 0) {
      end_.post(b, to);
      return;
    }
    ++bulks_;
    auto& source = sources_.emplace_back(new_source(s.bulk_bytes, filler(end_.pe(), number)));
    end_.post_bulk(b, to,
                   {*source.bytes,
                    [](void* s_told) {
                      auto* told_source = static_cast<bulk_sent*>(s_told);
                      told_source->bytes.reset();  // nobody reads it any more
                      ++*told_source->told;
                    },
                    &source});
  }

  bool receive() {
    batch* b = end_.poll();
    if (b == nullptr) return false;
    int number = -1;
    std::memcpy(&number, b->data(), sizeof number);
    if (from_peer_.empty()) {
      expected_.resize(pes);
      for (pe_id from = 0; from < pes; ++from) from_peer_.push_back(randoms(from)[static_cast<std::size_t>(end_.pe())]);
    }
    const auto from = static_cast<std::size_t>(b->from);
    EXPECT_EQ(number, expected_[from]++);
    const shape s = next_shape(from_peer_[from]);
    EXPECT_EQ(b->size, s.bytes);
    EXPECT_EQ(b->bulk_bytes, s.bulk_bytes);
    EXPECT_EQ(b->to, end_.pe());
    for (std::size_t i = sizeof number; i < b->size; ++i) EXPECT_EQ(b->data()[i], filler(b->from, number));
    for (std::size_t i = 0; i < b->bulk_bytes; ++i) {
      if (b->bulk_data[i] != filler(b->from, number)) ADD_FAILURE() << "byte " << i << " of a bulk is wrong";
    }
    if (b->is_bulk()) delete[] b->bulk_data;
    end_.release(b);
    ++received_;
    return true;
  }

  bool on_the_way() const {
    for (pe_id peer = 0; peer < pes; ++peer) {
      if (peer != end_.pe() && end_.on_the_way(peer) != 0) return true;
    }
    return false;
  }

  std::byte* place(pe_id, std::span<const std::byte>, std::size_t bytes) override { return new std::byte[bytes]; }
  message_facts facts_of(batch&, std::size_t) const override { return {}; }

  struct bulk_sent {
    std::unique_ptr<std::vector<std::byte>> bytes;
    int* told;
  };
  bulk_sent new_source(std::size_t bytes, std::byte fill) {
    return {std::make_unique<std::vector<std::byte>>(bytes, fill), &told_};
  }

  shared_end end_;
  machine& all_;
  const unsigned seed_;
  std::deque<bulk_sent> sources_;  // stay where they are
  std::vector<std::mt19937> from_peer_;
  std::vector<int> expected_;
  int received_ = 0;
  int bulks_ = 0;
  int told_ = 0;
};

void play_all(bool system_copies) {
  constexpr unsigned seed = 1;
  machine all(system_copies);
  std::vector<std::unique_ptr<player>> players;
  for (pe_id pe = 0; pe < pes; ++pe) players.push_back(std::make_unique<player>(all, pe, seed));
  std::vector<std::thread> threads;
  for (auto& p : players) threads.emplace_back([&p] { p->play(3000); });
  for (std::thread& t : threads) t.join();
}

TEST(shared_group, processes_with_copies_by_the_system) { play_all(true); }
TEST(shared_group, processes_with_bulks_in_pieces) { play_all(false); }

// No window holds back what a bulk is cut into.
TEST(shared_group, has_fewer_pieces_of_each_bulk_on_the_way_the_more_bulks_there_are) {
  machine all(false);
  shared_end sender(all.group_of(0), 0);
  const std::vector<std::byte> source(100 * batch_bytes);
  sender.post_bulk(sender.acquire(), 2, {source});
  const std::size_t of_one = sender.bytes_in_use();
  EXPECT_EQ(of_one, ring::slots * (sizeof(batch) + batch_bytes)) << "a head and pieces, as many as its ring holds";
  sender.post_bulk(sender.acquire(), 3, {source});
  EXPECT_EQ(sender.bytes_in_use() - of_one, of_one / 2);
}

TEST(pieces, are_no_longer_than_usual_batches) {
  EXPECT_EQ(pieces::longest_bulk(4096), 65536U);
  EXPECT_EQ(pieces::longest_bulk(std::size_t{16} << 20), std::size_t{4} << 20);
  EXPECT_EQ(pieces::most_bytes, usual_batch_bytes(1, 1));
}

// PE 0, of one process, says to PE 2, of another, what no correct process says.
class wrong_sender final : private receiver {
 public:
  wrong_sender() {
    addressee.set_receiver(this);
    sender.post(sender.acquire(), 2);  // makes the ring
    addressee.release(addressee.poll());
  }

  batch* filled(std::uint32_t size) {
    batch* b = sender.acquire();
    b->size = size;
    return b;
  }
  handle handle_of(const batch* b) { return all.group_of(0).memory().handle_of(b); }

  // Writes a tag into the ring's next slot, where PE 2 finds it.
  void write(handle tag) {
    shared_group& group = all.group_of(0);
    auto* slots = reinterpret_cast<std::byte*>(group.ring_at(group.ring_of(0, 2).load(), 0));
    reinterpret_cast<std::atomic<handle>*>(slots + shared_memory::line * next_slot_++)->store(tag);
  }
  void say(handle tag) {
    write(tag);
    if (batch* b = addressee.poll()) addressee.release(b);
  }
  void say(const batch* b) { say(handle_of(b)); }

  // Bytes of bulks go in pieces.
  machine all{false};
  shared_end sender{all.group_of(0), 0};
  shared_end addressee{all.group_of(2), 2};

 private:
  std::byte* place(pe_id, std::span<const std::byte>, std::size_t) override { return landing_; }
  message_facts facts_of(batch&, std::size_t) const override { return {}; }

  std::size_t next_slot_ = 1;
  std::byte landing_[3 * batch_bytes] = {};
};

TEST(shared_group, refuses_places_that_no_process_may_name) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  wrong_sender w;
  const handle right = w.handle_of(w.filled(100));
  w.say(right);
  const char* const reason = "names a place in the shared memory that is not its own";
  EXPECT_DEATH(w.say(right + 16), reason);
  EXPECT_DEATH(w.say(right + segment_bytes), reason);
  shared_memory& of_both = w.all.group_of(0).memory();
  EXPECT_DEATH(w.say(of_both.handle_of(of_both.allocate(1, 512))), reason) << "PE 1 has that";
}

TEST(shared_group, ends_when_the_part_of_a_pe_is_full) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        machine all(true);
        shared_end end(all.group_of(0), 0);
        for (std::size_t used = 0; used < segment_bytes; used += batch_bytes) end.acquire();
      },
      "the messages of this PE fill its part of the memory");
}

TEST(shared_group, refuses_lengths_that_no_batch_has) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  wrong_sender w;
  EXPECT_DEATH(w.say(w.filled(batch_bytes + 1)), "larger than a batch can be");
  w.say(2 * handle{ring::inline_bytes} + 1);
  const char* const reason = "longer than the slot";
  EXPECT_DEATH(w.say(2 * handle{ring::inline_bytes + 1} + 1), reason);
  EXPECT_DEATH(w.say(2 * (handle{1} << 40 | 8) + 1), reason) << "a length is looked at as it was written";
}

TEST(shared_group, refuses_bulks_that_no_process_sends) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  wrong_sender w;
  batch* head = w.filled(8);
  head->bulk_bytes = std::size_t{1} << 40;
  EXPECT_DEATH(w.say(head), "longer than a bulk can be");
  head->bulk_bytes = 2 * batch_bytes;
  w.say(head);
  EXPECT_DEATH(w.say(w.filled(0)), "a piece of a bulk has a wrong length");
  w.say(w.filled(batch_bytes));
  w.say(w.filled(batch_bytes - 8));
  EXPECT_DEATH(w.say(w.filled(9)), "a piece of a bulk has a wrong length");
}

// The head is the sender's memory all the time.
TEST(shared_group, lands_a_bulk_where_it_was_placed_whatever_its_head_says_meanwhile) {
  wrong_sender w;
  batch* head = w.filled(8);
  head->bulk_bytes = 2 * batch_bytes;
  w.say(head);
  std::byte elsewhere[2 * batch_bytes] = {};
  head->bulk_data = elsewhere;
  head->bulk_bytes = 1;
  batch* piece = w.filled(batch_bytes);
  std::memset(piece->data(), 1, batch_bytes);
  w.say(piece);
  EXPECT_EQ(elsewhere[0], std::byte{0});
  piece = w.filled(batch_bytes);
  w.write(w.handle_of(piece));
  batch* landed = w.addressee.poll();
  ASSERT_NE(landed, nullptr);
  EXPECT_EQ(landed->bulk_bytes, 2 * batch_bytes);
  EXPECT_EQ(landed->bulk_data[0], std::byte{1});
}

TEST(shared_group, refuses_batches_whose_headers_name_a_wrong_pe) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  wrong_sender w;
  batch* b = w.filled(100);
  w.write(w.handle_of(b));
  batch* arrived = w.addressee.poll();
  const auto release_from = [&](pe_id from) {
    arrived->from = from;
    w.addressee.release(arrived);
  };
  EXPECT_DEATH(release_from(1), "came from a PE that has sent none");
  EXPECT_DEATH(release_from(pes), "came from a PE that has sent none");
  EXPECT_DEATH(release_from(no_pe), "came from a PE that has sent none");
  arrived->from = 0;
  void* const right = b->own;
  for (const std::intptr_t maker : {std::intptr_t{1}, std::intptr_t{2}, std::intptr_t{pes}, std::intptr_t{-1}}) {
    b->own = reinterpret_cast<void*>(maker);
    EXPECT_DEATH(w.addressee.release(arrived), "a batch says that a PE has made it that has not");
  }
  b->own = right;
  w.addressee.release(arrived);
  w.addressee.release(arrived);
  EXPECT_DEATH(w.sender.poll(), "more batches of this PE come back than it has made");
}

TEST(segment, is_shared_with_another_process_and_with_no_other_file) {
  std::optional<segment> made = segment::make(segment_bytes);
  ASSERT_TRUE(made);
  made->base()[4096] = std::byte{1};
  const pid_t child = fork();
  if (child == 0) {
    const std::optional<segment> opened = segment::open(made->own_ticket());
    if (!opened || opened->base()[4096] != std::byte{1}) _exit(1);
    opened->base()[4097] = std::byte{2};
    segment::ticket other = made->own_ticket();
    ++other.mark;
    _exit(segment::open(other) ? 2 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(made->base()[4097], std::byte{2});
  made->close();
  EXPECT_FALSE(segment::open(made->own_ticket()));
  EXPECT_EQ(made->base()[4097], std::byte{2});
}

TEST(segment, says_what_the_system_refuses) {
  segment::refusal why;
  const pid_t child = fork();
  if (child == 0) {
    const int next = dup(STDERR_FILENO);  // the lowest that is free
    const rlimit files{static_cast<rlim_t>(next) + 1, static_cast<rlim_t>(next) + 1};
    if (setrlimit(RLIMIT_NOFILE, &files) != 0 || segment::make(segment_bytes, &why)) _exit(1);
    _exit(why.text() == "memfd_create(): Too many open files" ? 0 : 2);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::optional<segment> made = segment::make(segment_bytes, &why);
  ASSERT_TRUE(made);
  EXPECT_EQ(why.what, segment::call::none);
  segment::ticket other = made->own_ticket();
  ++other.mark;
  EXPECT_FALSE(segment::open(other, &why));
  EXPECT_EQ(why.text(), "what is found under the other rank's number is another file");
  other.pid = getpid();
  other.descriptor = 100'000;
  EXPECT_FALSE(segment::open(other, &why));
  EXPECT_EQ(why.text(), "open(): No such file or directory; are they different users'?");
}

TEST(segment, room_is_a_power_of_two_that_can_be_mapped) {
  EXPECT_EQ(segment::room(segment_bytes), segment_bytes);
  EXPECT_EQ(segment::room(segment_bytes + 1), segment_bytes);
}

// Addresses that this process has, in bytes.
std::size_t addresses() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(segment, leaves_as_much_as_it_takes) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr std::size_t left = std::size_t{1536} << 20;
    const rlimit limit{addresses() + left, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(1);
    const std::size_t room = segment::room(std::size_t{1} << 40);
    const std::optional<segment> made = segment::make(room);
    if (!made) _exit(2);
    _exit(room >= left / 4 && addresses() + room <= limit.rlim_cur ? 0 : 3);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tsubu::transport
