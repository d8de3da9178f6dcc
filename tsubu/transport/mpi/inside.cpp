#include "tsubu/transport/mpi/inside.hpp"

#include <mpi.h>

#include <memory>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/lifetime.hpp"
#include "tsubu/transport/mpi/world.hpp"

namespace tsubu::transport::mpi {
namespace {

int free_kept(MPI_Comm, int, void* kept, void*) {
  const std::unique_ptr<MPI_Comm> own(static_cast<MPI_Comm*>(kept));
  return MPI_Comm_free(own.get());
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
MPI_Comm kept_by(MPI_Comm callers) {
  void* kept = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(callers, own_key(), &kept, &found));
  if (found != 0) return *static_cast<const MPI_Comm*>(kept);
  int rank = 0;
  check_mpi(MPI_Comm_rank(callers, &rank));
  auto own = std::make_unique<MPI_Comm>(MPI_COMM_NULL);
  check_mpi(MPI_Comm_split(callers, 0, rank, own.get()));
  check_mpi(MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN));
  check_mpi(MPI_Comm_set_attr(callers, own_key(), own.get()));
  return *own.release();
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

}  // namespace

const char* begin_inside(const inside_job& job) {
  int known = 0;
  check_mpi(MPI_Initialized(&known));
  const MPI_Comm callers = known != 0 ? MPI_Comm_f2c(job.communicator) : MPI_COMM_NULL;
  if (const char* const trouble = trouble_with(callers)) return trouble;
  static bool told = false;
  if (!told) {
    int ranks = 0, rank = 0;
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    tell_start(ranks, rank);
    told = true;
  }
  ranks_inside = kept_by(callers);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, job.greatest.data(), static_cast<int>(job.greatest.size()), MPI_UINT32_T,
                          MPI_MAX, ranks_inside));
  return nullptr;
}

void end_inside() { ranks_inside = MPI_COMM_NULL; }

}  // namespace tsubu::transport::mpi
