// Promises: who shares a core has short slices while a job goes on, as have the threads that it starts, and its own
// ones behind it; slices that are short already stay.
#include "tsubu/transport/threads/short_slices.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "tsubu/transport/threads/cores.hpp"
#include "tsubu/transport/threads/threads.hpp"

namespace tsubu::transport {
namespace {

constexpr std::int64_t a_tenth_of_a_ms = 100'000;

// Where the kernel has no slices for each thread, there is nothing to be seen of them, before or meanwhile.
class slices : public testing::Test {
 protected:
  const std::int64_t before = slice_ns();
  const std::int64_t shorter = before == 0 ? 0 : a_tenth_of_a_ms;
};

TEST_F(slices, are_short_for_a_while_for_this_thread_and_those_that_it_starts) {
  {
    const short_slices now(a_tenth_of_a_ms);
    EXPECT_EQ(slice_ns(), shorter);
    std::int64_t of_another = 0;
    std::thread([&of_another] { of_another = slice_ns(); }).join();
    EXPECT_EQ(of_another, shorter);
    const short_slices longer(3 * a_tenth_of_a_ms);
    EXPECT_EQ(slice_ns(), shorter) << "they are shorter already";
  }
  EXPECT_EQ(slice_ns(), before);
}

TEST_F(slices, stay_as_they_are_by_default) {
  const short_slices none(0);
  EXPECT_EQ(slice_ns(), before);
}

std::vector<std::int64_t> seen;  // by PE

// One job with as many threads as PEs.
std::vector<std::int64_t> seen_by(int pes, int slice_us) {
  seen.assign(static_cast<std::size_t>(pes), 0);
  const pe_main look = [](transport& end, void*) {
    seen[static_cast<std::size_t>(end.pe())] = slice_ns();
    end.close();
    return 0;
  };
  EXPECT_EQ(threads_launcher()({.pes = pes, .threads = pes, .slice_us = slice_us}, look, nullptr), 0);
  return seen;
}

TEST_F(slices, of_pes_are_short_only_where_they_share_cores) {
  const int cores = usable_cores();
  for (const std::int64_t ns : seen_by(cores + 1, 100)) EXPECT_EQ(ns, shorter);
  for (const std::int64_t ns : seen_by(cores + 1, 0)) EXPECT_EQ(ns, before);
  for (const std::int64_t ns : seen_by(cores, 100)) EXPECT_EQ(ns, before);
  EXPECT_EQ(slice_ns(), before);
}

}  // namespace
}  // namespace tsubu::transport
