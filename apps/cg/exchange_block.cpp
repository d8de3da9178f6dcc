// The complete exchange: P - 1 bulk writes by each PE, straight from its vector into the others'. Short blocks are
// gathered instead: an answer to each write would cost more than copies of them do.
#include <algorithm>
#include <vector>

#include "apps/cg/exchange.hpp"
#include "apps/npb/blocks.hpp"
#include "tsubu/tsubu.hpp"

namespace cg {

using namespace tsubu;

// The PEs whose block has arrived here.
static pe_local<tsubu::sync<pe_id>> blocks_in;

// Runs when a block is in place.
void block_is_written(pe_id by) { blocks_in->write(by); }

namespace {

constexpr std::size_t short_block_bytes = 2048;  // a PE, on the average

class block_exchange final : public exchange {
 public:
  block_exchange(std::span<double> x, global_ptr<double> mine, std::vector<global_ptr<double>> copies)
      : x_(x), own_(x.subspan(first(x, this_pe()), first(x, this_pe() + 1) - first(x, this_pe()))), mine_(mine) {
    for (const global_ptr<double>& copy : copies) landing_.push_back(copy + first(x, this_pe()));
  }
  ~block_exchange() override { unshare(mine_); }

  task<void> complete() override {
    if (x_.size_bytes() <= short_block_bytes * static_cast<std::size_t>(pe_count())) return gather();
    return write();
  }

 private:
  task<void> write() {
    const pe_id me = this_pe(), p = pe_count();
    // Each PE begins with the next one, so that not all write to the same.
    for (pe_id i = 1; i < p; ++i) {
      const pe_id to = (me + i) % p;
      spawn(write_to(to));
    }
    flush();  // the product may follow at once, and would keep the other PEs waiting
    for (pe_id i = 1; i < p; ++i) co_await blocks_in->read();
  }

  task<void> write_to(pe_id to) { co_await landing_[pe_index(to)].write(own_).notify<block_is_written>(this_pe()); }

  task<void> gather() {
    const std::vector<std::vector<double>> blocks = co_await all_gather(std::vector<double>(own_.begin(), own_.end()));
    auto to = x_.begin();
    for (const std::vector<double>& block : blocks) to = std::copy(block.begin(), block.end(), to);
  }

  static std::size_t first(std::span<double> x, pe_id pe) {
    return static_cast<std::size_t>(npb::block_first(static_cast<std::int64_t>(x.size()), pe_count(), pe));
  }

  const std::span<double> x_;
  std::span<const double> own_;
  global_ptr<double> mine_;
  std::vector<global_ptr<double>> landing_;  // by PE: where its copy has this PE's block
};

}  // namespace

task<std::unique_ptr<exchange>> make_block_exchange(std::span<double> x) {
  const global_ptr<double> mine = share(x);
  std::vector<global_ptr<double>> copies = co_await all_gather(mine);
  co_return std::make_unique<block_exchange>(x, mine, std::move(copies));
}

}  // namespace cg
