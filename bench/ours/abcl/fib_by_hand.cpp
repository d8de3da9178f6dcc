// What one writes by hand for examples/abcl/fib.abcl: an object for each call, on the two neighbours, that ends with
// it.
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

class call : public object<call> {
 public:
  task<std::int64_t> of(std::int64_t n) {
    retire();
    if (n <= 2) co_return 1;
    const ref<call> first = create<call>(at(neighbour(0)));
    const ref<call> second = create<call>(at(neighbour(1)));
    const auto [a, b] = co_await both(first.now<&call::of>(n - 1), second.now<&call::of>(n - 2));
    co_return a + b;
  }
};

task<int> program(arguments words) {
  const int n = words.number(1, 20);
  const ref<call> root = create<call>(at(neighbour(0)));
  say("fib {} = {}", n, co_await root.now<&call::of>(n));
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
