// The three kinds of send.
//
//   past     no reply; the sender goes on
//   now      the sender waits for the reply
//   future   the sender goes on, and takes the reply later
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <vector>

using namespace tsubu;

// A variable of which every PE has its own. A plain global would be shared by the PEs of one process
// and not by those of another.
pe_local<long> account;

void deposit(long amount) { *account += amount; }
long balance() { return *account; }
long square(long x) { return x * x; }

task<int> program(arguments) {
  const pe_id last = pe_count() - 1;
  bool right = true;

  // A million messages, and not one wait. They travel many to a batch.
  constexpr long deposits = 1'000'000;
  for (long i = 0; i < deposits; ++i) at(last).past<deposit>(2);

  // Messages from one PE to another are executed in the order they were sent: this sees every deposit.
  const long total = co_await at(last).now<balance>();
  std::printf("balance on PE %d: %ld\n", last, total);
  right = right && total == 2 * deposits;

  // Ask all, then collect: the round trips overlap.
  std::vector<future<long>> squares;
  for (const pe_id pe : all_pes()) squares.push_back(at(pe).future<square>(pe));
  for (const pe_id pe : all_pes()) right = right && co_await squares[pe_index(pe)] == pe * pe;

  // The same to every PE at once: a vector of the replies, or one value if an operation combines them.
  const std::vector<long> balances = co_await everywhere().now<balance>();
  right = right && balances.size() == all_pes().size() && balances.back() == total;
  right = right && co_await everywhere().now<balance>(reduce::plus) == total;

  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
