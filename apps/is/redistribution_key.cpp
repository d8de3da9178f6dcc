// A message of four bytes for each key. What a PE sends needs no grouping, what arrives is appended: the runtime
// gathers the messages on the way.
#include "apps/is/redistribution.hpp"
#include "tsubu/tsubu.hpp"

namespace is {

using namespace tsubu;

// The keys that have arrived here since the last move(), and the PEs that have sent all of theirs.
static pe_local<key_table> arrived;
static pe_local<tsubu::sync<pe_id>> senders_done;

void take_key(npb::is_key key) { arrived->push_back(key); }

// Sent behind a PE's keys. Messages between two PEs keep their order, so they are here when this runs.
void keys_are_sent(pe_id by) { senders_done->write(by); }

namespace {

class key_redistribution final : public redistribution {
 public:
  explicit key_redistribution(const npb::is_class& problem) : shift_(problem.bucket_shift()) {}

  task<key_pieces> move(std::span<const npb::is_key> keys, std::span<const std::int32_t>,
                        const npb::is_plan& plan) override {
    find_owners(plan);
    for (const npb::is_key key : keys) co_await at(owner_[static_cast<std::size_t>(key >> shift_)]).past<take_key>(key);
    everywhere().past<keys_are_sent>(this_pe());
    for (pe_id i = 0; i < pe_count(); ++i) co_await senders_done->read();
    received_.swap(*arrived);
    arrived->clear();
    key_pieces pieces{received_};
    co_return pieces;
  }

 private:
  void find_owners(const npb::is_plan& plan) {
    owner_.clear();
    for (pe_id pe = 0; pe < pe_count(); ++pe) {
      owner_.resize(static_cast<std::size_t>(plan.first_bucket[static_cast<std::size_t>(pe) + 1]), pe);
    }
  }

  int shift_;
  std::vector<pe_id> owner_;  // by bucket
  key_table received_;
};

}  // namespace

std::unique_ptr<redistribution> make_key_redistribution(const npb::is_class& problem) {
  return std::make_unique<key_redistribution>(problem);
}

}  // namespace is
