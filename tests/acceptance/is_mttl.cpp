// NPB IS in MPC++, ported from is_mpi.cpp by the paper's rules: counts and keys travel by remote writes.
#include "tests/acceptance/mttl_counts.hpp"

#include <numeric>

#include "apps/npb/blocks.hpp"
#include "apps/npb/is.hpp"
#include "tests/acceptance/presto.hpp"

using namespace acceptance;
using counts = acceptance::mttl_counts;

struct outcome {
  int partial = 0;
  int full = 0;
  double seconds = 0;
  counts counted;
};

// What the others write to.
struct places {
  GlobalPtr<std::int32_t> receive_counts, remote_places;
  GlobalPtr<npb::is_key> received, left;
};

class is {
 public:
  explicit is(const npb::is_class& of)
      : problem_(of),
        me_(myNode),
        pes_(numNode),
        first_(npb::block_first(of.keys(), pes_, me_)),
        keys_(npb::generate_keys(of, first_, npb::block_first(of.keys(), pes_, me_ + 1))),
        ordered_(keys_.size()),
        // A part is a share of the keys and one bucket more at most, which has less than 1/64 of them.
        received_(keys_.size() + static_cast<std::size_t>(of.keys() / 64)),
        counts_(static_cast<std::size_t>(of.buckets() + npb::is_test_keys)),
        totals_(counts_),
        receive_counts_(static_cast<std::size_t>(pes_)),
        send_places_(receive_counts_),
        receive_places_(receive_counts_),
        remote_places_(receive_counts_) {}

  places mine() {
    return {{receive_counts_.data(), pes_},
            {remote_places_.data(), pes_},
            {received_.data(), std::ssize(received_)},
            &left_};
  }

  outcome run(std::vector<places> at) {
    at_ = std::move(at);
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
    totals_ = counts_;
    reduction_.exec(totals_.data(), std::ssize(totals_), tsubu::reduce::plus);
    npb::plan_redistribution(problem_, counts_, totals_, pes_, me_, plan_);
    npb::order_by_bucket(problem_, keys_, counts_, ordered_);

    for (std::size_t i = 0; i < at_.size(); ++i) (at_[i].receive_counts + me_).nwrite(&plan_.send_counts[i], 1);
    barrier_.exec();

    std::exclusive_scan(plan_.send_counts.begin(), plan_.send_counts.end(), send_places_.begin(), 0);
    std::exclusive_scan(receive_counts_.begin(), receive_counts_.end(), receive_places_.begin(), 0);
    for (std::size_t i = 0; i < at_.size(); ++i) (at_[i].remote_places + me_).nwrite(&receive_places_[i], 1);
    barrier_.exec();
    for (std::size_t i = 0; i < at_.size(); ++i)
      (at_[i].received + remote_places_[i]).nwrite(ordered_.data() + send_places_[i], plan_.send_counts[i]);
    barrier_.exec();

    presto::rank(plan_.keys_here);
    npb::rank_keys(plan_, keys_here(), below_);
    barrier_.exec();
    return npb::check_partial(problem_, plan_, iteration, below_);
  }

  // Is my first key behind my left neighbour's last?
  bool verify() {
    const npb::is_key mine = npb::last_key_here(keys_here());
    if (me_ + 1 < pes_) at_[static_cast<std::size_t>(me_) + 1].left.nwrite(&mine, 1);
    barrier_.exec();
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
  std::vector<std::int32_t> receive_counts_, send_places_, receive_places_, remote_places_;
  npb::is_plan plan_;
  npb::is_key left_ = -1;
  std::vector<places> at_;
  Barrier barrier_;
  Reduction<std::int32_t> reduction_;
};

tsubu::pe_local<std::optional<is>> sorter;

places prepare(std::string name) { return sorter->emplace(npb::is_class_named(name)).mine(); }

outcome run(std::vector<places> at) { return (*sorter)->run(std::move(at)); }

int mpc_main(int argc, char** argv) {
  const npb::is_class& problem = npb::is_class_named(argc > 1 ? argv[1] : "S");
  const std::vector<outcome> results = on_all_nodes(run, on_all_nodes(prepare, std::string(1, problem.name)));
  acceptance::tell_probes(acceptance::counts_of(results));
  acceptance::report_is("MTTL", problem, results, acceptance::table_8);
  return acceptance::verdict();
}
