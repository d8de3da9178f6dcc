#include "tsubu/transport/mpi/node.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/failure.hpp"
#include "tsubu/transport/mpi/world.hpp"
#include "tsubu/transport/shared/parking.hpp"
#include "tsubu/transport/shared/pieces.hpp"
#include "tsubu/transport/shared/process_copy.hpp"

namespace tsubu::transport::mpi {

// What the ranks of a node tell each other.
struct node::process_facts {
  int rank;
  pid_t pid;
  ino_t pid_namespace;       // within which `pid` is a process
  std::size_t room;          // the most that the process maps
  std::size_t needs;         // for each PE
  const std::byte* own_pid;  // where its `pid` stands until all have agreed, for the others to read
  bool wants;
};

namespace {

// Addresses, not memory. A PE could not hold more messages than the machine has memory.
constexpr std::size_t most_addresses = std::size_t{1} << 40;
constexpr std::size_t kept_of_a_pe = std::size_t{1} << 20;  // between jobs, of what it has touched
constexpr int max_shared_pes = 1024;                        // as on threads: their rings are looked through one by one

std::size_t memory_of_machine() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// What a PE must be able to hold, of so many: what its messages may take, once more for what is not held back by that,
// its rings, and pieces of bulks.
std::size_t least_for_a_pe(const launch_settings& settings, std::size_t pes) {
  return 2 * settings.memory_bytes + pes * sizeof(ring) +
         pieces::most_of_a_pe(pes) * (sizeof(batch) + settings.batch_bytes);
}

MPI_Comm ranks_of_node(const launch_settings& settings) {
  MPI_Comm comm = MPI_COMM_NULL;
  const int rank = own_rank();
  if (settings.pretended_nodes > 0) {
    check_mpi(MPI_Comm_split(job_ranks(), rank % settings.pretended_nodes, rank, &comm));
  } else {
    check_mpi(MPI_Comm_split_type(job_ranks(), MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm));
  }
  return comm;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  check_mpi(MPI_Comm_size(comm, &size));
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(comm, &rank));
  return rank;
}

bool all_say(bool yes, MPI_Comm comm) {
  int all = yes ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm));
  return all != 0;
}

ino_t own_pid_namespace() {
  struct stat facts{};
  return stat("/proc/self/ns/pid", &facts) == 0 ? facts.st_ino : 0;
}

bool all_differ(std::vector<pid_t> pids) {
  std::sort(pids.begin(), pids.end());
  return std::adjacent_find(pids.begin(), pids.end()) == pids.end();
}

void say_why_not(const std::string& reason) {
  std::fprintf(stderr,
               "tsubu: the ranks of this node share no memory, and their messages go through MPI: %s; "
               "--tsubu-shared=off is without this line\n",
               reason.c_str());
}

// One that a rank has met, the same on all.
segment::refusal agreed(const segment::refusal& own, MPI_Comm comm) {
  constexpr int errors = 4096;
  const int met = static_cast<int>(own.what) * errors + own.error;
  int one = 0;
  check_mpi(MPI_Allreduce(&met, &one, 1, MPI_INT, MPI_MAX, comm));
  return {static_cast<segment::call>(one / errors), one % errors};
}

}  // namespace

node::node(const launch_settings& settings) : pes_per_rank_(settings.pes_per_rank), sharers_{own_rank()} {
  MPI_Comm comm = ranks_of_node(settings);
  if (size_of(comm) > 1) share(comm, settings);
  check_mpi(MPI_Comm_free(&comm));
}

std::unique_ptr<shared_group> node::make_group(group_facts facts) const {
  facts.pes = static_cast<int>(sharers_.size()) * pes_per_rank_;
  if (!segment_) return std::make_unique<shared_group>(facts);
  return std::make_unique<shared_group>(facts, processes_, segment_->base(), segment_->bytes());
}

void node::prepare_again() const {
  if (segment_ && processes_.own == 0) {
    shared_group::prepare(segment_->base(), static_cast<int>(sharers_.size()) * pes_per_rank_, fences_);
  }
}

void node::give_back_memory_of(const shared_group& ended) const {
  if (!segment_) return;
  const pe_id first = processes_.own * pes_per_rank_;
  for (pe_id pe = first; pe < first + pes_per_rank_; ++pe) {
    const std::span<std::byte> rest = ended.used_beyond(pe, kept_of_a_pe);
    // What the system does not take is there for the next job, which asks for no memory that is zero.
    if (!rest.empty()) madvise(rest.data(), rest.size(), MADV_REMOVE);
  }
}

// All ranks of the node come to the same conclusion.
void node::share(MPI_Comm comm, const launch_settings& settings) {
  const pid_t pid = getpid();
  const process_facts own{.rank = own_rank(),
                          .pid = pid,
                          .pid_namespace = own_pid_namespace(),
                          .room = segment::room(most_addresses),
                          .needs = least_for_a_pe(settings, static_cast<std::size_t>(size_of(comm) * pes_per_rank_)),
                          .own_pid = reinterpret_cast<const std::byte*>(&pid),
                          .wants = settings.share_memory};
  std::vector<process_facts> members(static_cast<std::size_t>(size_of(comm)));
  check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, members.data(), sizeof own, MPI_BYTE, comm));
  std::vector<int> ranks;
  std::vector<pid_t> pids;
  bool all_want = true;
  bool one_namespace = true;
  for (const process_facts& m : members) {
    ranks.push_back(m.rank);
    pids.push_back(m.pid);
    all_want = all_want && m.wants;
    one_namespace = one_namespace && m.pid_namespace == own.pid_namespace;
  }
  one_namespace = all_say(one_namespace, comm);
  // The ranks of some MPIs are threads of one process, and nobody asked for more there.
  if (!all_want || (one_namespace && !all_differ(pids))) return;
  const std::size_t bytes = one_namespace ? bytes_to_share(members) : 0;
  std::string why_not;
  if (!one_namespace) {
    why_not = "they are in containers (PID namespaces) of their own";
  } else if (static_cast<int>(members.size()) * pes_per_rank_ > max_shared_pes) {
    why_not = "they have more than 1,024 PEs together";
  } else if (bytes == 0) {
    why_not = "they may not map a segment with room for --tsubu-memory (are they under ulimit -v or -f?)";
  } else if (const std::string refused = map_segment(comm, bytes); !refused.empty()) {
    why_not = "the system does not let them map one segment: " + refused;
  }
  if (!why_not.empty()) {
    if (rank_in(comm) == 0) say_why_not(why_not);
    return;
  }
  sharers_ = std::move(ranks);
  processes_ = {rank_in(comm), pes_per_rank_, std::move(pids), can_copy(comm, members)};
}

// How large the segment shall be; 0: there is no room for it.
std::size_t node::bytes_to_share(const std::vector<process_facts>& members) const {
  const int pes = static_cast<int>(members.size()) * pes_per_rank_;
  std::size_t room = most_addresses;
  std::size_t needs = 0;
  for (const process_facts& m : members) {
    room = std::min(room, m.room);
    needs = std::max(needs, m.needs);
  }
  if (shared_group::segment_bytes(pes, needs) > room) return 0;
  return std::min(room, shared_group::segment_bytes(pes, std::max(needs, memory_of_machine())));
}

std::string node::map_segment(MPI_Comm comm, std::size_t bytes) {
  fences_ = all_say(can_fence_all_threads(reach::machine), comm);
  const bool maker = rank_in(comm) == 0;
  segment::ticket of_maker;
  segment::refusal why;
  if (maker) {
    segment_ = segment::make(bytes, &why);
    if (segment_) {
      shared_group::prepare(segment_->base(), size_of(comm) * pes_per_rank_, fences_);
      of_maker = segment_->own_ticket();
    }
  }
  check_mpi(MPI_Bcast(&of_maker, sizeof of_maker, MPI_BYTE, 0, comm));
  if (!maker && of_maker.descriptor >= 0) segment_ = segment::open(of_maker, &why);
  const segment::refusal met = agreed(why, comm);
  const bool all = met.what == segment::call::none;
  if (!all) segment_.reset();
  if (segment_) segment_->close();
  return all ? "" : met.text();
}

// Whether each may read the memory of the next.
bool node::can_copy(MPI_Comm comm, const std::vector<process_facts>& members) {
  const process_facts& next = members[static_cast<std::size_t>(rank_in(comm) + 1) % members.size()];
  pid_t there = 0;
  const bool copied = copy_from_process(next.pid, reinterpret_cast<std::byte*>(&there), next.own_pid, sizeof there);
  return all_say(copied && there == next.pid, comm);
}

}  // namespace tsubu::transport::mpi
