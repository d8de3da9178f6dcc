// Promise: independent objects that were created anywhere() go to the PEs that have nothing to do: 200 of 0.4 ms each
// are all run, each once, and where time is the job's own, in a simulated one, they take little longer than their share
// of it.
#include <bit>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tsubu/base/clock.hpp"

using namespace tsubu;

namespace {

pe_local<int> runs_here;
int take_runs() { return *runs_here; }

struct part : object<part> {
  int number = 0;
  part() = default;
  explicit part(int n) : number(n) {}
  int run() {
    work(1e6);  // clocks, of 0.4 ns on the machine `cluster`
    ++*runs_here;
    return number;
  }
  template <class Archive>
  void serialize(Archive& a) {
    a(number);
  }
};

task<int> program(arguments) {
  constexpr int count = 200;
  const std::int64_t start_ns = now_ns();
  std::vector<ref<part>> parts;
  for (int i = 0; i < count; ++i) parts.push_back(create<part>(anywhere(), i));
  const std::vector<int> answers = co_await now_all<&part::run>(parts);
  const double seconds = static_cast<double>(now_ns() - start_ns) * 1e-9;
  for (int i = 0; i < count; ++i) expect_equal(answers[static_cast<std::size_t>(i)], i, "the answer of a part");
  expect_equal(co_await everywhere().now<take_runs>(reduce::plus), count, "how many have been run");
  if (simulated != nullptr) {
    // Work spreads in as many steps as the number of PEs has binary digits; a PE answers between two parts.
    const double part_seconds = 400e-6;
    const double share = part_seconds * ((count + pe_count() - 1) / pe_count());
    const int steps = std::bit_width(static_cast<unsigned>(pe_count() - 1));
    expect(seconds < share + (1 + 2 * steps) * part_seconds,
           "the parts took " + std::to_string(seconds) + " s; a PE's share is " + std::to_string(share) + " s");
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
