// Promise: whatever happens to the bytes of a message on the way, the runtime neither crashes nor waits for ever: the
// job does what it would have done with other values, or ends with a line that says what is wrong. With checksums it
// ends with a line, always. Method: a program that uses most kinds of messages runs on all PEs of an interleaved job,
// in a process of its own for each trial. On the way of one batch a bit is flipped, a byte or a word is overwritten, or
// its end is cut off. The handlers of the program check their arguments.
//
//   flips [--trials N] [--seed S] [--hops H] [--checksum]   a table of what became of the trials; 1 if one is wrong
//   flips --trial SCHEDULE DAMAGE [--hops H] [--checksum]   one of them, in this process, for a debugger
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/flips/damage.hpp"
#include "tests/flips/program.hpp"
#include "tests/interleaved_job.hpp"

using namespace tsubu;
using test::damage;
using test::sum;

namespace {

task<void> to_its_end() {
  co_await test::program();
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

// ---- a trial

struct how {
  int hops = 1;
  bool checksum = false;
};

constexpr std::uint64_t damages_of_a_schedule = 10;

enum outcome : int { harmless = 0, other_values = 40, untouched = 41, stuck = 42 };

struct drawn {
  std::uint64_t seed;
  pe_id pes;
};
drawn draw(std::uint64_t trial, const how& h) {
  std::mt19937_64 random(trial);
  return {random(), h.hops == 1 ? static_cast<pe_id>(2 + random() % 4) : static_cast<pe_id>(9 + random() % 4)};
}

// What the PEs' sums are in the end; none if the job does not end.
std::vector<std::uint64_t> play(test::interleaved_job& job, bool told) {
  const pe_id pes = job.wires().size();
  job[0].expect_programs(pes);
  for (pe_id pe = 0; pe < pes; ++pe) {
    job[pe];
    *sum = 0;
    spawn(to_its_end());
  }
  std::vector<std::uint64_t> sums;
  if (!job.run(2'000'000)) {
    for (pe_id pe = 0; told && pe < pes; ++pe) {
      const remote::pe& p = job[pe];
      std::fprintf(stderr, "PE %d: %s, wave %u, %llu packets sent, %llu executed\n%s", pe,
                   p.quiescence.ended() ? "ended" : (p.idle() ? "idle" : "busy"), p.quiescence.waves(),
                   static_cast<unsigned long long>(p.messages.sent()),
                   static_cast<unsigned long long>(p.messages.executed()), p.waits.text(p).c_str());
    }
    return sums;
  }
  for (pe_id pe = 0; pe < pes; ++pe) {
    job[pe];
    sums.push_back(*sum);
  }
  return sums;
}

// A schedule unharmed: how many batches arrive, and what the PEs' sums are in the end.
struct unharmed {
  std::uint64_t batches = 0;
  std::vector<std::uint64_t> sums;
};
unharmed play_unharmed(std::uint64_t schedule, const how& h) {
  const drawn d = draw(schedule, h);
  test::interleaved_job job(d.pes, d.seed, h.hops, {.checksum = h.checksum});
  unharmed u;
  for (pe_id pe = 0; pe < d.pes; ++pe) {
    job.wires()[pe].damage = [&u](transport::batch&, std::span<std::byte>) { ++u.batches; };
  }
  u.sums = play(job, false);
  if (u.sums.empty()) fail("an unharmed job does not end");
  return u;
}

int run_trial(std::uint64_t schedule, std::uint64_t damages, const unharmed& wanted, const how& h, bool told) {
  const drawn d = draw(schedule, h);
  test::interleaved_job job(d.pes, d.seed, h.hops, {.checksum = h.checksum});
  std::mt19937_64 random(damages);
  damage harm{random() % wanted.batches, std::mt19937_64(random()), told};
  for (pe_id pe = 0; pe < d.pes; ++pe) {
    job.wires()[pe].damage = [&harm](transport::batch& b, std::span<std::byte> part) { harm(b, part); };
  }
  const std::vector<std::uint64_t> sums = play(job, told);
  if (sums.empty()) return stuck;
  if (!harm.done) return untouched;
  return sums == wanted.sums ? harmless : other_values;
}

// In a process of its own.
struct ended {
  int code = 0;
  int signal = 0;
  std::string said;
};
ended run_apart(std::uint64_t schedule, std::uint64_t damages, const unharmed& wanted, const how& h) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) fail("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) fail("no process");
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    alarm(60);
    _exit(run_trial(schedule, damages, wanted, h, false));
  }
  close(ends[1]);
  ended e;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;) {
    e.said.append(part.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) e.signal = WTERMSIG(status);
  e.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return e;
}

// Its place in the table; wrong ones begin with "WRONG".
std::string judge(const ended& e, const how& h) {
  if (e.signal == SIGALRM) return "WRONG: does not come to an end";
  if (e.signal != 0) return "WRONG: a crash";
  if (e.code == stuck) return "WRONG: waits for ever";
  if (e.code == untouched) return "the damaged batch was not sent";
  if (e.code == harmless || e.code == other_values) {
    if (h.checksum) return "WRONG: not noticed";
    return e.code == harmless ? "the same values" : "other values";
  }
  if (e.said.find("tsubu: ") == std::string::npos) return "WRONG: ends without a line";
  return e.code == exit_code::deadlock ? "a deadlock is told" : "the damage is told";
}

[[noreturn]] void usage() {
  std::fprintf(stderr,
               "usage: flips [--trials N] [--seed S] [--hops 1|2] [--checksum] | --trial SCHEDULE DAMAGE ...\n");
  std::exit(exit_code::usage);
}

}  // namespace

int main(int argc, char** argv) {
  how h;
  std::uint64_t trials = 1000, seed = 1, one = 0, damages = 0;
  bool alone = false;
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto number = [&] {
      return i + 1 < words.size() ? std::strtoull(words[++i].c_str(), nullptr, 10) : (usage(), 0ULL);
    };
    if (words[i] == "--trials") {
      trials = number();
    } else if (words[i] == "--seed") {
      seed = number();
    } else if (words[i] == "--hops") {
      h.hops = static_cast<int>(number());
    } else if (words[i] == "--checksum") {
      h.checksum = true;
    } else if (words[i] == "--trial") {
      alone = true;
      one = number();
      damages = number();
    } else {
      usage();
    }
  }
  if (alone) return run_trial(one, damages, play_unharmed(one, h), h, true);
  std::mt19937_64 seeds(seed);
  std::map<std::string, std::uint64_t> table;
  int shown = 0;
  std::uint64_t schedule = 0;
  unharmed wanted;
  for (std::uint64_t i = 0; i < trials; ++i) {
    if (i % damages_of_a_schedule == 0) wanted = play_unharmed(schedule = seeds(), h);
    damages = seeds();
    const ended e = run_apart(schedule, damages, wanted, h);
    const std::string what = judge(e, h);
    ++table[what];
    if (what.starts_with("WRONG") && ++shown <= 10) {
      std::printf("flips --trial %llu %llu --hops %d%s: %s, code %d, signal %d\n%s",
                  static_cast<unsigned long long>(schedule), static_cast<unsigned long long>(damages), h.hops,
                  h.checksum ? " --checksum" : "", what.c_str(), e.code, e.signal, e.said.c_str());
    }
    if ((i + 1) % 10'000 == 0) std::fprintf(stderr, "%llu trials\n", static_cast<unsigned long long>(i + 1));
  }
  std::printf("%llu trials from seed %llu, %d hops, %s checksum:\n", static_cast<unsigned long long>(trials),
              static_cast<unsigned long long>(seed), h.hops, h.checksum ? "with" : "without");
  for (const auto& [what, times] : table)
    std::printf("%10llu  %s\n", static_cast<unsigned long long>(times), what.c_str());
  return shown == 0 ? 0 : 1;
}
