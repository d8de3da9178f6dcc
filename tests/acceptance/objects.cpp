// Rows A18, A19, A30 of the ABCL/EM-4 paper: concurrent objects.
//   A18, A19  fib(n) by an object a call is F(n), with 2 F(n) - 1 objects, which count themselves; wherever they are
//   put A30       a call of an object on the same PE that need not wait runs on its caller's stack
// Method for A30: when the call returns the method has run, close by on the stack, and no packet was sent; a call of an
// object on another PE takes one, and another one back. The times are shown beside that, and judge nothing.
#include <tsubu/tsubu.hpp>

#include <string>
#include <utility>

#include "apps/fib/call.hpp"
#include "tests/acceptance/rows.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/ledger.hpp"

using namespace tsubu;

namespace {

std::int64_t take_calls() { return std::exchange(*fib::calls_here, 0); }

task<void> fib_rows(fib::placement where, std::string name) {
  constexpr int last = 21;
  std::int64_t value = 0, calls = 0;
  bool values_right = true, calls_right = true;
  for (int n = 1; n <= last; ++n) {
    value = co_await fib::compute(n, where);
    calls = co_await everywhere().now<take_calls>(reduce::plus);
    values_right = values_right && value == fib::expected(n);
    calls_right = calls_right && calls == fib::expected_calls(n);
  }
  const std::string on = ", objects " + name + ", on " + std::to_string(pe_count()) + " PEs";
  acceptance::row("A18", "objects of fib(21)" + on, "21891", std::to_string(calls), calls_right && calls == 21891);
  acceptance::row("A19", "fib(21)" + on, "10946", std::to_string(value), values_right && value == 10946);
}

// The packets that this PE has sent so far, those to itself included.
std::uint64_t packets_sent() {
  flush();  // an open run is counted when it is closed
  return message::this_endpoint->counted().packets_sent;
}

class cell : public object<cell> {
 public:
  // Says where on the stack it ran.
  std::uintptr_t put(long value) {
    value_ = value;
    ++*puts_here;
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  }
  long get() { return value_; }

  static inline pe_local<int> puts_here;

 private:
  long value_ = 0;
};

struct cost {
  std::uint64_t packets = 0;
  double ns = 0;
};

task<cost> cost_of_call(ref<cell> of) {
  constexpr int times = 1000;
  cost found;
  const std::uint64_t before = packets_sent();
  co_await of.now<&cell::put>(1);
  found.packets = packets_sent() - before;
  const double start = acceptance::seconds();
  for (int i = 0; i < times; ++i) co_await of.now<&cell::put>(i);
  found.ns = (acceptance::seconds() - start) * 1e9 / times;
  co_return found;
}

task<void> local_call_row() {
  const ref<cell> near = create<cell>(here()), far = create<cell>(at(pe_count() - 1));
  co_await near.now<&cell::get>();
  co_await far.now<&cell::get>();

  // A past message: nobody waits for it, and yet it has run.
  const int puts = *cell::puts_here;
  const std::uint64_t before = packets_sent();
  near.past<&cell::put>(7);
  const bool at_once = *cell::puts_here == puts + 1 && packets_sent() == before;

  const auto own_frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t method_frame = co_await near.now<&cell::put>(8);
  const bool on_stack = method_frame < own_frame && own_frame - method_frame < 65536;

  const cost local = co_await cost_of_call(near);
  const cost remote = co_await cost_of_call(far);
  acceptance::row("A30", "packets that a caller sends, to its own PE and to another",
                  "0, on the stack; remote >= 3 x dearer",
                  std::to_string(local.packets) + " against " + std::to_string(remote.packets) + " (" +
                      acceptance::digits(local.ns, 0) + " and " + acceptance::digits(remote.ns, 0) + " ns)",
                  at_once && on_stack && local.packets == 0 && remote.packets >= 1);
}

task<int> program(arguments) {
  co_await fib_rows(fib::placement::here, "on one PE");
  co_await fib_rows(fib::placement::paper, "on the next two PEs");
  co_await fib_rows(fib::placement::anywhere, "anywhere");
  if (pe_count() > 1) co_await local_call_row();
  co_return acceptance::verdict();
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
