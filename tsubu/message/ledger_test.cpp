// Promises: simulated PEs of a thread count handlers together, as long as there is one, and one of them shows that;
// each of the others counts for itself; and what makes a PE quiescent is its own in any case.
#include "tsubu/message/ledger.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

namespace tsubu::message {
namespace {

class ledgers : public testing::Test {
 protected:
  static const wire::handler_entry& any_handler() {
    wire::number_handlers();
    return *wire::handlers().back();
  }
  std::uint64_t sent_by_handler(const ledger& l) const {
    return l.by_handler().empty() ? 0 : l.by_handler()[handler_.number].sent;
  }

  const wire::handler_entry& handler_ = any_handler();
};

TEST_F(ledgers, of_simulated_pes_count_handlers_together) {
  for (int job = 0; job < 2; ++job) {
    std::optional<ledger> first(std::in_place, 2, true);
    std::optional<ledger> second(std::in_place, 2, true);
    first->sent(handler_, 3, 30);
    second->sent(handler_, 4, 40);
    second->executed(handler_, 7);
    EXPECT_EQ(sent_by_handler(*first), 7U) << "job " << job;
    EXPECT_EQ(first->by_handler()[handler_.number].executed, 7U);
    EXPECT_TRUE(second->by_handler().empty());
    EXPECT_EQ(first->totals().packets_sent, 3U);
    EXPECT_EQ(second->totals().packets_sent, 4U);
    EXPECT_EQ(first->sent() + second->sent(), handler_.counted ? 7U : 0U);
    std::thread([this] { EXPECT_EQ(sent_by_handler(ledger(2, true)), 0U); }).join();
    // The counts outlive who shows them, for those who still count.
    first.reset();
    second->sent(handler_, 1, 10);
  }
}

TEST_F(ledgers, of_other_pes_count_alone) {
  ledger first(2, false), second(2, false);
  first.sent(handler_, 3, 30);
  second.sent(handler_, 4, 40);
  EXPECT_EQ(sent_by_handler(first), 3U);
  EXPECT_EQ(sent_by_handler(second), 4U);
}

}  // namespace
}  // namespace tsubu::message
