// A job that ends early or late, in one of many ways, at one of many moments:
//
//   ends END MOMENT WHO
//
// WHO ends: the first PE, the last, or all; before and after run() it is the first process, the last, or all. Whoever
// ends first touches a file "reached.PROCESS" in the folder it runs in. What is promised of each is in rules.py, and
// `matrix` runs them.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tsubu/run/transports.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

// ---- ends ----------------------------------------------------------------------------------------------------------

struct torn_net : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int* volatile nowhere = nullptr;
int volatile zero = 0;

[[gnu::noinline]] int nest(int depth) {
  int volatile on_the_stack[16] = {depth};
  return zero != 0 ? 0 : nest(depth + 1) + on_the_stack[0];
}

// A page of a file that has none.
void touch_no_page() {
  const int file = ::memfd_create("empty", MFD_CLOEXEC);
  void* const page = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0);
  require(page != MAP_FAILED, "a page cannot be mapped");
  zero = *static_cast<volatile int*>(page);
}

// Takes all memory that there is under a limit, down to the last bytes, and asks for more. What it has taken is kept.
void exhaust_memory() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = 1;  // no further mapping
  ::setrlimit(RLIMIT_AS, &limit);
  static void** taken = nullptr;
  for (std::size_t bytes = std::size_t{1} << 24; bytes >= sizeof(void*); bytes /= 2) {
    while (void* const more = ::operator new(bytes, std::nothrow)) {
      *static_cast<void***>(more) = taken;
      taken = static_cast<void**>(more);
    }
  }
  std::vector<char> one_more(std::size_t{1} << 20);
  zero = one_more[0];
}

// Who writes learns that the limit is reached.
void write_too_much() {
  const rlimit limit{100, 100};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const int file = ::memfd_create("too_large", MFD_CLOEXEC);  // of no folder, in which another PE's end might leave it
  require(file >= 0, "a file cannot be made: {}", [] { return std::strerror(errno); });
  const std::string text(200, '.');
  while (::write(file, text.data(), text.size()) >= 0) continue;
  fail(std::string("a file cannot be written: ") + std::strerror(errno));
}

struct ending {
  std::string_view name;
  void (*act)();
};

constexpr std::array<ending, 20> endings{{
    {"throw", [] { throw torn_net("mesh 4"); }},
    {"fail", [] { require(zero != 0, "arithmetic is broken"); }},
    {"exit_0", [] { std::exit(0); }},
    {"exit_7", [] { std::exit(7); }},
    {"quick_exit", [] { std::quick_exit(0); }},
    {"_exit_0", [] { ::_exit(0); }},
    {"_exit_7", [] { ::_exit(7); }},
    {"thread_exit", [] { std::thread([] { std::exit(0); }).join(); }},
    {"abort", [] { std::abort(); }},
    {"segv", [] { *nowhere = 1; }},
    {"fpe", [] { zero = 7 / zero; }},
    {"ill", [] { __builtin_trap(); }},
    {"bus", touch_no_page},
    {"overflow", [] { zero = nest(0); }},
    {"term",
     [] {
       ::kill(::getpid(), SIGTERM);
       ::pause();
     }},
    {"int",
     [] {
       ::kill(::getpid(), SIGINT);
       ::pause();
     }},
    {"hup",
     [] {
       ::kill(::getpid(), SIGHUP);
       ::pause();
     }},
    {"kill",
     [] {
       ::kill(::getpid(), SIGKILL);
       ::pause();
     }},
    {"memory", exhaust_memory},
    {"file_size", write_too_much},
}};

struct {
  std::string end, moment, who;
} asked;

bool among_who(int number, int count) { return asked.who == "all" || number == (asked.who == "first" ? 0 : count - 1); }

void note() {
  const std::string name = "reached." + std::to_string(::getpid());
  ::close(::open(name.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR));
}

// Returns if the end is a return, or a wait.
void end_at_once() {
  note();
  for (const ending& one : endings) {
    if (one.name == asked.end) one.act();
  }
}

// What the program, or main, returns; 0: it ends otherwise.
int code_to_return(int number) {
  if (asked.end == "return_7") return 7;
  return asked.end == "return_own" ? number + 1 : 0;
}

pe_local<tsubu::sync<int>> never;

task<void> end_here() {
  end_at_once();
  if (asked.end == "deadlock") co_await never->read();
}

void end_in_fiber() {
  end_at_once();
  if (asked.end == "deadlock") wait(never->read());
}

// ---- moments -------------------------------------------------------------------------------------------------------

struct doomed : object<doomed> {
  void end() { end_at_once(); }
  task<void> wait() { return end_here(); }
};

struct ends_at_its_end {
  bool armed = false;
  ~ends_at_its_end() {
    if (armed) end_at_once();
  }
};
pe_local<ends_at_its_end> last_words;

pe_local<int> arrived;
pe_local<tsubu::sync<int>> all_arrived;
void arrive(int others) {
  if (++*arrived == others) all_arrived->write(1);
}

pe_local<long> drops;
void drop(int n) { *drops += n; }

// All PEs send to all, and who ends does so in their midst.
task<void> flood(bool ends) {
  constexpr int sends = 20'000, between_turns = 500;
  for (int i = 0; i < sends; ++i) {
    at((this_pe() + i) % pe_count()).past<drop>(i);
    if (i % between_turns == 0) co_await yield();
    if (ends && i == sends / 2) {
      co_await end_here();
      co_return;
    }
  }
}

// The others are, or are about to be, in a barrier that never ends.
task<void> leave_them_waiting(bool ends) {
  if (ends) {
    co_await all_arrived->read();
    co_await end_here();
  } else {
    at(asked.who == "first" ? 0 : pe_count() - 1).past<arrive>(pe_count() - 1);
    co_await barrier();
  }
}

task<void> end_in_epoch() {
  co_await epoch([]() -> task<void> {
    for (pe_id pe = 0; pe < pe_count(); ++pe) at(pe).past<drop>(1);
    co_await yield();
    co_await end_here();
  });
}

task<int> program(arguments) {
  const std::string& moment = asked.moment;
  const bool ends = among_who(this_pe(), pe_count());
  const pe_id next = (this_pe() + 1) % pe_count();
  const bool next_ends = among_who(next, pe_count());
  if (moment == "flood") co_await flood(ends);
  if (moment == "barrier") co_await leave_them_waiting(ends);
  if (moment == "handler" && next_ends) {
    if (asked.end == "deadlock") {
      at(next).past<end_here>();
    } else {
      at(next).past<end_at_once>();
    }
  }
  if (moment == "method" && next_ends) {
    const ref<doomed> far = create<doomed>(at(next));
    if (asked.end == "deadlock") {
      co_await far.now<&doomed::wait>();
    } else {
      far.past<&doomed::end>();
    }
  }
  if (!ends) co_return 0;
  if (moment == "start") co_await end_here();
  if (moment == "fiber") co_await run_fiber(end_in_fiber);
  if (moment == "epoch") co_await end_in_epoch();
  if (moment == "late") last_words->armed = true;
  co_return moment == "after" ? 0 : code_to_return(this_pe());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) fail("usage: ends END MOMENT WHO");
  asked = {argv[1], argv[2], argv[3]};
  const int rank = run_detail::launched_rank();
  const bool ends = among_who(rank, run_detail::launched_ranks());
  std::vector<char*> words(argv, argv + argc);
  char misspelt[] = "--tsubu-bacth=4096";
  if (asked.moment == "before" && ends) {
    if (asked.end == "option") {
      note();
      words.push_back(misspelt);
    } else {
      end_at_once();
      return code_to_return(rank);
    }
  }
  words.push_back(nullptr);
  const int code = run_spmd(static_cast<int>(words.size()) - 1, words.data(), program);
  if (asked.moment != "after" || !ends) return code;
  end_at_once();
  return code_to_return(rank);
}
