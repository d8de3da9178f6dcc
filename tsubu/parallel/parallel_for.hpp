// Loops whose indices any PE may run:
//
//   co_await parallel_for(std::views::iota(0, n), 100, [=](int i) { work_on(i); });
//   double sum = co_await parallel_reduce(std::views::iota(0, n), 100, reduce::plus, [=](int i) { return f(i); });
//
// One PE calls it, or several, each its own. The loop starts there, and PEs that have nothing to do take half of what
// is left, or their share of it (docs/parallel.md). The body is a function object that travels: a lambda with no
// captures, or with trivially copyable ones, by value; what it returns travels too. It may be a coroutine: then at
// most 64 grains are under way on a PE, each index of a grain after the one before.
//
// Each index is run once, in any order, on any PE. The grain is how many are run between two looks at what others want:
// of some microseconds, if in doubt; a smaller one costs a look at the clock for each few grains.
//
// It returns when all have run, with everything that they have caused: it is an epoch, and a body's messages cost what
// those of an epoch do. If a body throws, others that have not begun may be left out, and the first exception is thrown
// when the rest has ended, from another PE as remote_error.hpp says.
#pragma once

#include <concepts>
#include <cstdint>
#include <ranges>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/parallel/range_store.hpp"
#include "tsubu/parallel/storing_part.hpp"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu {
namespace parallel {

// What a body of that type gives for these arguments, waited for.
template <class F, class... A>
using result_of = typename remote::awaited<std::invoke_result_t<F&, A...>>::type;
template <class F, class... A>
inline constexpr bool waits = remote::awaited<std::invoke_result_t<F&, A...>>::is_task;

// For a body, and for the operation that combines what bodies return.
template <class F>
constexpr void check_travels() {
  static_assert(std::is_class_v<F>, "a body or operation is a function object: a plain function is called by a lambda");
  static_assert(
      !std::is_class_v<F> || remote::travelling_lambda<F>,
      "captures are trivially copyable: what owns memory goes into a pe_local, a shared variable or the items");
}

// The body of a loop, how many of it are a grain, and the index that is counted as 0, modulo 2^64.
template <class F>
struct loop_body {
  std::int64_t grain;
  std::uint64_t first;
  F f;

  bool called_off() const
    requires may_be_called_off<F>
  {
    return f.called_off();
  }
};

// A loop over values of Index, on one PE.
template <class Index, class F, class Op>
class loop_part final
    : public storing_part<loop_part<Index, F, Op>, range_store, index_range, loop_body<F>, Op, result_of<F, Index>> {
 public:
  loop_part(pool_name name, loop_body<F> b, Op o)
      : loop_part::storing_part(name, b, std::move(o), range_store(b.grain)) {}

 private:
  // A grain, which has a loop of its own.
  int run_some(int) override {
    const index_range r = this->waiting_.take();
    if constexpr (waits<F, Index>) {
      this->run_beside(run_grain(r));
    } else {
      for (std::int64_t i = r.first; i < r.last; ++i) {
        this->results_.add_from([&] { return this->body_.f(index(i)); });
      }
    }
    return 1;
  }
  task<void> run_grain(index_range r) {
    for (std::int64_t i = r.first; i < r.last; ++i) {
      if constexpr (std::is_void_v<result_of<F, Index>>) {
        co_await this->body_.f(index(i));
      } else {
        this->results_.add(co_await this->body_.f(index(i)));
      }
    }
  }
  Index index(std::int64_t i) const { return static_cast<Index>(this->body_.first + static_cast<std::uint64_t>(i)); }
};

template <class Index, class Range, class F, class Op>
auto run_loop(const Range& range, std::int64_t grain, Op op, F f, std::source_location where) {
  check_travels<F>();
  check_travels<Op>();
  require(grain > 0, "a loop with grains of {} indices would never end", grain);
  using work = loop_part<Index, F, Op>;
  const auto first = static_cast<std::uint64_t>(*range.begin());
  std::vector<index_range> all{{0, static_cast<std::int64_t>(range.size())}};
  return run_pool<work>({grain, first, std::move(f)}, std::move(op), std::move(all), where);
}

// std::views::iota(a, b) of integers.
template <class R>
concept index_view = std::ranges::sized_range<R> && std::integral<std::ranges::range_value_t<R>> &&
                     requires(R r) { []<class W, class B>(std::ranges::iota_view<W, B>) {}(r); };

}  // namespace parallel

// Runs f(i) for each index of a std::views::iota(first, last), `grain` (> 0) at a time.
// Local; blocks until all indices have run, with all that they caused; throws the first exception of a body, and a
// grain that is not positive ends the job.
template <parallel::index_view Range, class F>
task<void> parallel_for(Range range, std::int64_t grain, F f,
                        std::source_location where = std::source_location::current()) {
  using index = std::ranges::range_value_t<Range>;
  static_assert(std::is_invocable_v<F&, index>, "the body of a loop is called with an index of its range");
  static_assert(std::is_void_v<parallel::result_of<F, index>>,
                "the body of parallel_for returns nothing; parallel_reduce takes what bodies return");
  return parallel::run_loop<index>(range, grain, parallel::nothing(), std::move(f), where);
}

// op of all f(i), an associative and commutative function object that travels (reduce::plus and its like): they are
// combined in any order. With no index, a default value.
// Local; blocks until all indices have run, with all that they caused; throws as parallel_for().
template <parallel::index_view Range, class Op, class F>
auto parallel_reduce(Range range, std::int64_t grain, Op op, F f,
                     std::source_location where = std::source_location::current()) {
  using index = std::ranges::range_value_t<Range>;
  static_assert(std::is_invocable_v<F&, index>, "the body of a loop is called with an index of its range");
  using result = parallel::result_of<F, index>;
  static_assert(!std::is_void_v<result>, "the body of parallel_reduce returns a value; parallel_for is for others");
  static_assert(std::default_initializable<result>,
                "what the body returns has no default value, which is the result where no index is");
  static_assert(wire::sendable<result>, "what the body returns cannot travel: it has a pointer or a view in it");
  return parallel::run_loop<index>(range, grain, std::move(op), std::move(f), where);
}

}  // namespace tsubu
