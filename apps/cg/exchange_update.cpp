// Only what is referred to, a message of an index and a value for each element: EM-X's remote write, 12 bytes on the
// way.
#include "apps/cg/exchange.hpp"
#include "apps/npb/exchange_counts.hpp"
#include "tsubu/tsubu.hpp"

namespace cg {

using namespace tsubu;

// The copy that arriving elements belong to, and the PEs that have sent all of theirs.
static pe_local<std::span<double>> arriving_in;
static pe_local<tsubu::sync<pe_id>> updates_in;

void set_element(std::int32_t index, double value) { (*arriving_in)[static_cast<std::size_t>(index)] = value; }

// Sent behind a PE's elements. Messages between two PEs keep their order, so they are in place when this runs.
void elements_are_written(pe_id by) { updates_in->write(by); }

namespace {

// Global indices of elements, by PE.
using element_lists = std::vector<std::vector<std::int32_t>>;

class update_exchange final : public exchange {
 public:
  update_exchange(std::span<double> x, element_lists wanted) : x_(x), wanted_(std::move(wanted)) {}

  task<void> complete() override {
    const pe_id me = this_pe(), p = pe_count();
    for (pe_id i = 1; i < p; ++i) {
      const pe_id to = (me + i) % p;
      for (const std::int32_t index : wanted_[static_cast<std::size_t>(to)]) {
        co_await at(to).past<set_element>(index, x_[static_cast<std::size_t>(index)]);
      }
      at(to).past<elements_are_written>(me);
    }
    flush();  // the product may follow at once, and would keep the other PEs waiting
    for (pe_id i = 1; i < p; ++i) co_await updates_in->read();
  }

 private:
  std::span<const double> x_;
  element_lists wanted_;  // elements of this PE that each other one refers to
};

}  // namespace

task<std::unique_ptr<exchange>> make_update_exchange(const npb::csr& rows, std::span<double> x) {
  *arriving_in = x;
  element_lists needed = npb::needed_elements(rows, rows.columns, pe_count(), this_pe());
  element_lists wanted = co_await all_to_all(std::move(needed));
  co_return std::make_unique<update_exchange>(x, std::move(wanted));
}

}  // namespace cg
