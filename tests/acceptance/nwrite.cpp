// The micro-benchmark of the paper's figure 7: node 0 writes `ntimes` times to node 1, then a barrier.
// Promise: after the barrier the last write is in place, whatever its size.
#include <mpcxx.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/acceptance/rows.hpp"

namespace {

constexpr int min_size = 8, max_size = 1024 * 1024, total = 1024 * 1024;

tsubu::pe_local<std::vector<char>> buffer;

GlobalPtr<char> make_buffer() {
  buffer->assign(max_size, 0);
  return {buffer->data(), max_size};
}

// On both nodes; returns how many of the sizes were not in place after the barrier.
int measure(GlobalPtr<char> gp) {
  Barrier barrier;
  int bad = 0;
  for (int d_size = min_size; d_size <= max_size; d_size *= 2) {
    const int ntimes = total / d_size;
    const std::vector<char> data(static_cast<std::size_t>(d_size), static_cast<char>(1 + d_size % 101));
    const double start = acceptance::seconds();
    if (myNode == 0)
      for (int n = 0; n < ntimes; ++n) gp.nwrite(data.data(), d_size);
    barrier.exec();
    const double s = acceptance::seconds() - start;
    if (myNode == 0)
      std::printf("%8d bytes: %10.1f MB/s\n", d_size, static_cast<double>(d_size) * ntimes / s / 1e6);
    else if (myNode == 1 && !std::equal(data.begin(), data.end(), buffer->begin()))
      ++bad;
    barrier.exec();
  }
  return bad;
}

}  // namespace

int mpc_main(int, char**) {
  GlobalPtr<char> gp;
  invoke(gp, 1, make_buffer);
  const auto results = std::make_unique<Sync<int>[]>(static_cast<std::size_t>(numNode));
  for (int node = 1; node < numNode; ++node) ainvoke(results[static_cast<std::size_t>(node)], node, measure, gp);
  measure(gp);
  int bad = 0;
  for (int node = 1; node < numNode; ++node) bad += results[static_cast<std::size_t>(node)].read();
  std::printf("nwrite: %d sizes were not in place\n", bad);
  return bad == 0 ? 0 : 1;
}
