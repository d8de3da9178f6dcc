// MTTL's calls, all forms of them, on any layer: rows M8, M18, M19, M21.
// Promise: what tsubu/mpc.hpp says of each. Method: each is called and its effect looked at, from node 0 and elsewhere.
#include <mpcxx.h>

#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/acceptance/rows.hpp"
#include "tsubu/mpc/global_ptr_messages.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/task/sleep.hpp"

namespace {

int failures = 0;

void expect(bool good, const char* what, int line) {
  if (good) return;
  ++failures;
  std::printf("mttl.cpp:%d: node %d: not so: %s\n", line, myNode, what);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

// ---- functions

int add(int a, int b) { return 100 * myNode + a + b; }
double half(const double& x) { return x / 2; }
std::string join(std::string a, const std::vector<std::string>& b) { return std::accumulate(b.begin(), b.end(), a); }
template <class T>
T twice(T x) {
  return x + x;
}
tsubu::pe_local<int> noted;
void note(int n) { *noted = n; }
int noted_here() { return *noted; }
int refuse(int) { throw std::invalid_argument("not today"); }
// Blocks: asks another node in turn.
int relay(int hops, int sum) {
  if (hops == 0) return sum;
  int result = 0;
  invoke(result, (myNode + 1) % numNode, relay, hops - 1, sum + myNode);
  return result;
}
std::vector<int> iota(int n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 0);
  return v;
}
long sum_of(const std::vector<int>& v) { return std::accumulate(v.begin(), v.end(), 0L); }

void functions(int there) {
  int i = 0;
  invoke(i, there, add, 1, 2);
  EXPECT(i == 100 * there + 3);
  double d = 0;
  invoke(d, there, half, 3);  // an int, made a double before it travels
  EXPECT(d == 1.5);
  std::string s;
  invoke(s, there, join, "a", std::vector<std::string>{"b", "c"});
  EXPECT(s == "abc");
  invoke(i, there, twice<int>, 21);
  EXPECT(i == 42);
  invoke(i, there, +[](int x) { return x + 1; }, 1);
  EXPECT(i == 2);
  invoke(there, note, 7);
  invoke(i, there, noted_here);
  EXPECT(i == 7);
  invoke(i, there, relay, 2 * numNode, 0);
  EXPECT(i == numNode * (numNode - 1));

  // Arguments and results above the split limit.
  const counters before = counted();
  std::vector<int> many;
  invoke(many, there, iota, 100'000);
  EXPECT(many.size() == 100'000 && many[99'999] == 99'999);
  long sum = 0;
  invoke(sum, there, sum_of, many);
  EXPECT(sum == 99'999L * 100'000 / 2);
  if (there != myNode) EXPECT((counted() - before).nsend == 1 && (counted() - before).asend == 2);

  Sync<int> results;
  for (int n = 0; n < 10; ++n) ainvoke(results, there, add, n, 0);
  for (int n = 0; n < 10; ++n) EXPECT(results.read() == 100 * there + n);
  ainvoke(there, note, 8);
  yield();  // invoke on the own node is a call; elsewhere the thread of ainvoke was made first
  invoke(i, there, noted_here);
  EXPECT(i == 8);
  {
    Sync<int> unwanted;
    ainvoke(unwanted, there, add, 0, 0);
  }

  if (there != myNode) {
    try {
      invoke(i, there, refuse, 0);
      expect(false, "remote exceptions come back", __LINE__);
    } catch (const tsubu::remote_error& e) {
      EXPECT(e.pe() == there && e.message() == "not today");
    }
    ainvoke(results, there, refuse, 0);
    try {
      results.read();
      expect(false, "remote exceptions come out of a Sync", __LINE__);
    } catch (const tsubu::remote_error& e) {
      EXPECT(e.type() == "std::invalid_argument");
    }
  }
}

// ---- objects and global pointers

struct base {
  int id = 5;
  int name() const { return id; }
};
struct particle : base {
  double x = 0;
  void move(double by) { x += by; }
  double where() const { return x; }
  double jump(double by) { return x += by; }
};

struct pixel {
  unsigned char red, green, blue;
};

void pointers(int there) {
  const GlobalPtr<particle> object = remoteAlloc<particle>(there);
  EXPECT(object.node() == there);
  invoke(object, &particle::move, 1.5);
  double x = 0;
  invoke(x, object, &particle::where);
  EXPECT(x == 1.5);
  invoke(x, object, &particle::jump, 1);
  EXPECT(x == 2.5);
  int id = 0;
  invoke(id, object, &particle::name);  // of its base class
  EXPECT(id == 5);
  ainvoke(object, &particle::move, 0.5);
  Sync<double> position;
  ainvoke(position, object, &particle::where);
  EXPECT(position.read() == 3);
  if (there == myNode) EXPECT(object.addr()->x == 3);
  remoteFree(object);

  const int n = 10'000;
  const GlobalPtr<double> array = remoteAlloc<double>(there, n);
  std::vector<double> out(n), in(n);
  std::iota(out.begin(), out.end(), 0.0);
  array.nwrite(out.data(), n);  // a split write
  array.nread(in.data(), n);    // behind it, in order
  EXPECT(in == out);
  (array + 3).nwrite(&out[7], 2);
  EXPECT(array[3] == 7 && *(array + 4) == 8 && array[5] == 5);
  array[5] = 2 * array[3];
  EXPECT(array[5] == 14);
  GlobalPtr<double> p = array;
  ++p;
  p += 2;
  EXPECT(p - array == 3 && p-- == array + 3 && p == array + 2 && static_cast<bool>(p) &&
         !static_cast<bool>(GlobalPtr<int>()));
  remoteFree(array);

  // To arrays, to global pointers, to types of the program.
  const GlobalPtr<int[4]> rows = remoteAlloc<int[4]>(there, 3);
  rows[2][1] = 21;
  int row[4] = {};
  (rows + 2).nread(&row, 1);
  EXPECT(row[1] == 21 && rows[2][1] == 21);
  remoteFree(rows);
  int here = 9;
  const GlobalPtr<GlobalPtr<int>> to_pointer = remoteAlloc<GlobalPtr<int>>(there);
  *to_pointer = GlobalPtr<int>(&here);
  const GlobalPtr<int> followed = *to_pointer;
  EXPECT(followed.node() == myNode && followed == GlobalPtr<int>(&here) && *followed == 9);
  followed.withdraw();
  remoteFree(to_pointer);
  const GlobalPtr<pixel> image = remoteAlloc<pixel>(there, 5);
  image[4] = pixel{1, 2, 3};
  const pixel last = image[4];
  EXPECT(last.blue == 3);
  remoteFree(image);
}

// ---- M19: Sync

tsubu::pe_local<Sync<int>> box;
tsubu::pe_local<std::vector<int>> log_;

void read_once(int tag) {
  const int value = box->read();
  log_->push_back(100 * tag + value);
}
void write_some(int first, int n) {
  for (int i = 0; i < n; ++i) box->write(first + i);
}

bool sync_is_as_described() {
  Sync<int> s;
  bool good = s.queueLength() == 0;
  s.write(1);
  s.write(2);
  good &= s.queueLength() == 2 && s.peek() == 1 && s.queueLength() == 2;
  int value = 0;
  s.peek(value);
  good &= value == 1;
  s.read(value);
  good &= value == 1 && s.read() == 2 && s.queueLength() == 0;

  // Readers block while it is empty, and are served in the order in which they came.
  log_->clear();
  for (int tag = 1; tag <= 3; ++tag) ainvoke(myNode, read_once, tag);
  for (int i = 0; i < 5; ++i) yield();
  good &= log_->empty();
  ainvoke(myNode, write_some, 1, 2);
  ainvoke(myNode, write_some, 3, 1);  // several writers
  for (int i = 0; i < 5; ++i) yield();
  good &= *log_ == std::vector<int>{101, 202, 303} && box->queueLength() == 0;
  return good;
}

// ---- M18: threads are not preempted

tsubu::pe_local<std::string> order;

void spin_ms(int ms) {
  const double end = acceptance::seconds() + ms * 1e-3;
  while (acceptance::seconds() < end) {
  }
}
void spinner() {
  *order += 'a';
  spin_ms(20);
  *order += 'b';
  yield();
  *order += 'e';
  box->read();
  *order += 'h';
}
void other() {
  *order += 'c';
  spin_ms(5);
  *order += 'd';
}
void writer() {
  *order += 'f';
  box->write(0);
  spin_ms(5);
  *order += 'g';
}

bool switches_only_where_it_may() {
  order->clear();
  *order += Thread::numReadyThreads > 0 ? '1' : '0';
  ainvoke(myNode, spinner);
  ainvoke(myNode, other);
  *order += Thread::numReadyThreads > 0 ? '1' : '0';
  Thread::resched(0);  // a b, to its yield; c d, to its end
  ainvoke(myNode, writer);
  for (int i = 0; i < 4; ++i) yield();
  return *order == "01abcdefgh";
}

// While a thread of a node spins, what arrives there waits.
tsubu::pe_local<int> arrived_while_spinning;
void count_arrival() { ++*arrived_while_spinning; }
void spin_on(int ms) {
  *arrived_while_spinning = 0;
  const GlobalPtr<int> self(&*arrived_while_spinning);
  ainvoke(0, +[](GlobalPtr<int> where) { invoke(where.node(), count_arrival); }, self);
  yield();  // lets the message go
  const int before = *arrived_while_spinning;
  spin_ms(ms);
  if (*arrived_while_spinning != before) ++failures;
}

// ---- barriers and reductions

// Round by round every node writes to every other, small and split, and looks at what it got.
int exchange(int rounds, std::vector<GlobalPtr<int>> areas, int words) {
  Barrier barrier;
  Reduction<long> reduction;
  int bad = 0;
  std::vector<int> data(static_cast<std::size_t>(words));
  for (int round = 1; round <= rounds; ++round) {
    for (int i = 1; i <= numNode; ++i) {
      const int to = (myNode + i) % numNode;
      const int n = (round + to) % 3 == 0 ? words : 1 + (round + myNode) % 5;
      std::fill_n(data.begin(), n, 1000 * round + myNode);
      GlobalPtr<int> mine = areas[static_cast<std::size_t>(to)] + std::int64_t{myNode} * words;
      for (int k = 0; k < 1 + round % 3; ++k) mine.nwrite(data.data(), n);
      (mine + n - 1).nwrite(&data[0], 1);
    }
    barrier.exec();
    const int* here = areas[static_cast<std::size_t>(myNode)].addr();
    for (int from = 0; from < numNode; ++from) {
      const int n = (round + myNode) % 3 == 0 ? words : 1 + (round + from) % 5;
      for (int k = 0; k < n; ++k) bad += here[from * words + k] != 1000 * round + from ? 1 : 0;
    }
    // Keeps the next round's writes away until all have looked.
    const long p = numNode;
    if (reduction.exec(myNode + 1, tsubu::reduce::plus) != p * (p + 1) / 2) ++bad;
    if (round % 10 == 0) {
      std::vector<long> v(static_cast<std::size_t>(round), myNode);
      reduction.exec(v.data(), std::ssize(v), tsubu::reduce::max);
      for (const long x : v) bad += x != p - 1 ? 1 : 0;
    }
  }
  return bad;
}

// Who comes to a barrier last finds the others' parts there, waits for nothing, and computes for long (where that takes
// time: in a simulation). The others are let go before.
int held_up_by_the_last() {
  Barrier barrier;
  barrier.exec();
  if (myNode + 1 == numNode) tsubu::wait(tsubu::sleep_for(std::chrono::milliseconds(20)));
  const double before = acceptance::seconds();
  barrier.exec();
  const bool held_up = acceptance::seconds() - before > 1;
  tsubu::work(1e11);
  return held_up ? 1 : 0;
}

tsubu::pe_local<std::vector<int>> area;
GlobalPtr<int> make_area(int words) {
  area->assign(static_cast<std::size_t>(words * numNode), 0);
  return {area->data(), std::ssize(*area)};
}

void barriers() {
  constexpr int words = 5000;
  std::vector<GlobalPtr<int>> areas;
  for (int node = 0; node < numNode; ++node) {
    GlobalPtr<int> made;
    invoke(made, node, make_area, words);
    areas.push_back(made);
  }
  const auto bad = std::make_unique<Sync<int>[]>(static_cast<std::size_t>(numNode));
  for (int node = 0; node < numNode; ++node)
    ainvoke(bad[static_cast<std::size_t>(node)], node, exchange, 100, areas, words);
  for (int node = 0; node < numNode; ++node) EXPECT(bad[static_cast<std::size_t>(node)].read() == 0);
  for (int node = 0; node < numNode; ++node) ainvoke(bad[static_cast<std::size_t>(node)], node, held_up_by_the_last);
  for (int node = 0; node < numNode; ++node) EXPECT(bad[static_cast<std::size_t>(node)].read() == 0);
}

int test_from(int node) {
  for (int there = 0; there < numNode; ++there) {
    functions(there);
    pointers(there);
  }
  if (!sync_is_as_described() || !switches_only_where_it_may()) ++failures;
  return node == myNode ? failures : 1;
}

}  // namespace

int mpc_main(int argc, char** argv) {
  EXPECT(argc == 2 && std::string(argv[1]) == "an argument");
  for (int node = 0; node < numNode; ++node) {
    int bad = 0;
    invoke(bad, node, test_from, node);
    EXPECT(bad == 0);
  }
  for (int node = 1; node < numNode; ++node) invoke(node, spin_on, 10);
  barriers();

  using acceptance::row;
  const std::string layer(tsubu::transport_name());
  row("M8", "bytes of a remote write beside the data", ">= 16", std::to_string(write_header_bytes),
      write_header_bytes >= 16);
  row("M8", "bytes of a remote read beside the data", ">= 24", std::to_string(read_header_bytes),
      read_header_bytes >= 24);
  const std::string switches = switches_only_where_it_may() ? "only there" : "elsewhere";
  row("M18", "threads switch at sync, yield, end; a spinning one is not preempted", "only there", switches,
      switches == "only there");
  const bool sync = sync_is_as_described();
  row("M19", "Sync: FIFO, peek, queueLength, read blocks", "as described", sync ? "as described" : "not so", sync);
  row("M21", "MTTL's test passes on layer " + layer + ", " + std::to_string(numNode) + " nodes", "0 failures",
      std::to_string(failures) + " failures", failures == 0);
  return acceptance::verdict();
}
