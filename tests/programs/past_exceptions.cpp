// Promise: what a target of past() throws goes to the hook of its PE, if there is one, and the job goes on.
#include <stdexcept>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::past_exceptions {

pe_local<std::vector<std::string>> caught;

void note(std::exception_ptr e) {
  try {
    std::rethrow_exception(std::move(e));
  } catch (const std::exception& known) {
    caught->push_back(known.what());
  }
}

void explode(int n) {
  if (n % 2 == 0) throw std::runtime_error("function " + std::to_string(n));
}
task<void> explode_later(int n) {
  co_await yield();
  throw std::runtime_error("coroutine " + std::to_string(n));
}

task<int> program(arguments) {
  const pe_id last = pe_count() - 1;
  co_await everywhere().now([] { on_past_exception(note); });
  for (int n = 0; n < 5; ++n) at(last).past<explode>(n);
  at(last).past<explode_later>(5);
  at(last).past([](const std::string& s) { throw std::logic_error(s); }, std::string("lambda"));
  co_await quiescence();
  auto all = co_await at(last).now([] { return *caught; });
  std::sort(all.begin(), all.end());
  expect(all == std::vector<std::string>{"coroutine 5", "function 0", "function 2", "function 4", "lambda"},
         "every exception came to the hook");
  co_return 0;
}

const test::joined_program entry("past_exceptions", run, program);

}  // namespace programs::past_exceptions
