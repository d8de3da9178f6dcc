// NPB IS in C++ and MPI: buckets counted and summed over the ranks, counts exchanged, keys moved.
#include "tests/acceptance/mpi_like.hpp"

#include <numeric>

#include "apps/npb/blocks.hpp"
#include "apps/npb/is.hpp"
#include "tests/acceptance/presto.hpp"

using namespace mpi_like;
using counts = acceptance::mpi_counts;

struct outcome {
  int partial = 0;
  int full = 0;
  double seconds = 0;
  counts counted;
};

class is {
 public:
  explicit is(const npb::is_class& of)
      : problem_(of),
        me_(rank),
        pes_(size),
        first_(npb::block_first(of.keys(), pes_, me_)),
        keys_(npb::generate_keys(of, first_, npb::block_first(of.keys(), pes_, me_ + 1))),
        ordered_(keys_.size()),
        // A part is a share of the keys and one bucket more at most, which has less than 1/64 of them.
        received_(keys_.size() + static_cast<std::size_t>(of.keys() / 64)),
        counts_(static_cast<std::size_t>(of.buckets() + npb::is_test_keys)),
        totals_(counts_),
        receive_counts_(static_cast<std::size_t>(pes_)),
        send_places_(receive_counts_),
        receive_places_(receive_counts_) {}

  outcome run() {
    outcome result;
    rank_all(1);
    result.counted = begin_counting();
    const double start = acceptance::seconds();
    for (int iteration = 1; iteration <= npb::is_iterations; ++iteration) result.partial += rank_all(iteration);
    result.seconds = acceptance::seconds() - start;
    result.counted = end_counting(result.counted);
    result.full = verify() ? 1 : 0;
    return result;
  }

 private:
  int rank_all(int iteration) {
    npb::change_keys(problem_, iteration, first_, keys_);
    presto::count_and_order(keys_.size());
    npb::bucket_counts(problem_, first_, keys_, counts_);
    Allreduce(counts_.data(), totals_.data(), static_cast<std::int64_t>(counts_.size()));
    npb::plan_redistribution(problem_, counts_, totals_, pes_, me_, plan_);
    npb::order_by_bucket(problem_, keys_, counts_, ordered_);

    Alltoall(plan_.send_counts.data(), receive_counts_.data());

    std::exclusive_scan(plan_.send_counts.begin(), plan_.send_counts.end(), send_places_.begin(), 0);
    std::exclusive_scan(receive_counts_.begin(), receive_counts_.end(), receive_places_.begin(), 0);
    Alltoallv(ordered_.data(), plan_.send_counts.data(), send_places_.data(), received_.data(), receive_counts_.data(),
              receive_places_.data());

    presto::rank(plan_.keys_here);
    npb::rank_keys(plan_, keys_here(), below_);
    return npb::check_partial(problem_, plan_, iteration, below_);
  }

  // Is my first key behind my left neighbour's last?
  bool verify() {
    const npb::is_key mine = npb::last_key_here(keys_here());
    if (me_ + 1 < pes_) Send(&mine, 1, me_ + 1);
    if (me_ > 0) Wait(Irecv(&left_, 1, me_ - 1));
    return npb::full_verify(plan_, keys_here(), below_, left_);
  }

  std::span<const npb::is_key> keys_here() const {
    return {received_.data(), static_cast<std::size_t>(plan_.keys_here)};
  }

  const npb::is_class& problem_;
  int me_, pes_;
  std::int64_t first_;
  std::vector<npb::is_key> keys_, ordered_, received_;
  std::vector<std::int32_t> counts_, totals_, below_;
  std::vector<std::int32_t> receive_counts_, send_places_, receive_places_;
  npb::is_plan plan_;
  npb::is_key left_ = -1;
};

int main_of_rank(int argc, char** argv) {
  const npb::is_class& problem = npb::is_class_named(argc > 1 ? argv[1] : "S");
  const std::vector<outcome> results = Gather(is(problem).run());
  if (rank == 0) acceptance::report_is("C + MPI", problem, results, acceptance::table_7);
  return acceptance::verdict();
}

int main(int argc, char** argv) { return start(argc, argv, main_of_rank); }
