// Promise: a PE that passes on a crowd of other PEs' packets fills its batches with them, and sends what is left when
// nothing more comes.
// Method: a square of sixteen PEs over a transport that the test holds in its hands.
#include <gtest/gtest.h>

#include "tests/interleaved_job.hpp"
#include "tsubu/message/ledger.hpp"

namespace tsubu {
namespace {

int arrived = 0;
void arrive(int) { ++arrived; }

TEST(step, a_crowd_that_is_passed_on_leaves_in_full_batches) {
  test::interleaved_job job(16, 1, 2);
  remote::pe& sender = job[0];
  arrived = 0;
  constexpr int sends = 9000;
  // PE 4 passes on what is for its row.
  for (int i = 0; i < sends; ++i) at(static_cast<pe_id>(5 + i % 3)).past<arrive>(i);
  sender.messages.flush(message::flush_reason::idle);
  const auto batches = [](const remote::pe& p) { return p.messages.counted().batches_sent; };

  for (int turns = 0; arrived < sends; ++turns) {
    ASSERT_LT(turns, 10'000) << "it stands still";
    for (const pe_id pe : {0, 4, 5, 6, 7}) {
      job.wires()[pe].dice = nullptr;
      job[pe].step();
    }
  }
  EXPECT_LT(batches(job[4]), batches(sender) + 20);
}

}  // namespace
}  // namespace tsubu
