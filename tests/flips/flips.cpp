// Promise: whatever happens to the bytes of a message on the way, the runtime neither crashes nor waits for ever: the
// job does what it would have done with other values, or ends with a line that says what is wrong. With checksums it
// ends with a line, always. Method: a program that uses most kinds of messages runs on all PEs of an interleaved job,
// in a process of its own for each trial. On the way of one batch a bit is flipped, a byte or a word is overwritten, or
// its end is cut off. The handlers of the program check their arguments, as docs/how_to_test.md asks of handlers that
// trust nobody.
//
//   flips [--trials N] [--seed S] [--hops H] [--checksum]   a table of what became of the trials; 1 if one is wrong
//   flips --trial SEED [--hops H] [--checksum]              one of them, in this process, for a debugger
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

#include "tests/interleaved_job.hpp"
#include "tsubu/object/create.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

// ---- the program

constexpr long most_work = 4;

// What the program trusts nobody with: a value from a message bounds neither memory nor time.
pe_id some_pe(std::uint64_t n) { return static_cast<pe_id>(n % static_cast<std::uint64_t>(pe_count())); }

pe_local<std::uint64_t> sum;

void take(std::uint64_t n, std::uint32_t weight) { *sum += n * weight; }
void take_text(std::uint32_t n, const std::string& text) { *sum += n + text.size(); }
void pass_on(std::uint32_t n, std::uint32_t hops) {
  *sum += n;
  if (hops > 0) at(some_pe(n)).past<pass_on>(n + 1, std::min<std::uint32_t>(hops, most_work) - 1);
}
long add(long a, long b) { return static_cast<long>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }
task<std::string> twice(std::string text) {
  co_await yield();
  if (text.size() > 5000) text.resize(5000);
  co_return text + text;
}

struct worker : object<worker> {
  worker() = default;
  explicit worker(std::uint32_t from) : n(from) {}
  void work(std::uint32_t k) { n += k; }
  task<std::uint32_t> ask(std::uint32_t k) {
    co_await yield();
    co_return n + k;
  }
  std::uint32_t get() { return n; }
  std::uint32_t n = 0;
};

task<void> caused(std::uint32_t strength) {
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(strength, most_work); ++i) {
    at(some_pe(i)).past<caused>(std::min<std::uint32_t>(strength, most_work) - 1);
  }
  co_return;
}

task<void> in_an_epoch() {
  auto body = []() -> task<void> {
    at(some_pe(1)).past<caused>(2U);
    co_return;
  };
  co_await epoch(body);
}

task<void> program() {
  const auto me = static_cast<std::uint32_t>(this_pe());
  for (std::uint32_t i = 0; i < 6; ++i) at(some_pe(me + i)).past<take>(std::uint64_t{i}, me);
  at(some_pe(me + 1)).past<take_text>(me, std::string(50 + me, 'x'));
  at(some_pe(me + 1)).past<take_text>(me, std::string(3000, 'y'));
  at(some_pe(me + 1)).past<pass_on>(me, 3U);
  *sum += static_cast<std::uint64_t>(co_await at(some_pe(me + 1)).now<add>(long{2}, long{3}));
  const std::string text = co_await at(some_pe(me + 1)).now<twice>(std::string(700, 'z'));
  *sum += text.size();
  co_await barrier();
  *sum += co_await all_reduce(std::uint64_t{me}, reduce::plus);
  ref<worker> w = create<worker>(at(some_pe(me + 1)), me);
  w.past<&worker::work>(5U);
  *sum += co_await w.now<&worker::ask>(7U);
  ref<worker> shown = co_await broadcast(w, some_pe(1));
  shown.past<&worker::work>(1U);
  *sum += co_await shown.now<&worker::get>();
  co_await quiescence();
  w.end();
  co_await in_an_epoch();
  const std::vector<std::uint64_t> all = co_await all_gather(*sum);
  for (const std::uint64_t one : all) *sum += one;
}

task<void> to_its_end() {
  co_await program();
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

// ---- the damage

struct damage {
  std::uint64_t at_batch = 0;
  std::mt19937_64 random;
  bool told = false;  // on the standard error
  bool done = false;

  void operator()(transport::batch& b, std::span<std::byte> part) {
    if (done || part.empty() || at_batch-- != 0) return;
    done = true;
    if (told) tell(b, part, "before");
    harm(b, part);
    if (told) tell(b, part, "after");
  }

 private:
  static void tell(const transport::batch& b, std::span<const std::byte> part, const char* when) {
    std::fprintf(stderr, "from PE %d to PE %d, %s, %u bytes:", b.from, b.to, when, b.size);
    for (const std::byte one : part.first(std::min<std::size_t>(part.size(), 256))) {
      std::fprintf(stderr, " %02x", static_cast<unsigned>(one));
    }
    std::fprintf(stderr, "\n");
  }
  void harm(transport::batch& b, std::span<std::byte> part) {
    const std::size_t at = random() % part.size();
    const bool has_length = part.data() == b.data();
    switch (random() % 4) {
      case 0:
        if (has_length) {
          b.size = static_cast<std::uint32_t>(at);
          return;
        }
        [[fallthrough]];
      case 1:
        for (std::size_t i = at; i < std::min(part.size(), at + 1 + random() % 8); ++i) {
          part[i] ^= static_cast<std::byte>(1 + random() % 255);
        }
        return;
      default:
        part[at] ^= static_cast<std::byte>(1U << (random() % 8));
    }
  }
};

// ---- a trial

struct how {
  int hops = 1;
  bool checksum = false;
};

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
                   static_cast<unsigned long long>(p.messages.executed()), p.waiting_tasks().c_str());
    }
    return sums;
  }
  for (pe_id pe = 0; pe < pes; ++pe) {
    job[pe];
    sums.push_back(*sum);
  }
  return sums;
}

int run_trial(std::uint64_t trial, const how& h, bool told) {
  const drawn d = draw(trial, h);
  const remote::pe::limits most{.checksum = h.checksum};
  // The same program in the same order of steps, unharmed: what its values are, and how many batches arrive.
  std::uint64_t batches = 0;
  std::vector<std::uint64_t> wanted;
  {
    test::interleaved_job job(d.pes, d.seed, h.hops, most);
    for (pe_id pe = 0; pe < d.pes; ++pe) {
      job.wires()[pe].damage = [&batches](transport::batch&, std::span<std::byte>) { ++batches; };
    }
    wanted = play(job, told);
    if (wanted.empty()) fail("an unharmed job does not end");
  }
  test::interleaved_job job(d.pes, d.seed, h.hops, most);
  std::mt19937_64 random(trial + 1);
  damage harm{random() % batches, std::mt19937_64(trial + 2), told};
  for (pe_id pe = 0; pe < d.pes; ++pe) {
    job.wires()[pe].damage = [&harm](transport::batch& b, std::span<std::byte> part) { harm(b, part); };
  }
  const std::vector<std::uint64_t> sums = play(job, told);
  if (sums.empty()) return stuck;
  if (!harm.done) return untouched;
  return sums == wanted ? harmless : other_values;
}

// In a process of its own.
struct ended {
  int code = 0;
  int signal = 0;
  std::string said;
};
ended run_apart(std::uint64_t trial, const how& h) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) fail("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) fail("no process");
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    alarm(60);
    _exit(run_trial(trial, h, false));
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
  std::fprintf(stderr, "usage: flips [--trials N] [--seed S] [--hops 1|2] [--checksum] | --trial SEED ...\n");
  std::exit(exit_code::usage);
}

}  // namespace

int main(int argc, char** argv) {
  how h;
  std::uint64_t trials = 1000, seed = 1, one = 0;
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
    } else {
      usage();
    }
  }
  if (alone) return run_trial(one, h, true);
  std::mt19937_64 seeds(seed);
  std::map<std::string, std::uint64_t> table;
  int shown = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    const std::uint64_t trial = seeds();
    const ended e = run_apart(trial, h);
    const std::string what = judge(e, h);
    ++table[what];
    if (what.starts_with("WRONG") && ++shown <= 10) {
      std::printf("flips --trial %llu --hops %d%s: %s, code %d, signal %d\n%s", static_cast<unsigned long long>(trial),
                  h.hops, h.checksum ? " --checksum" : "", what.c_str(), e.code, e.signal, e.said.c_str());
    }
    if ((i + 1) % 10'000 == 0) std::fprintf(stderr, "%llu trials\n", static_cast<unsigned long long>(i + 1));
  }
  std::printf("%llu trials from seed %llu, %d hops, %s checksum:\n", static_cast<unsigned long long>(trials),
              static_cast<unsigned long long>(seed), h.hops, h.checksum ? "with" : "without");
  for (const auto& [what, times] : table)
    std::printf("%10llu  %s\n", static_cast<unsigned long long>(times), what.c_str());
  return shown == 0 ? 0 : 1;
}
