// A deadlock, and what the runtime says about it.
//
// Each PE hands a token to the next, round and round. Here each waits for its token before it hands one
// on, so all wait for ever. The runtime finds that nothing is left to run and no message is in flight,
// though the program has not ended: it prints who waits for what, and where, and ends with code 70.
//
//   example_10_deadlock             deadlock
//   example_10_deadlock mended      sends first, and ends well
#include <tsubu/tsubu.hpp>

#include <cstdio>

using namespace tsubu;

pe_local<tsubu::sync<int>> tokens;  // those that have arrived here

void hand_over(int token) { tokens->write(token); }

task<int> program(arguments args) {
  const bool mended = args.size() > 1 && args[1] == "mended";
  const pe_id next = (this_pe() + 1) % pe_count();
  const pe_id previous = (this_pe() + pe_count() - 1) % pe_count();

  if (mended) at(next).past<hand_over>(this_pe());
  const int token = co_await tokens->read();  // the report names this line
  if (!mended) at(next).past<hand_over>(this_pe());

  std::printf("PE %d has the token of PE %d\n", this_pe(), token);
  co_return token == previous ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
