// The program of flips as a job on a real transport, one of whose batches is damaged on the way.
//
//   damaged_job SEED     tells on the standard error what it damaged. tests/flips/on_transports runs many.
#include <cstdlib>
#include <mutex>

#include "tests/flips/damage.hpp"
#include "tests/flips/program.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/run/transports.hpp"
#include "tsubu/transport/layer.hpp"

using namespace tsubu;

namespace {

// About as many batches arrive at a PE, the handshake's among them.
constexpr std::uint64_t batches_of_a_pe = 40;

std::uint64_t seed = 1;

// Hands on what another transport does, but damages a batch that arrives.
class damaged final : public transport::layer {
 public:
  explicit damaged(transport& below) : layer(below) {
    std::mt19937_64 random(seed);
    if (static_cast<pe_id>(random() % static_cast<std::uint64_t>(pe_count_)) != pe_) harm_.done = true;
    harm_.at_batch = random() % batches_of_a_pe;
    harm_.random.seed(random());
    harm_.told = true;
  }

  ::tsubu::transport::batch* poll() override {
    ::tsubu::transport::batch* const b = layer::poll();
    if (b == nullptr) return nullptr;
    const std::uint32_t size = b->size;
    harm_(*b, {b->data(), b->size});
    if (b->is_bulk()) {
      b->size = size;  // its head was looked at when it came
      harm_(*b, {b->bulk_data, b->bulk_bytes});
    }
    return b;
  }

 private:
  test::damage harm_;
};

struct inner {
  transport::pe_main body;
  void* argument;
};

int run_damaged(transport::transport& own_end, void* argument) {
  const auto& in = *static_cast<const inner*>(argument);
  damaged way(own_end);
  return in.body(way, in.argument);
}

// On what the launcher of this process suggests.
int launch(const transport::launch_settings& how, transport::job_body body, void* argument) {
  inner in{body.each, argument};
  return run_detail::choose_transport(settings{})(how, run_damaged, &in);
}

task<int> program(arguments) {
  co_await test::program();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: damaged_job SEED [OPTION...]\n");
    return exit_code::usage;
  }
  seed = std::strtoull(argv[1], nullptr, 10);
  run_detail::use_launcher(launch);
  return run_spmd(argc, argv, program);
}
