#include "tsubu/message/ledger.hpp"

namespace tsubu::message {
namespace {

// What the simulated PEs of this thread count, while there are any.
thread_local std::weak_ptr<std::vector<account>> of_simulated;

}  // namespace

ledger::ledger(pe_id pes, bool simulated) : accounts_(simulated ? of_simulated.lock() : nullptr) {
  if (accounts_ == nullptr) {
    // Handlers have their numbers.
    accounts_ = std::make_shared<std::vector<account>>(wire::handlers().size());
    shows_accounts_ = true;
    if (simulated) of_simulated = accounts_;
  }
  by_handler_ = accounts_->data();
  if (pes <= most_counted_pairs) by_pe_.resize(static_cast<std::size_t>(pes));
}

std::span<const account> ledger::by_handler() const {
  return shows_accounts_ ? std::span<const account>(*accounts_) : std::span<const account>();
}

}  // namespace tsubu::message
