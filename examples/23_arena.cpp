// Objects that end together: a tree of objects over all PEs, made anew for each phase, as in an N-body simulation.
//
// An arena ends whatever was made in it, wherever, when all that its body caused has run: nobody walks the tree to end
// its nodes, and the memory of a phase is there again for the next one.
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>

using namespace tsubu;

pe_local<int> living;

// A node has the sum of the numbers from first to last, and two children who have one half each.
struct node : object<node> {
  ref<node> left, right;
  std::int64_t first, last;

  node(std::int64_t from, std::int64_t to) : first(from), last(to) {
    ++*living;
    if (first == last) return;
    const std::int64_t middle = (first + last) / 2;
    left = create<node>(here(), first, middle);
    right = create<node>(at((this_pe() + 1) % pe_count()), middle + 1, last);
  }
  ~node() { --*living; }

  task<std::int64_t> sum() {
    if (first == last) co_return first;
    future<std::int64_t> of_left = left.future<&node::sum>();
    const std::int64_t of_right = co_await right.now<&node::sum>();
    co_return co_await of_left + of_right;
  }
};

int living_here() { return *living; }

task<int> count_living() {
  int all = 0;
  for (pe_id pe = 0; pe < pe_count(); ++pe) all += co_await at(pe).now<living_here>();
  co_return all;
}

task<int> program(arguments) {
  constexpr std::int64_t leaves = 1000, phases = 5;
  bool right = true;
  for (std::int64_t phase = 1; phase <= phases; ++phase) {
    std::int64_t sum = 0;
    int most = 0;
    const auto body = [&]() -> task<void> {
      const ref<node> root = create<node>(at(0), phase, phase + leaves - 1);
      sum = co_await root.now<&node::sum>();
      most = co_await count_living();
    };
    co_await arena(body);
    const int left = co_await count_living();
    right = right && sum == leaves * phase + leaves * (leaves - 1) / 2 && most == 2 * leaves - 1 && left == 0;
    std::printf("phase %d: the sum is %lld, of %d nodes; %d are left\n", static_cast<int>(phase),
                static_cast<long long>(sum), most, left);
  }
  std::puts(right ? "right" : "WRONG");
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
