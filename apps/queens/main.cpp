// How many ways there are to put n queens on a board of n x n so that none attacks another: an object for each node of
// the search tree down to a depth, a plain search below.
#include <fmt/core.h>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "apps/program/command_line.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "apps/queens/board.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/remote/printing/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
using queens::board;

// By n, from 0 (OEIS A000170).
constexpr std::array<std::int64_t, 19> known{
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624};

pe_local<std::int64_t> nodes_here;
// Each PE counts the boards that an object has searched below.
struct progress_of_searches : progress {
  progress_of_searches() : progress("queens: searches") {}
};
const pe_local<progress_of_searches> shown;
std::int64_t take_nodes() { return std::exchange(*nodes_here, 0); }

class node : public object<node> {
 public:
  node() = default;
  // Its search goes on in objects for so many rows.
  node(board b, int depth) : board_(b), depth_(depth) { ++*nodes_here; }

  task<std::int64_t> solutions() {
    retire();
    if (depth_ == 0 || board_.rows == board_.size) {
      shown->add();
      co_return queens::solutions(board_);
    }
    std::vector<ref<node>> nodes;
    queens::for_each_place(board_,
                           [&](const board& next) { nodes.push_back(create<node>(anywhere(), next, depth_ - 1)); });
    std::int64_t sum = 0;
    for (const std::int64_t of_one : co_await now_all<&node::solutions>(nodes)) sum += of_one;
    co_return sum;
  }

  // One that has not begun may be moved to a PE that has nothing to do.
  template <class Archive>
  void serialize(Archive& a) {
    a(board_, depth_);
  }

 private:
  board board_;
  int depth_ = 0;
};

struct options {
  int n = 0;
  int depth = 3;
  bool json = false;
};

task<int> search(options asked) {
  program::stopwatch watch;
  const board empty{.size = asked.n};
  shown->add(0);  // so that PE 0 has one, too
  const ref<node> root = create<node>(here(), empty, asked.depth);
  const std::int64_t found = co_await root.now<&node::solutions>();
  const double seconds = watch.seconds();
  const std::int64_t objects = co_await everywhere().now<take_nodes>(reduce::plus);

  program::result result;
  result.program = "queens";
  result.input_key = "n";
  result.input = std::to_string(asked.n);
  result.verified = found == known[static_cast<std::size_t>(asked.n)];
  result.seconds = seconds;
  result.counts = {{"solutions", found}, {"objects", objects}};
  result.about = fmt::format("{0} queens on a board of {0} x {0}, an object for each node of the first {1} rows",
                             asked.n, asked.depth);
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app("Counts the ways to put N queens on a board of N x N, by concurrent objects", "queens");
  app.add_option("n", asked.n).required().range(1, static_cast<int>(known.size()) - 1).type_name("N");
  app.add_option("--depth", asked.depth, "rows whose nodes are objects; below, an object searches alone; default 3")
      .range(0, static_cast<int>(known.size()))
      .type_name("N");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await search(asked);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, read_and_run); }
