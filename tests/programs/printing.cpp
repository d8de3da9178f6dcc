// Promise: lines of several PEs are whole, whatever carries the output; lines that are kept come out in the order of
// the PEs, by lines_printed() and at the end of the job; a line at once stands where it was said, also beside printf;
// levels are those that were asked for; progress is shown only if it was asked for, adds up over the PEs, and holds
// nothing up. Method: what it prints is compared with what it should by tests/programs/check_printing. printing KIND.
#include <cstdio>
#include <string>

#include "tests/programs/expect.hpp"
#include "tsubu/remote/printing/progress.hpp"

using namespace tsubu;

namespace {

// Long and short lines from all PEs at once; each says how long it is.
constexpr int crowd = 500;
task<int> mixed(arguments) {
  for (int i = 0; i < crowd; ++i) {
    const auto n = static_cast<std::size_t>((i * 37 + this_pe() * 11) % 200 + (i % 100 == 0 ? 3000 : 0));
    say("PE {} line {} of {} letters {}.", this_pe(), i, n, std::string(n, static_cast<char>('a' + this_pe() % 26)));
    if (i % 50 == 0) co_await yield();
  }
  co_return 0;
}

void said_by_a_handler(int n) { say_in_order("a handler of PE {} has {}", this_pe(), n); }

task<int> ordered(arguments) {
  say_once("{} PEs", pe_count());
  const pe_id next = (this_pe() + 1) % pe_count();
  say_in_order("first of PE {}", this_pe());
  co_await lines_printed();
  if (this_pe() % 2 == 0) say_in_order("{:>6.2f} of PE {}", this_pe() * 0.5, this_pe());
  co_await lines_printed();
  co_await lines_printed();  // of nothing
  at(next).past<said_by_a_handler>(this_pe());
  co_await quiescence();
  for (int i = 0; i < 3; ++i) say_in_order("PE {} line {}", this_pe(), i);
  if (this_pe() == 0) std::printf("printf before\n");
  say_once("said before the end");
  co_return 0;
}

// PE 0 alone has a program; the others keep what handlers say.
task<int> served(arguments) {
  for (pe_id pe = pe_count() - 1; pe >= 0; --pe) co_await at(pe).now<said_by_a_handler>(pe);
  co_return 0;
}

// More than a PE keeps.
task<int> too_many(arguments) {
  const std::string text(1000, 'x');
  for (int i = 0; i < 20'000; ++i) say_in_order("{}{}", text, this_pe());
  co_return 0;
}

task<int> stuck(arguments) {
  say_in_order("PE {} gets stuck", this_pe());
  tsubu::sync<int> never;
  co_return co_await never.read();
}

task<int> levels(arguments) {
  int asked = 0;
  const auto dear = [&asked] { return ++asked; };
  say_debug("a debug line {}", dear);
  say_info("an info line of PE {}", this_pe());
  say_warning("a warning {:.1f}", 0.25);
  say("said {} made", asked);
  co_return 0;
}

// Each PE does a thousand steps for its number and one more, all in so many milliseconds.
task<int> progressing(arguments args) {
  const auto mine = static_cast<std::int64_t>(1000 * (this_pe() + 1));
  const auto time_ns = static_cast<std::int64_t>(option(args, "--ms", 300)) * 1'000'000;
  {
    const std::int64_t began_ns = now_ns();
    progress bar("steps", mine);
    for (std::int64_t i = 0; i < mine; ++i) {
      while (now_ns() - began_ns < time_ns * i / mine) co_await yield();
      bar.add();
    }
    expect_equal(bar.done(), mine, "what was counted");
    co_await quiescence();  // not held up by what is shown
    co_await barrier();
  }
  progress again("others");  // whose total nobody knows
  again.add(5);
  say_once("all steps are done");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind == "mixed") return run_spmd(argc, argv, mixed);
  if (kind == "ordered") return run_spmd(argc, argv, ordered);
  if (kind == "served") return run(argc, argv, served);
  if (kind == "too-many") return run_spmd(argc, argv, too_many);
  if (kind == "stuck") return run_spmd(argc, argv, stuck);
  if (kind == "levels") return run_spmd(argc, argv, levels);
  if (kind == "progressing") return run_spmd(argc, argv, progressing);
  return 3;
}
