// Promise: a program of MPI runs Tsubu's jobs on communicators of its own, one after the other, and finds its own MPI
// as it was: messages that wait, error handlers, signals, rounding and floating-point flags. A job that fails is a code
// that run() returns, on all ranks.
#include <tsubu/mpi.hpp>
// The header for any MPI compiles alone.
#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include <cfenv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tsubu;

namespace {

// Outside a job, where require() would be of no PE.
#define HOLDS(what)                                                                 \
  do {                                                                              \
    if (!(what)) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #what); \
      MPI_Abort(MPI_COMM_WORLD, 3);                                                 \
    }                                                                               \
  } while (false)

MPI_Comm own = MPI_COMM_NULL;  // of the job that runs

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

// ---- what is run

struct counter : object<counter> {
  long n = 0;
  void add(long k) { n += k; }
  long get() { return n; }
};

pe_local<long> received;
void receive(long n) { *received += n; }

// Something of each floor that keeps names, which begin anew with each job.
task<int> all_floors(arguments args) {
  require(args.size() == 2 && args[1] == "word", "the job's words");
  require(this_pe() == rank_in(own) && pe_count() == size_of(own), "the PEs are the ranks of the communicator");
  require(std::fegetround() == FE_UPWARD, "the PEs round as the program does");
  const pe_id next = (this_pe() + 1) % pe_count();
  for (int i = 0; i < 1000; ++i) at(next).past<receive>(1);
  co_await quiescence();
  const long all = co_await all_reduce(*received, reduce::plus);
  require(all == 1000L * pe_count(), "what was received in all");

  const ref<counter> far = create<counter>(at(next));
  far.past<&counter::add>(2);
  const long n = co_await far.now<&counter::get>();
  require(n == 2, "the far counter");

  auto squares = co_await create_shared_array<long>(100, by_block(), protocol::update);
  if (this_pe() == 0) {
    for (std::size_t i = 0; i < 100; ++i) squares[i].add(static_cast<long>(i));
  }
  co_await quiescence();
  const long ninth = co_await squares[9].read();
  require(ninth == 9, "an element of an array");

  shared<long> sum;
  if (this_pe() == 0) sum = create_shared(protocol::accumulate, 5L);
  sum = co_await broadcast(sum);
  sum.add(1);
  co_await quiescence();
  const long added = co_await sum.read();
  require(added == 5 + pe_count(), "a shared variable");
  co_return 0;
}

// The other way round: between two barriers no PE needs another one's answers, and all may be in a call of MPI.
task<int> calls_mpi(arguments) {
  co_await barrier();
  int ranks = 1;
  MPI_Allreduce(MPI_IN_PLACE, &ranks, 1, MPI_INT, MPI_SUM, own);
  co_await barrier();
  const int pes = co_await all_reduce(1, reduce::plus);
  co_return ranks == pes ? 0 : 9;
}

task<int> returns_seven(arguments) { co_return this_pe() == 0 ? 7 : 0; }
task<int> throws(arguments) {
  if (this_pe() == pe_count() - 1) throw std::runtime_error("of the program's own");
  co_await barrier();
  co_return 0;
}
task<int> nothing(arguments) { co_return 0; }

pe_local<std::size_t> taken;
void take(const std::vector<char>& block) { *taken += block.size(); }
// More memory for messages than is kept from one job to the next.
task<int> sends_much(arguments) {
  constexpr std::size_t blocks = 64, bytes = 200'000;
  require(*taken == 0, "a job begins with nothing of the one before");
  for (std::size_t i = 0; i < blocks; ++i) at((this_pe() + 1) % pe_count()).past<take>(std::vector<char>(bytes, 'x'));
  co_await quiescence();
  co_return *taken == blocks* bytes ? 0 : 9;
}
pe_local<tsubu::sync<int>> never;
task<int> waits_for_ever(arguments) {
  const int token = co_await never->read();
  co_return token;
}

// ---- runs of a session

struct kept_between_runs {
  map<int, long> sums;
  ref<counter> far;
};
pe_local<std::optional<kept_between_runs>> kept;

task<int> adds_once(arguments args) {
  if (!kept->has_value()) {
    auto sums = co_await create_map<int, long>();
    const auto far = create<counter>(at((this_pe() + 1) % pe_count()));
    kept->emplace(kept_between_runs{sums, far});
  }
  const long k = args.number<long>(1, 1);
  for (int key = 0; key < 100; ++key) co_await (*kept)->sums.past().reduce(key, k, reduce::plus);
  (*kept)->far.past<&counter::add>(k);
  at((this_pe() + 1) % pe_count()).past<receive>(k);
  co_return 0;
}
task<int> holds_six_each(arguments) {
  const long there = co_await (*kept)->far.now<&counter::get>();
  require(there == 6 && *received == 6, "what three runs have added to an object and to a variable of the PE's");
  for (int key = this_pe(); key < 100; key += pe_count()) {
    const auto sum = co_await (*kept)->sums.now().find(key);
    require(sum == 6L * pe_count(), "what three runs have added in a container");
  }
  co_return 0;
}
task<int> waits_on_one(arguments) {
  if (this_pe() == 0) {
    const int token = co_await never->read();
    co_return token;
  }
  co_return 0;
}

// ---- what the program has of its own

void count_errors(MPI_Comm*, int*, ...) {}

// What a process has that Tsubu might have changed.
struct surroundings {
  MPI_Errhandler of_world = MPI_ERRHANDLER_NULL, of_comm = MPI_ERRHANDLER_NULL;
  std::vector<void (*)(int)> handlers;
  int rounding = std::fegetround();
  int trapped = fegetexcept();
  bool has_signal_stack = false;

  explicit surroundings(MPI_Comm comm) {
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &of_world);
    MPI_Comm_get_errhandler(comm, &of_comm);
    for (int number = 1; number < 32; ++number) {
      struct sigaction now{};
      sigaction(number, nullptr, &now);
      handlers.push_back(now.sa_handler);
    }
    stack_t stack{};
    sigaltstack(nullptr, &stack);
    has_signal_stack = (stack.ss_flags & SS_DISABLE) == 0;
  }
  bool operator==(const surroundings&) const = default;
};

// A message round the ranks, by the program's own MPI.
void send_round(MPI_Comm comm) {
  const int me = rank_in(comm), ranks = size_of(comm);
  int from = -1;
  MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % ranks, 0, &from, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
               MPI_STATUS_IGNORE);
  HOLDS(from == (me + ranks - 1) % ranks);
}

int run_on(MPI_Comm comm, task<int> (*program)(arguments), const std::vector<std::string>& words = {}) {
  own = comm;
  const surroundings before(comm);
  send_round(comm);
  const int code = mpi::run_spmd(comm, program, words);
  send_round(comm);
  HOLDS(before == surroundings(comm));
  return code;
}

void sessions_on(MPI_Comm comm) {
  own = comm;
  const surroundings before(comm);
  for (int round = 0; round < 3; ++round) {
    mpi::session s(comm);
    for (const char* const k : {"1", "2", "3"}) {
      HOLDS(s.run_spmd(adds_once, {k}) == 0);
      send_round(comm);
      HOLDS(before == surroundings(comm));
    }
    HOLDS(s.run_spmd(holds_six_each) == 0);
    HOLDS(s.run_spmd(returns_seven) == 7);
    HOLDS(s.run(nothing, {"--tsubu-stats"}) == 2);
    HOLDS(mpi::run(comm, nothing) == 2);  // a session goes on
    HOLDS(s.run(nothing) == 0);
    if (round == 1) HOLDS(s.end() == 0);
    if (round == 2) HOLDS(s.run_spmd(waits_on_one) == 70 && s.run(nothing) == 70 && s.end() == 70);
  }
  mpi::session wrong(comm, {"--tsubu-bacth=4K"});
  HOLDS(wrong.run(nothing) == 2 && wrong.end() == 2);
  HOLDS(run_on(comm, all_floors, {"word"}) == 0);
}

void ten_jobs(const std::vector<MPI_Comm>& comms) {
  for (std::size_t i = 0; i < 10; ++i) {
    const MPI_Comm comm = comms[i % comms.size()];
    if (comm == MPI_COMM_NULL) continue;  // a rank that is in none of the jobs there
    HOLDS(run_on(comm, i < 6 ? all_floors : calls_mpi, {"word"}) == 0);
  }
}

// Each fails in its own way, and another one runs behind it.
void jobs_that_fail(MPI_Comm comm) {
  const bool last = rank_in(comm) == size_of(comm) - 1;
  HOLDS(run_on(comm, returns_seven) == 7);
  HOLDS(run_on(comm, throws) == 1);
  HOLDS(run_on(comm, waits_for_ever) == 70);
  HOLDS(run_on(comm, nothing, {"--tsubu-bacth=4K"}) == 2);
  if (last) {
    HOLDS(run_on(comm, nothing, {"--tsubu-scheduler=no_such"}) == 2);
  } else {
    HOLDS(run_on(comm, nothing) == 2);  // one rank's wrong option is no job of the others
  }
  HOLDS(mpi::run(MPI_COMM_NULL, nothing) == 2);
  HOLDS(run_on(comm, all_floors, {"word"}) == 0);
}

// More communicators than keep what their ranks have found out, each with jobs that ask for other things in between.
void jobs_on_many(MPI_Comm comm) {
  std::vector<MPI_Comm> copies(10);
  for (MPI_Comm& copy : copies) MPI_Comm_dup(comm, &copy);
  for (int round = 0; round < 2; ++round) {
    for (const MPI_Comm copy : copies) HOLDS(run_on(copy, sends_much) == 0);
  }
  for (const char* const option : {"--tsubu-batch=8192", "--tsubu-shared=off", "--tsubu-shared=off"}) {
    HOLDS(run_on(copies[0], sends_much, {option}) == 0);
  }
  HOLDS(run_on(copies[0], sends_much) == 0);
  for (MPI_Comm& copy : copies) MPI_Comm_free(&copy);
}

}  // namespace

int main(int argc, char** argv) {
  HOLDS(mpi::run(MPI_COMM_WORLD, nothing) == 2);  // MPI has not begun
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Errhandler counting;
  MPI_Comm_create_errhandler(count_errors, &counting);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, counting);
  std::fesetround(FE_UPWARD);
  feenableexcept(FE_DIVBYZERO | FE_INVALID);

  const int me = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  MPI_Comm backwards, some;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &backwards);
  MPI_Comm_split(MPI_COMM_WORLD, me == 0 ? MPI_UNDEFINED : 0, me, &some);
  int late = 0;
  MPI_Request pending;
  MPI_Irecv(&late, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &pending);

  const MPI_Comm comms[] = {backwards, some, MPI_COMM_SELF};
  for (const MPI_Comm comm : comms) {
    if (comm == MPI_COMM_NULL) continue;
    own = comm;
    HOLDS(mpi::run(comm, nothing) == 0);
  }
  ten_jobs({backwards, some, MPI_COMM_SELF});
  jobs_that_fail(backwards);
  jobs_on_many(backwards);
  sessions_on(backwards);

  int arrived = 1;
  MPI_Test(&pending, &arrived, MPI_STATUS_IGNORE);
  HOLDS(arrived == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&me, 1, MPI_INT, (me + 1) % ranks, 5, MPI_COMM_WORLD);
  MPI_Wait(&pending, MPI_STATUS_IGNORE);
  HOLDS(late == (me + ranks - 1) % ranks);

  MPI_Comm_free(&backwards);
  if (some != MPI_COMM_NULL) MPI_Comm_free(&some);
  if (me == 0) std::puts("the program and its jobs have ended well");
  MPI_Errhandler_free(&counting);
  MPI_Finalize();
  return 0;
}
