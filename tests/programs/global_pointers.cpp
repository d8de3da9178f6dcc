// Promise: memory of any PE can be read, written, added to and exchanged from any other, one value or
// 16 MiB at a time; concurrent operations on one value are exact; a pointer may be stored in shared
// memory, lead on to another, or to an object; memory that is freed while it is read goes away behind the read.
#include <algorithm>
#include <ranges>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"
#include "tsubu/base/sanitizer.hpp"

using namespace tsubu;

namespace programs::global_pointers {

struct vec {
  double x = 0, y = 0, z = 0;
  bool operator==(const vec&) const = default;
};

struct node {  // a list over PEs
  long value = 0;
  global_ptr<node> next;
};

struct account {
  long balance = 0;
  std::vector<std::string> log;
  void pay(long n, std::string what) {
    balance += n;
    log.push_back(std::move(what));
  }
  std::vector<std::string> entries() const { return log; }
};

task<void> single_values(pe_id pe) {
  auto p = co_await allocate<double>(pe, 100);
  expect(p && p.pe() == pe && p.is_local() == (pe == this_pe()), "the pointer knows its PE");
  for (int i = 0; i < 100; ++i) expect_equal(co_await p[i].read(), 0.0, "memory begins as zero");
  for (int i = 0; i < 100; ++i) p[i].put(i * 0.5);
  for (int i = 0; i < 100; ++i) expect_equal(co_await p[i].read(), i * 0.5, "a value that was put");
  co_await p[7].write(-1);
  expect_equal(co_await (p + 7).read(), -1.0, "a value that was written");
  expect_equal((p + 9) - (p + 2), 7, "a difference");
  auto q = p;
  ++q;
  q += 2;
  expect(q - 3 == p && q != p, "pointers compare");
  if (p.is_local()) expect_equal(p[7].local()[0], -1.0, "local access");
  auto v = co_await allocate<vec>(pe);
  const vec there{1, 2, 3};
  co_await v.write(there);
  expect(co_await v.read() == there, "a struct");
  co_await deallocate(v);
  co_await deallocate(p);
}

task<void> bulks(pe_id pe) {
  constexpr std::size_t most = 16 << 20;
  auto p = co_await allocate<char>(pe, most + 2);
  std::vector<char> out(most), in(most);
  for (std::size_t i = 0; i < most; ++i) out[i] = static_cast<char>(i * 31 + i / 251);
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{7}, std::size_t{4095}, std::size_t{4096}, std::size_t{4097}, std::size_t{8192},
        std::size_t{100'001}, std::size_t{1} << 20, most}) {
    std::fill(in.begin(), in.end(), '\0');
    co_await p.write('a');
    co_await (p + 1).write(std::span<const char>(out.data(), bytes));
    co_await (p + 1 + static_cast<std::ptrdiff_t>(bytes)).write('z');
    co_await (p + 1).read(std::span<char>(in.data(), bytes));
    expect(std::equal(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(bytes), out.begin()),
           "the bytes of a bulk of " + std::to_string(bytes));
    expect(co_await p.read() == 'a', "what is before a bulk");
    expect(co_await (p + 1 + static_cast<std::ptrdiff_t>(bytes)).read() == 'z', "what is behind a bulk");
  }
  co_await p.write(std::span<const char>());
  co_await p.read(std::span<char>());
  co_await deallocate(p);
}

// What is read in one message and freed by the next is there until its bytes have left.
task<void> freed_behind_a_read(pe_id pe) {
  constexpr std::size_t count = std::size_t{1} << 18;
  std::vector<long> out(count), in(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<long>(i * 7);
  for (int round = 0; round < 4; ++round) {
    auto p = co_await allocate<long>(pe, count);
    co_await p.write(std::span<const long>(out));
    std::ranges::fill(in, -1);
    auto is_read = start(p.read(std::span<long>(in)));
    co_await deallocate(p);
    co_await is_read;
    expect(in == out, "what is freed behind a read is read whole");
  }
}

// Many bulks at once, in both directions.
task<void> crossing(global_ptr<long> theirs) {
  const auto own = static_cast<std::size_t>(this_pe());
  std::vector<std::vector<long>> blocks;
  std::vector<task<void>> writes;
  for (std::size_t k = 0; k < 8; ++k) blocks.emplace_back(3000, static_cast<long>(own * 100 + k));
  for (std::size_t k = 0; k < 8; ++k) {
    writes.push_back((theirs + static_cast<std::ptrdiff_t>(3000 * k)).write(std::span<const long>(blocks[k])));
  }
  co_await when_all(std::move(writes));
  std::vector<long> back(3000 * 8);
  co_await theirs.read(std::span<long>(back));
  for (std::size_t i = 0; i < back.size(); ++i)
    expect_equal(back[i], static_cast<long>(own * 100 + i / 3000), "a crossing bulk");
}

task<void> indirections() {
  const pe_id p = pe_count();
  // A ring of nodes, made by PE 0, walked by all.
  global_ptr<node> first;
  if (this_pe() == 0) {
    for (pe_id pe = p - 1; pe >= 0; --pe) {
      auto n = co_await allocate<node>(pe);
      node here;
      here.value = pe;
      here.next = first;
      co_await n.write(here);
      first = n;
    }
  }
  first = co_await broadcast(first);
  long length = 0;
  for (global_ptr<node> at_node = first; at_node; ++length) {
    const node here = co_await at_node.read();
    expect_equal(here.value, length, "a node's value");
    at_node = here.next;
  }
  expect_equal(length, p, "the list's length");

  // A pointer to a pointer to an array.
  auto array = co_await allocate<int>((this_pe() + 1) % p, 10);
  auto pointer = co_await allocate<global_ptr<int>>((this_pe() + 2) % p);
  co_await pointer.write(array);
  co_await (co_await pointer.read())[3].write(33);
  expect_equal(co_await array[3].read(), 33, "a value behind two pointers");
}

task<void> atomics() {
  const pe_id p = pe_count();
  global_ptr<long> counter;
  global_ptr<std::uint32_t> lock;
  global_ptr<long> guarded;
  global_ptr<double> sum;
  if (this_pe() == 0) {
    counter = co_await allocate<long>(p - 1);
    lock = co_await allocate<std::uint32_t>(p / 2);
    guarded = co_await allocate<long>(0);
    sum = co_await allocate<double>(p - 1);
  }
  counter = co_await broadcast(counter);
  lock = co_await broadcast(lock);
  guarded = co_await broadcast(guarded);
  sum = co_await broadcast(sum);

  constexpr long adds = 500;
  long last = -1;
  for (long i = 0; i < adds; ++i) {
    const long before = co_await counter.fetch_add(1);
    expect(before > last, "fetch_add only grows");
    last = before;
    co_await sum.fetch_add(0.5);
  }
  co_await barrier();
  expect_equal(co_await counter.read(), p * adds, "concurrent additions");
  expect_equal(co_await sum.read(), 0.5 * static_cast<double>(p * adds), "concurrent additions of doubles");

  // A lock by compare_exchange around a read and a write: no update is lost.
  const auto me = static_cast<std::uint32_t>(this_pe() + 1);
  for (int i = 0; i < 20; ++i) {
    while (co_await lock.compare_exchange(0, me) != 0) co_await yield();
    const long value = co_await guarded.read();
    co_await guarded.write(value + 1);
    expect_equal(co_await lock.compare_exchange(me, 0), me, "the holder of the lock");
  }
  co_await barrier();
  expect_equal(co_await guarded.read(), 20 * p, "updates under the lock");
  expect_equal(co_await counter.compare_exchange(-5, 1), p * adds, "a compare_exchange that fails");
  expect_equal(co_await counter.read(), p * adds, "and changes nothing");
}

// Every PE asks for what its handlers ask for, too.
pe_local<std::vector<double>> landed_in_handlers;
void ask_again(global_ptr<double> from, std::size_t count) {
  auto& places = *landed_in_handlers;
  places.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) from[static_cast<std::ptrdiff_t>(i)].read_to(&places[i]);
}
task<bool> all_landed(double first) {
  co_await reads_landed();
  for (std::size_t i = 0; i < landed_in_handlers->size(); ++i) {
    if ((*landed_in_handlers)[i] != first + static_cast<double>(i)) co_return false;
  }
  co_return true;
}

task<void> landings() {
  constexpr std::size_t count = 20'000;
  const auto p = static_cast<std::size_t>(pe_count());
  std::vector<double> own(count), places(count);
  for (std::size_t i = 0; i < count; ++i) own[i] = 1e6 * this_pe() + static_cast<double>(i);
  const auto shared = share(std::span(own));
  const auto all = co_await all_gather(shared);
  const auto pointer = [&all, p](std::size_t i) { return all[i % p][static_cast<std::ptrdiff_t>(i)]; };
  const auto right = [&](std::size_t i) { return 1e6 * static_cast<double>(i % p) + static_cast<double>(i); };

  const pe_id neighbour = (this_pe() + 1) % pe_count();
  at(neighbour).past<ask_again>(all[0], count);
  for (std::size_t i = 0; i < count; ++i) {
    pointer(i).read_to(&places[i]);
    if (i % 100 == 0) co_await room_everywhere();
  }
  co_await reads_landed();
  for (std::size_t i = 0; i < count; ++i) expect_equal(places[i], right(i), "a value that has landed");
  expect(co_await at(neighbour).now<all_landed>(0.0), "what a handler has asked for");

  std::fill(places.begin(), places.end(), 0);
  co_await read_each(std::views::iota(std::size_t{0}, count) | std::views::transform(pointer), places);
  for (std::size_t i = 0; i < count; ++i) expect_equal(places[i], right(i), "each value");
  co_await barrier();
  unshare(shared);
}

task<void> objects() {
  const pe_id home = (this_pe() + 1) % pe_count();
  auto a = co_await allocate<account>(home, 3);
  for (int i = 0; i < 3; ++i) {
    at(a[i]).past<&account::pay>(10 * i, "rent " + std::to_string(i));
    co_await at(a[i]).now<&account::pay>(1, "tea");
    const std::vector<std::string> log = co_await at(a[i]).now<&account::entries>();
    expect(log == std::vector<std::string>{"rent " + std::to_string(i), "tea"}, "an object's log");
  }
  co_await deallocate(a);
}

task<void> sharing() {
  std::vector<long> own(24'000, this_pe());
  std::vector<long> nothing;
  auto shared = share(std::span<long>(own));
  auto empty = share(std::span<long>(nothing));
  auto all = co_await all_gather(shared);
  co_await crossing(all[static_cast<std::size_t>((this_pe() + 1) % pe_count())]);
  co_await barrier();
  const long left = (this_pe() + pe_count() - 1) % pe_count();
  expect_equal(own[0], left * 100, "what a neighbour wrote");
  unshare(shared);
  unshare(empty);
}

// The sanitizers' allocators end the program instead of refusing.
task<void> refusals() {
  if (TSUBU_ASAN != 0 || TSUBU_TSAN != 0) co_return;
  try {
    co_await allocate<vec>((this_pe() + 1) % pe_count(), std::uint64_t{1} << 60);
    expect(false, "an array of 2^60 elements is refused");
  } catch (const remote_error& e) {
    expect(e.type().find("bad_a") != std::string::npos, "out of memory: " + e.type());
  }
}

task<int> program(arguments) {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    co_await single_values(pe);
    if (this_pe() == 0) co_await bulks(pe);
    co_await freed_behind_a_read(pe);
  }
  co_await indirections();
  co_await atomics();
  co_await landings();
  co_await objects();
  co_await sharing();
  co_await refusals();
  co_await barrier();
  co_return 0;
}

const test::joined_program entry("global_pointers", run_spmd, program);

}  // namespace programs::global_pointers
