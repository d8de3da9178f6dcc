// Global pointers: memory of one PE that every PE may read and write.
//
// A global_ptr is 16 bytes and may be sent, stored and pointed to. Each access is checked where the
// memory is. The PE that owns the memory executes the accesses one after the other, so that a
// fetch_add needs no atomic instruction.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

using namespace tsubu;

// Takes numbers off a shared counter until there are none left. Returns how many it got.
task<long> take_tickets(global_ptr<long> next, long end) {
  long taken = 0;
  while (co_await next.fetch_add(1) < end) ++taken;
  co_return taken;
}

// What a column of a matrix comes to on the PE that has the matrix. It is told when the column is in place.
constexpr std::size_t rows = 50, width = 200;
pe_local<double> column_sum;
void column_came(global_ptr<double> column) {
  for (std::size_t r = 0; r < rows; ++r) *column_sum += column.local()[r * width];
}
double sum_there() { return *column_sum; }

// An object that lives in shared memory: its methods run where it is.
class thermometer {
 public:
  void record(double degrees) {
    if (readings_ == 0 || degrees > highest_) highest_ = degrees;
    ++readings_;
  }
  double highest() const { return highest_; }
  int readings() const { return readings_; }

 private:
  double highest_ = 0;
  int readings_ = 0;
};

task<int> program(arguments) {
  const pe_id last = pe_count() - 1;
  bool right = true;

  // An array on another PE, all zero at first.
  constexpr std::size_t n = 10'000;
  global_ptr<double> array = co_await allocate<double>(last, n);
  co_await array[7].write(1.5);
  right = right && co_await array[7].read() == 1.5;
  right = right && co_await array[8].read() == 0;

  // Many elements at once, straight from and to the vectors. These must stay until the await returns.
  std::vector<double> out(n), in(n);
  std::iota(out.begin(), out.end(), 0.0);
  co_await array.write(out);
  co_await array.read(in);
  right = right && in == out;

  // A matrix of 50 rows. Its third column is written, and then column_came runs there: one message. What `notify` gives
  // is awaited before the values are changed or go away.
  const global_ptr<double> column = array[2];
  co_await column.strided(rows, 1, width).write(std::span(out).first(rows)).notify<column_came>(column);
  right = right && co_await at(last).now<sum_there>() == rows * (rows - 1) / 2;
  // And back, from where `out` has the same elements.
  co_await column.strided(rows, 1, width).write(strided_span(&out[2], rows, 1, width));

  // Single elements, here and there: a hundred requests at a time, which share batches, as do their answers.
  std::vector<std::size_t> wanted(2'000);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = i * 7'919 % n;
  double sum = 0, expected = 0;
  co_await for_each_in_flight(wanted, 100, [&](std::size_t i) -> task<void> { sum += co_await array[i].read(); });
  for (std::size_t i : wanted) expected += out[i];
  right = right && sum == expected;
  co_await deallocate(array);

  // Every PE draws from one counter.
  global_ptr<long> counter = co_await allocate<long>(last);
  const long drawn = co_await everywhere().now<take_tickets>(reduce::plus, counter, 100L);
  right = right && drawn == 100;

  // Only if it is still what it was: the value before tells whether that was so.
  const long before = co_await counter.read();
  right = right && co_await counter.compare_exchange(before, 5L) == before;
  right = right && co_await counter.read() == 5;

  // Any operation is one step for all who use the value: fetch_or, fetch_min and the like, or a function of one's own.
  co_await counter.fetch_max(20);
  const long twenty = co_await counter.fetch_apply<[](long value, long by) { return value * by; }>(3L);
  right = right && twenty == 20 && co_await counter.read() == 60;

  global_ptr<thermometer> roof = co_await allocate<thermometer>(last);
  for (double degrees : {12.5, 19.0, 16.5}) at(roof).past<&thermometer::record>(degrees);
  std::printf("%g degrees\n", co_await at(roof).now<&thermometer::highest>());
  right = right && co_await at(roof).now<&thermometer::readings>() == 3;

  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
