// The program of flips as a job on a real transport, one of whose batches is damaged on the way.
//
//   damaged_job SEED     tells on the standard error what it damaged. tests/flips/on_transports runs many.
#include <cstdlib>
#include <mutex>

#include "tests/flips/damage.hpp"
#include "tests/flips/program.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/run/transports.hpp"

using namespace tsubu;

namespace {

// About as many batches arrive at a PE, the handshake's among them.
constexpr std::uint64_t batches_of_a_pe = 40;

std::uint64_t seed = 1;

// Hands on what another transport does, but damages a batch that arrives.
class damaged final : public transport::transport, private ::tsubu::transport::receiver {
 public:
  using batch = ::tsubu::transport::batch;
  using bulk_source = ::tsubu::transport::bulk_source;

  explicit damaged(transport& below) : below_(below) {
    pe_ = below.pe();
    pe_count_ = below.pe_count();
    pes_per_process_ = below.pes_per_process();
    batch_bytes_ = below.batch_bytes();
    hops_ = below.hops();
    shares_cores_ = below.shares_cores();
    spin_polls_ = below.spin_polls();
    below_.set_receiver(this);
    std::mt19937_64 random(seed);
    if (static_cast<pe_id>(random() % static_cast<std::uint64_t>(pe_count_)) != pe_) harm_.done = true;
    harm_.at_batch = random() % batches_of_a_pe;
    harm_.random.seed(random());
    harm_.told = true;
  }

  batch* acquire() override { return below_.acquire(); }
  int post(batch* filled, pe_id to) override { return below_.post(filled, to); }
  int post_bulk(batch* head, pe_id to, bulk_source source) override { return below_.post_bulk(head, to, source); }
  int on_the_way(pe_id to) const override { return below_.on_the_way(to); }
  batch* poll() override {
    batch* const b = below_.poll();
    if (b == nullptr) return nullptr;
    const std::uint32_t size = b->size;
    harm_(*b, {b->data(), b->size});
    if (b->is_bulk()) {
      b->size = size;  // its head was looked at when it came
      harm_(*b, {b->bulk_data, b->bulk_bytes});
    }
    return b;
  }
  void release(batch* taken) override { below_.release(taken); }
  std::size_t bytes_in_use() const override { return below_.bytes_in_use(); }
  std::size_t bytes_allocated() const override { return below_.bytes_allocated(); }
  void wait(std::int64_t timeout_us) override { below_.wait(timeout_us); }
  void close() override { below_.close(); }
  [[noreturn]] void abort(int code) override {
    below_.abort(code);
    __builtin_unreachable();
  }

 private:
  std::byte* place(pe_id from, std::span<const std::byte> head, std::size_t bytes) override {
    return receiver_->place(from, head, bytes);
  }
  message_facts facts_of(batch& posted, std::size_t bulk_bytes) const override {
    return receiver_->facts_of(posted, bulk_bytes);
  }

  transport& below_;
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
int launch(const transport::launch_settings& how, transport::pe_main body, void* argument) {
  inner in{body, argument};
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
