// A program outside the tree that includes objects.hpp only.
#include <tsubu/objects.hpp>

using namespace tsubu;

struct counter : object<counter> {
  long n = 0;
  void add(long k) { n += k; }
  long get() { return n; }
};

task<int> program(arguments) {
  const ref<counter> far = create<counter>(at(pe_count() - 1));
  far.past<&counter::add>(3);
  const long n = co_await far.now<&counter::get>();
  say("objects: {}", n);
  co_return n == 3 ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
