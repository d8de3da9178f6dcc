// What tsubu/containers.hpp has, of an installed Tsubu: its tables are another package's headers.
#include <tsubu/containers.hpp>
#include <tsubu/run/run.hpp>

#include <cstdio>

tsubu::task<int> program(tsubu::arguments) {
  auto squares = co_await tsubu::create_map<int, int>();
  co_await squares.now().insert(tsubu::this_pe(), 1);
  const std::size_t size = co_await squares.size();
  if (tsubu::this_pe() == 0) std::printf("containers: %zu\n", size);
  co_return 0;
}

int main(int argc, char** argv) { return tsubu::run_spmd(argc, argv, program); }
