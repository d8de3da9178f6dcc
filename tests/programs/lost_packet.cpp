// Promise: a message that the network loses, or delivers twice, does not hang the job: it ends, and the error
// names the handler and the two PEs. The network here is the threads transport, with a hole of one packet.
#include <cstring>

#include "tests/programs/expect.hpp"
#include "tsubu/run/transports.hpp"
#include "tsubu/transport/layer.hpp"
#include "tsubu/transport/threads/threads.hpp"

using namespace tsubu;

namespace {

bool doubles = false;  // set before the job starts

// Passes all on, but for one batch from PE 1 to PE 0 out of which it takes the last packet, or has it twice.
class faulty final : public transport::layer {
 public:
  using layer::layer;
  int post(::tsubu::transport::batch* filled, pe_id to) override {
    // A batch that holds one run of the numbers below, 8 bytes each.
    std::uint32_t bytes = 0;
    if (filled->size > 8) std::memcpy(&bytes, filled->data() + 4, sizeof bytes);
    if (!done_ && pe_ == 1 && to == 0 && bytes >= 800 && bytes % 8 == 0 && bytes + 8 == filled->size &&
        filled->size + 8 <= filled->capacity) {
      done_ = true;
      if (doubles) std::memcpy(filled->data() + filled->size, filled->data() + filled->size - 8, 8);
      bytes = doubles ? bytes + 8 : bytes - 8;
      std::memcpy(filled->data() + 4, &bytes, sizeof bytes);
      filled->size = bytes + 8;
    }
    return layer::post(filled, to);
  }

 private:
  bool done_ = false;
};

struct job {
  transport::pe_main body;
  void* argument;
};

int run_faulty(transport::transport& end, void* argument) {
  const job& j = *static_cast<const job*>(argument);
  faulty own_end(end);
  return j.body(own_end, j.argument);
}

int launch_faulty(const transport::launch_settings& settings, transport::job_body body, void* argument) {
  job j{body.each, argument};
  return transport::threads_launcher()(settings, run_faulty, &j);
}

pe_local<long> sum;

void add(long n) { *sum += n; }

task<int> program(arguments) {
  for (long i = 0; i < 1000; ++i) at(0).past<add>(i);
  co_await quiescence();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) doubles = doubles || std::string_view(argv[i]) == "doubled";
  run_detail::use_launcher(launch_faulty);
  return run_spmd(argc, argv, program);
}
