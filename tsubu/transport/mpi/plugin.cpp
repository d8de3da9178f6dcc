// The plug-in: runs this rank's PEs.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/engine.hpp"
#include "tsubu/transport/mpi/failure.hpp"
#include "tsubu/transport/mpi/findings.hpp"
#include "tsubu/transport/mpi/inside.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/lifetime.hpp"
#include "tsubu/transport/mpi/made_calls.hpp"
#include "tsubu/transport/mpi/mpi_carrier.hpp"
#include "tsubu/transport/mpi/mpi_transport.hpp"
#include "tsubu/transport/mpi/node.hpp"
#include "tsubu/transport/mpi/node_map.hpp"
#include "tsubu/transport/mpi/rank_endpoint.hpp"
#include "tsubu/transport/mpi/world.hpp"
#include "tsubu/transport/shared/end.hpp"
#include "tsubu/transport/shared/group.hpp"
#include "tsubu/transport/shared/parking.hpp"
#include "tsubu/transport/starting.hpp"
#include "tsubu/transport/threads/short_slices.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

namespace {

// Batches shall leave eagerly: a rendezvous costs a system call each, keeps the batches behind it waiting,
// and may need the sender's attention. Above this size it pays nevertheless. (Open MPI ends its eager
// messages at 4 KiB between the ranks of a node, MPICH well above a batch.) What the user has set stays.
constexpr std::size_t largest_eager_batch = 16 * 1024;
constexpr std::size_t room_for_mpi_headers = 128;

void prefer_eager(std::size_t batch_bytes) {
  if (batch_bytes > largest_eager_batch) return;
  const std::string limit = std::to_string(batch_bytes + room_for_mpi_headers);
  setenv("OMPI_MCA_btl_vader_eager_limit", limit.c_str(), 0);  // Open MPI 4
  setenv("OMPI_MCA_btl_sm_eager_limit", limit.c_str(), 0);     // Open MPI 5
}

// The least and the greatest of what the ranks have said.
struct span_of_ranks {
  std::int64_t least;
  std::int64_t greatest;
  bool one() const { return least == greatest; }
  std::string text() const { return "from " + std::to_string(least) + " to " + std::to_string(greatest); }
};

// Asks all ranks for each fact, in one collective, since it costs each rank a turn where ranks share cores.
template <std::size_t Count>
std::array<span_of_ranks, Count> over_ranks(const std::array<std::int64_t, Count>& own) {
  std::array<std::int64_t, 2 * Count> most;
  for (std::size_t i = 0; i < Count; ++i) {
    most[2 * i] = -own[i];
    most[2 * i + 1] = own[i];
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, most.data(), static_cast<int>(most.size()), MPI_INT64_T, MPI_MAX, job_ranks()));
  std::array<span_of_ranks, Count> spans;
  for (std::size_t i = 0; i < Count; ++i) spans[i] = {-most[2 * i], most[2 * i + 1]};
  return spans;
}

// Can the ranks be one job as they were started? Collective; one of them says why not.
bool fit_together(const launch_settings& settings, int ranks, int rank) {
  const int pes = ranks * settings.pes_per_rank;
  const auto batch_bytes = static_cast<std::int64_t>(settings.batch_bytes_for(pes));
  const bool wrong_pes = settings.pes != 0 && settings.pes != pes;
  const auto [wrong, of_rank, bytes, hops, nodes, carriers] =
      over_ranks<6>({wrong_pes ? rank : ranks, settings.pes_per_rank, batch_bytes, settings.hops,
                     settings.pretended_nodes, static_cast<int>(chosen_carrying())});
  const std::int64_t first_wrong = wrong.least;  // or, with none, the number of ranks
  if (first_wrong == rank) {
    std::string ranks_of;
    if (settings.pes_per_rank > 1) ranks_of = " ranks of " + std::to_string(settings.pes_per_rank) + " PEs";
    std::fprintf(stderr, "tsubu: %d PEs were asked for, but the MPI launcher started %d%s (mpirun -n)\n", settings.pes,
                 ranks, ranks_of.c_str());
  }
  bool fit = first_wrong == ranks;
  auto demand = [&](bool holds, const std::string& otherwise) {
    if (!holds && rank == 0) std::fprintf(stderr, "tsubu: %s\n", otherwise.c_str());
    fit = fit && holds;
  };
  demand(of_rank.one(), "the ranks have " + of_rank.text() + " PEs; give all the same --tsubu-pes-per-rank");
  demand(bytes.one(), "the ranks have batches " + bytes.text() +
                          " bytes; give all the same --tsubu-batch, and --tsubu-checksum to all or none");
  demand(hops.one(), "the ranks send over " + hops.text() + " hops; give all the same --tsubu-hops");
  demand(nodes.one(), "the ranks pretend " + nodes.text() + " nodes; give all the same --tsubu-pretended-nodes");
  demand(carriers.one(), "some ranks send messages, some put into windows; give all the same --tsubu-mpi");
  return fit;
}

// The other PEs would wait for this one in close().
[[noreturn]] void ended_early(int code) {
  if (code != 0) abort_job(code);
  fail("a PE ended without close()");
}

template <class End>
int run_body(End& own_end, pe_main body, void* argument) {
  const int code = body(own_end, argument);
  if (!own_end.closed()) ended_early(code);
  return code;
}

// Starts the PEs of this rank, the first on the calling thread. run(number) returns a PE's exit code.
template <class Run>
int on_threads(const findings& found, Run run) {
  const int pes = found.fitted().pes_per_rank;
  // The PEs meet in memory next, where a rank sleeps without a call of MPI: those that are late may still need one of
  // it in the collectives before.
  check_mpi(MPI_Barrier(job_ranks()));
  if (pes == 1) return run(0);
  std::vector<int> codes(static_cast<std::size_t>(pes), 0);
  const pe_id first_pe = own_rank() * pes;
  auto pe_thread = [&](int number) {
    set_own_pe(first_pe + number);
    found.binding().bind_this_thread(found.cores().first + number);
    codes[static_cast<std::size_t>(number)] = run(number);
  };
  std::vector<std::thread> threads;
  try {
    for (int number = 1; number < pes; ++number) threads.emplace_back(pe_thread, number);
  } catch (const std::system_error& e) {
    const std::string which = std::to_string(threads.size() + 1) + " of " + std::to_string(pes);
    fail("no thread for PE " + which + " of this rank: " + e.what());
  }
  pe_thread(0);
  for (std::thread& t : threads) t.join();
  return *std::max_element(codes.begin(), codes.end());
}

// A look at one word, for who has a core of its own.
constexpr int looks_for_a_poll = 8;

// The PEs of a rank use the ends of each other, and those of its node, until all are done.
template <class End>
int run_together(meeting& everyone, End& own_end, pe_main body, void* argument) {
  const int looks = looks_for_a_poll * own_end.spin_polls();
  everyone.arrive_and_wait(looks);
  const int code = run_body(own_end, body, argument);
  everyone.arrive_and_wait(looks);
  return code;
}

// The whole job is on this node.
int run_sharing(const findings& found, shared_group& near, pe_main body, void* argument) {
  const launch_settings& settings = found.fitted();
  const pe_id first_pe = own_rank() * settings.pes_per_rank;
  return on_threads(found, [&](int number) {
    shared_end own_end(near, first_pe + number, settings.shape_for(static_cast<int>(near.pe_count())));
    return run_together(near.everyone(), own_end, body, argument);
  });
}

// There are other nodes, and here or there are several PEs on one.
int run_mixed(const findings& found, shared_group& near, pe_main body, void* argument) {
  const launch_settings& settings = found.fitted();
  const std::vector<int>& sharers = found.here().sharers();
  const node_map numbers(sharers, settings.pes_per_rank);
  engine far(settings, sharers, near.facts().oversubscribed);
  return on_threads(found, [&](int number) {
    rank_endpoint own_end(near, numbers, far, number);
    return run_together(near.everyone(), own_end, body, argument);
  });
}

// Nobody shares memory.
int run_apart(const launch_settings& settings, bool oversubscribed, pe_main body, void* argument) {
  mpi_transport own_end(settings, oversubscribed);
  return run_body(own_end, body, argument);
}

std::unique_ptr<shared_group> group_of(const findings& found) {
  return found.here().make_group({.batch_bytes = found.fitted().batch_bytes,
                                  .room_behind = sizeof(bulk_length),
                                  .oversubscribed = found.oversubscribed(),
                                  .shares_cores = found.oversubscribed(),
                                  .ending = {abort_job, [](const char* reason) { fail(reason); }}});
}

// They may be those of an earlier job.
int run_pes(const findings& found, pe_main body, void* argument) {
  const launch_settings& settings = found.fitted();
  const bool oversubscribed = found.oversubscribed();
  const short_slices when_oversubscribed(oversubscribed ? std::int64_t{settings.slice_us} * 1000 : 0);
  if (found.nobody_shares()) return run_apart(settings, oversubscribed, body, argument);
  const std::unique_ptr<shared_group> near = group_of(found);
  const int code =
      found.whole_job_shares() ? run_sharing(found, *near, body, argument) : run_mixed(found, *near, body, argument);
  if (findings_of_job != nullptr) found.here().give_back_memory_of(*near);
  return code;
}

// What the PEs of a rank need from MPI. Says why not.
bool has_level(int provided, const launch_settings& settings, int rank) {
  if (settings.pes_per_rank == 1 || provided >= MPI_THREAD_SERIALIZED) return true;
  if (rank == 0) {
    std::fprintf(
        stderr,
        "tsubu: --tsubu-pes-per-rank needs an MPI whose threads may call it in turn (MPI_THREAD_SERIALIZED); this "
        "one provides level %d, expected was %d\n",
        provided, MPI_THREAD_SERIALIZED);
  }
  return false;
}

// The exit code of this rank if there is no job, for some ranks, or all, take no part in it. If they are not all alike,
// one says why.
std::optional<int> code_without_job(const launch_settings& settings, int ranks, int rank) {
  const ranks_without_job out = meet_before_job(!settings.takes_part);
  if (out.for_help == 0 && out.at_their_end == 0) return std::nullopt;
  if (out.at_their_end != 0) {
    std::fprintf(stderr,
                 "tsubu: %d of %d ranks have left main(), and rank %d calls run() again; let all call it as often\n",
                 out.at_their_end, ranks, rank);
  } else if (out.for_help != ranks && rank == 0) {
    std::fprintf(stderr, "tsubu: %d of %d ranks were asked for help only; give all the same options\n", out.for_help,
                 ranks);
  }
  return out.for_help == ranks ? 0 : exit_code::usage;
}

// What an earlier job on this communicator has found out, or what `made` has now, anew; null: the ranks do not fit.
const findings* find_out(const launch_settings& asked, int ranks, int rank, std::unique_ptr<findings>& made) {
  if (findings_of_job != nullptr) {
    if (const findings* const kept = findings_of_job->for_job(asked)) {
      kept->here().prepare_again();
      return kept;
    }
  }
  if (!fit_together(asked, ranks, rank)) return nullptr;
  made = std::make_unique<findings>(asked, ranks);
  return made.get();
}

int run_ranks(const launch_settings& asked, int ranks, int rank, pe_main body, void* argument) {
  std::unique_ptr<findings> made;
  const findings* const found = find_out(asked, ranks, rank, made);
  if (found == nullptr) return exit_code::usage;
  const int code = run_pes(*found, body, argument);
  if (findings_of_job != nullptr && made != nullptr) findings_of_job->keep(std::move(made));
  return code;
}

int run_job(const launch_settings& asked, pe_main body, void* argument) {
  if (asked.batch_bytes != 0 && !is_inside()) prefer_eager(asked.batch_bytes);
  const int level = asked.pes_per_rank > 1 ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED;
  // Before MPI has threads of its own: for a process with several the kernel waits for a grace period, some 10 ms.
  if (asked.share_memory) can_fence_all_threads(reach::machine);
  const int provided = start_mpi(level);
  int ranks = 0;
  int rank = 0;
  check_mpi(MPI_Comm_size(job_ranks(), &ranks));
  check_mpi(MPI_Comm_rank(job_ranks(), &rank));
  if (!is_inside()) {  // else the process is the caller's
    tell_start(ranks, rank);
    end_with_proxy();
  }
  watch_forks();
  set_own_pe(rank * asked.pes_per_rank);
  if (!is_inside()) {  // where the ranks have met
    if (const std::optional<int> code = code_without_job(asked, ranks, rank)) return *code;
  }
  if (!has_level(provided, asked, rank)) return exit_code::unavailable;
  return run_ranks(asked, ranks, rank, body, argument);
}

int launch(const launch_settings& settings, job_body body, void* argument) {
  const int code = run_job(settings, body.each, argument);
  after_job();
  return code;
}

// ---- the end of a rank's only PE, which is held from open_held() to close_held()

struct held_job {
  std::unique_ptr<findings> made;
  std::unique_ptr<shared_group> near;  // null: nobody shares memory
  std::unique_ptr<node_map> numbers;
  std::unique_ptr<engine> far;
  std::unique_ptr<transport> end;
  int looks = 0;
};
std::unique_ptr<held_job> held;

std::unique_ptr<transport> end_of(held_job& job, const findings& found) {
  const launch_settings& settings = found.fitted();
  if (found.nobody_shares()) return std::make_unique<mpi_transport>(settings, found.oversubscribed());
  job.near = group_of(found);
  if (found.whole_job_shares()) {
    const grid_shape shape = settings.shape_for(static_cast<int>(job.near->pe_count()));
    return std::make_unique<shared_end>(*job.near, own_rank(), shape);
  }
  job.numbers = std::make_unique<node_map>(found.here().sharers(), 1);
  job.far = std::make_unique<engine>(settings, found.here().sharers(), found.oversubscribed());
  return std::make_unique<rank_endpoint>(*job.near, *job.numbers, *job.far, 0);
}

transport* open_held(const launch_settings& asked, int* code) {
  int ranks = 0;
  int rank = 0;
  check_mpi(MPI_Comm_size(job_ranks(), &ranks));
  check_mpi(MPI_Comm_rank(job_ranks(), &rank));
  watch_forks();
  set_own_pe(rank);
  auto opened = std::make_unique<held_job>();
  const findings* const found = find_out(asked, ranks, rank, opened->made);
  if (found == nullptr) {
    *code = exit_code::usage;
    return nullptr;
  }
  opened->end = end_of(*opened, *found);
  opened->looks = looks_for_a_poll * opened->end->spin_polls();
  check_mpi(MPI_Barrier(job_ranks()));  // as on_threads() has it
  if (opened->near != nullptr) opened->near->everyone().arrive_and_wait(opened->looks);
  held = std::move(opened);
  return held->end.get();
}

// Others may touch the public part of this end until they have come here.
void close_held() {
  if (held->near != nullptr) held->near->everyone().arrive_and_wait(held->looks);
  held.reset();
}

}  // namespace

}  // namespace tsubu::transport::mpi

extern "C" {
extern __attribute__((visibility("default"))) const tsubu::transport::plugin tsubu_transport_plugin;
const tsubu::transport::plugin tsubu_transport_plugin = {tsubu::transport::plugin_abi, TSUBU_MPI_NAME,
                                                         tsubu::transport::mpi::launch};
extern __attribute__((visibility("default"))) const tsubu::transport::calls_of_library tsubu_transport_calls;
const tsubu::transport::calls_of_library tsubu_transport_calls = tsubu::transport::mpi::made_calls;
extern __attribute__((visibility("default"))) const tsubu::transport::choose_mpi_carrying tsubu_transport_carrying;
const tsubu::transport::choose_mpi_carrying tsubu_transport_carrying = tsubu::transport::mpi::choose_carrying;
extern __attribute__((visibility("default"))) const tsubu::transport::watch_mpi_start tsubu_transport_start;
const tsubu::transport::watch_mpi_start tsubu_transport_start = tsubu::transport::mpi::watch_start;
extern __attribute__((visibility("default"))) const tsubu::transport::inside_mpi tsubu_transport_inside;
const tsubu::transport::inside_mpi tsubu_transport_inside = {tsubu::transport::mpi::begin_inside,
                                                             tsubu::transport::mpi::end_inside};
extern __attribute__((visibility("default"))) const tsubu::transport::held_end tsubu_transport_held;
const tsubu::transport::held_end tsubu_transport_held = {tsubu::transport::mpi::open_held,
                                                         tsubu::transport::mpi::close_held};
}
