// What is counted: one PE sends itself messages and executes them, reads, adds and asks, `--thousands N` times 1,000 of
// the kind that `--kind` names.
//
//   past     messages of 4 bytes to a function
//   mixed    each for another function than the one before
//   object   to dormant objects
//   create   an object is made, asked, and ends
//   add      to elements of a shared array
//   read     of values of this PE by `read_each`
#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

constexpr std::uint32_t block = 1000;
constexpr std::size_t places = 64;

pe_local<std::uint64_t> received;

void receive(std::uint32_t x) { *received += x; }
void receive_other(std::uint32_t x) { *received += x; }

struct adder : object<adder> {
  void add(std::uint32_t x) { *received += x; }
};

struct one_shot : object<one_shot> {
  std::uint32_t kept;
  explicit one_shot(std::uint32_t x) : kept(x) {}
  std::uint32_t answer() {
    retire();
    return kept;
  }
};

// Each block is sent by a function of its own, so that the loop is what a program's loop over its data is.
void send_past(std::uint32_t first) {
  for (std::uint32_t i = 0; i < block; ++i) at(0).past<receive>(first + i);
}

void send_mixed(std::uint32_t first) {
  for (std::uint32_t i = 0; i < block; i += 2) {
    at(0).past<receive>(first + i);
    at(0).past<receive_other>(first + i + 1);
  }
}

void send_to_objects(const std::array<ref<adder>, places>& to, std::uint32_t first) {
  for (std::uint32_t i = 0; i < block; ++i) to[i % places].past<&adder::add>(first + i);
}

void add_to_elements(shared_array<std::uint64_t> array, std::uint32_t first) {
  for (std::uint32_t i = 0; i < block; ++i) array[i % places].add<reduce::plus>(first + i);
}

task<void> past_blocks(std::uint32_t blocks, bool mixed) {
  for (std::uint32_t b = 0; b < blocks; ++b) {
    (mixed ? send_mixed : send_past)(b * block);
    co_await room_everywhere();
  }
  co_await quiescence();
}

task<void> object_blocks(std::uint32_t blocks) {
  std::array<ref<adder>, places> adders;
  for (ref<adder>& a : adders) a = create<adder>(here());
  co_await quiescence();
  for (std::uint32_t b = 0; b < blocks; ++b) {
    send_to_objects(adders, b * block);
    co_await room_everywhere();
  }
  co_await quiescence();
}

task<void> create_blocks(std::uint32_t blocks) {
  for (std::uint32_t i = 0; i < blocks * block; ++i) {
    const ref<one_shot> made = create<one_shot>(here(), i);
    *received += co_await made.now<&one_shot::answer>();
  }
}

task<void> add_blocks(std::uint32_t blocks) {
  shared_array<std::uint64_t> array =
      co_await create_shared_array<std::uint64_t>(places, by_block(), protocol::global, std::uint64_t{0});
  for (std::uint32_t b = 0; b < blocks; ++b) {
    add_to_elements(array, b * block);
    co_await room_everywhere();
  }
  co_await quiescence();
  for (std::size_t i = 0; i < places; ++i) *received += co_await array[i].read();
}

task<void> read_blocks(std::uint32_t blocks) {
  std::vector<std::uint64_t> values(block);
  std::vector<std::uint64_t> got(block);
  const global_ptr<std::uint64_t> shared = share(std::span(values));
  for (std::uint32_t b = 0; b < blocks; ++b) {
    std::iota(values.begin(), values.end(), std::uint64_t{b} * block);
    const auto pointers = std::views::iota(0U, block) |
                          std::views::transform([shared](std::uint32_t i) { return shared[i * 7 % block]; });
    co_await read_each(pointers, std::span(got));
    *received += std::accumulate(got.begin(), got.end(), std::uint64_t{0});
  }
}

std::string kind_of(const arguments& args) {
  const auto name = std::ranges::find(args, "--kind");
  return args.end() - name < 2 ? "past" : name[1];
}

task<void> blocks_of(std::string kind, std::uint32_t blocks) {
  if (kind == "past" || kind == "mixed") return past_blocks(blocks, kind == "mixed");
  if (kind == "object") return object_blocks(blocks);
  if (kind == "create") return create_blocks(blocks);
  if (kind == "add") return add_blocks(blocks);
  if (kind == "read") return read_blocks(blocks);
  fail("there is no kind '" + kind + "'");
}

task<int> program(arguments args) {
  const auto blocks = static_cast<std::uint32_t>(option(args, "--thousands", 100));
  const std::string kind = kind_of(args);
  task<void> counted = blocks_of(kind, blocks);
  co_await std::move(counted);
  const std::uint64_t n = std::uint64_t{blocks} * block;
  expect_equal(*received, n * (n - 1) / 2, "the sum of what was received");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
