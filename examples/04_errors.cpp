// What happens when a function throws on another PE.
//
// If a reply is awaited, the exception travels back and is thrown there: as its own type, if that is registered, and as
// a remote_error, which says where it was thrown. If nobody waits (past), it ends the job, unless the program has said
// what shall happen instead.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

using namespace tsubu;

double root(double x) {
  if (x < 0) throw std::domain_error("no root of " + std::to_string(x));
  double r = x > 1 ? x : 1;
  for (int i = 0; i < 100; ++i) r = (r + x / r) / 2;
  return r;
}

pe_local<int> lost;  // exceptions of past messages that ended up here

void count_it(std::exception_ptr) { ++*lost; }
void install_hook() { on_past_exception(count_it); }
int lost_here() { return *lost; }

task<int> program(arguments) {
  const pe_id last = pe_count() - 1;
  bool right = true;

  bool caught = false;
  try {
    co_await at(last).now<root>(-1.0);
  } catch (const remote_error& e) {
    std::printf("%s\n", e.what());
    caught = e.pe() == last && e.type() == "std::domain_error" && e.message() == "no root of -1.000000";
  }
  right = right && caught;

  // The standard exceptions are registered; register_exception<E>() does it for one of the program's own.
  caught = false;
  try {
    co_await at(last).now<root>(-2.0);
  } catch (const std::domain_error& e) {
    caught = e.what() == std::string("no root of -2.000000");
  }
  right = right && caught;

  // A future keeps the exception until it is awaited. A catch block must not co_await: note, then act.
  auto later = at(last).future<root>(-4.0);
  bool failed = false;
  try {
    co_await later;
  } catch (const remote_error&) {
    failed = true;
  }
  if (failed) right = right && co_await at(last).now<root>(4.0) == 2;
  right = right && failed;

  // On each PE that shall survive the exceptions of its past messages.
  co_await everywhere().now<install_hook>();
  for (int i = 0; i < 3; ++i) at(last).past<root>(-9.0);
  co_await quiescence();
  const int seen = co_await everywhere().now<lost_here>(reduce::plus);
  right = right && seen == 3;

  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
