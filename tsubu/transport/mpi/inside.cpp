#include "tsubu/transport/mpi/inside.hpp"

#include <mpi.h>

#include <memory>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/findings.hpp"
#include "tsubu/transport/mpi/lifetime.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {
namespace {

// What one of the caller's communicators keeps.
struct kept {
  MPI_Comm own = MPI_COMM_NULL;
  kept_findings findings;
};

int free_kept(MPI_Comm, int, void* of_callers, void*) {
  const std::unique_ptr<kept> ended(static_cast<kept*>(of_callers));
  return MPI_Comm_free(&ended->own);
}

int own_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_kept, &made, nullptr));
    return made;
  }();
  return key;
}

// Collective where it has none yet.
kept& kept_by(MPI_Comm callers) {
  void* found = nullptr;
  int is_found = 0;
  check_mpi(MPI_Comm_get_attr(callers, own_key(), &found, &is_found));
  if (is_found != 0) return *static_cast<kept*>(found);
  int rank = 0;
  check_mpi(MPI_Comm_rank(callers, &rank));
  auto made = std::make_unique<kept>();
  check_mpi(MPI_Comm_split(callers, 0, rank, &made->own));
  check_mpi(MPI_Comm_set_errhandler(made->own, MPI_ERRORS_RETURN));
  check_mpi(MPI_Comm_set_attr(callers, own_key(), made.get()));
  return *made.release();
}

// What each rank sees of itself; null: nothing.
const char* trouble_with(MPI_Comm callers) {
  int known = 0;
  check_mpi(MPI_Initialized(&known));
  if (known == 0) return "MPI has not begun: call MPI_Init() first";
  check_mpi(MPI_Finalized(&known));
  if (known != 0) return "MPI has ended: start jobs before MPI_Finalize()";
  if (callers == MPI_COMM_NULL) return "MPI_COMM_NULL has no ranks";
  check_mpi(MPI_Comm_test_inter(callers, &known));
  if (known != 0) return "an intercommunicator has two groups of ranks, and a job is of one";
  int level = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&level));
  check_mpi(MPI_Is_thread_main(&known));
  if (known == 0 && level < MPI_THREAD_SERIALIZED) return "this thread may not call MPI";
  return nullptr;
}

MPI_Comm communicator_of(const inside_job& job) {
#ifdef MPI_H_ABI
  return reinterpret_cast<MPI_Comm>(job.communicator);
#else
  return MPI_Comm_f2c(static_cast<MPI_Fint>(job.communicator));
#endif
}

}  // namespace

const char* begin_inside(const inside_job& job) {
  int known = 0;
  check_mpi(MPI_Initialized(&known));
  const MPI_Comm callers = known != 0 ? communicator_of(job) : MPI_COMM_NULL;
  if (const char* const trouble = trouble_with(callers)) return trouble;
  static bool told = false;
  if (!told) {
    int ranks = 0, rank = 0;
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    tell_start(ranks, rank);
    told = true;
  }
  kept& of_callers = kept_by(callers);
  ranks_inside = of_callers.own;
  findings_of_job = &of_callers.findings;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, job.greatest.data(), static_cast<int>(job.greatest.size()), MPI_UINT32_T,
                          MPI_MAX, ranks_inside));
  return nullptr;
}

void end_inside() {
  ranks_inside = MPI_COMM_NULL;
  findings_of_job = nullptr;
}

}  // namespace tsubu::transport::mpi
