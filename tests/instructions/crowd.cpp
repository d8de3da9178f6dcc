// The crowd whose instructions are counted: one PE sends itself messages of 4 bytes, and executes them. With --mixed
// each is for another function than the one before.
#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

pe_local<std::uint64_t> received;

void receive(std::uint32_t x) { *received += x; }
void receive_other(std::uint32_t x) { *received += x; }

// On its own, so that the loop is what a program's loop over its data is.
void send_block(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) at(0).past<receive>(first + i);
}

void send_mixed_block(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; i += 2) {
    at(0).past<receive>(first + i);
    at(0).past<receive_other>(first + i + 1);
  }
}

task<int> program(arguments args) {
  constexpr std::uint32_t block = 1000;
  const auto blocks = static_cast<std::uint32_t>(option(args, "--thousands", 100));
  const bool mixed = option(args, "--mixed", 0) != 0;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    (mixed ? send_mixed_block : send_block)(b * block, block);
    co_await room_everywhere();
  }
  co_await quiescence();
  const std::uint64_t n = std::uint64_t{blocks} * block;
  expect_equal(*received, n * (n - 1) / 2, "the sum of what was received");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
