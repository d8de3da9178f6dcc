// The micro-benchmark of the paper's figure 7: node 0 writes again and again to node 1, then a barrier; so figures 5
// and
// 6. Writes also when each leaves alone, as MTTL-MPI's do, and reads.
// Promise: after the barrier the last write is in place, whatever its size, and what is read is what is there.
#include "tests/acceptance/nwrite.hpp"

#include <mpcxx.h>

#include "tests/acceptance/rows.hpp"

namespace {

using nwrite::content;

tsubu::pe_local<std::vector<char>> buffer;

GlobalPtr<char> make_buffer() {
  buffer->assign(nwrite::max_size, 0);
  return {buffer->data(), nwrite::max_size};
}

bool is_full_of(const std::vector<char>& memory, int bytes, char of) {
  return std::all_of(memory.begin(), memory.begin() + bytes, [of](char c) { return c == of; });
}

// On all nodes: a window of accesses of node 0 to node 1. Microseconds of one.
template <class Access>
double window(int bytes, Access access) {
  const int n = nwrite::accesses(bytes);
  Barrier barrier;
  const double start = acceptance::seconds();
  if (myNode == 0)
    for (int i = 0; i < n; ++i) access();
  barrier.exec();
  return (acceptance::seconds() - start) / n * 1e6;
}

// On all nodes; returns whether all was in place.
bool measure(GlobalPtr<char> gp, std::vector<int> sizes) {
  nwrite::results found;
  bool right = true;
  std::vector<char> data(nwrite::max_size);
  for (const int bytes : sizes) {
    std::vector<double> together, alone, read;
    for (int w = 0; w < nwrite::windows; ++w) {
      std::fill_n(data.begin(), bytes, content(2 * w));
      together.push_back(window(bytes, [&] { gp.nwrite(data.data(), bytes); }));
      if (myNode == 1) right = right && is_full_of(*buffer, bytes, content(2 * w));
      Barrier().exec();
      std::fill_n(data.begin(), bytes, content(2 * w + 1));
      alone.push_back(window(bytes, [&] {
        gp.nwrite(data.data(), bytes);
        tsubu::flush();
      }));
      if (myNode == 1) right = right && is_full_of(*buffer, bytes, content(2 * w + 1));
      Barrier().exec();
      if (myNode == 0) std::fill_n(data.begin(), bytes, char{0});
      read.push_back(window(bytes, [&] { gp.nread(data.data(), bytes); }));
      if (myNode == 0) right = right && is_full_of(data, bytes, content(2 * w + 1));
    }
    found.add("write", bytes, together);
    found.add("alone", bytes, alone);
    found.add("read", bytes, read);
  }
  const bool everywhere = Reduction<char>().exec(right ? 1 : 0, [](char a, char b) { return std::min(a, b); }) == 1;
  if (myNode == 0) found.print("nwrite", everywhere);
  return everywhere;
}

}  // namespace

int mpc_main(int argc, char** argv) {
  const std::vector<int> sizes = nwrite::sizes_of(argc, argv);
  GlobalPtr<char> gp;
  invoke(gp, 1, make_buffer);
  const auto results = std::make_unique<Sync<bool>[]>(static_cast<std::size_t>(numNode));
  for (int node = 1; node < numNode; ++node) ainvoke(results[static_cast<std::size_t>(node)], node, measure, gp, sizes);
  bool right = measure(gp, sizes);
  for (int node = 1; node < numNode; ++node) right = results[static_cast<std::size_t>(node)].read() && right;
  return right ? 0 : 1;
}
