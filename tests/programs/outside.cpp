// Promise: tasks of any PE, on threads and on ranks of an MPI, talk to the world outside while their PE executes
// messages and sleeps in between; the job ends when they have, and not before. outside KIND.
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tsubu/outside.hpp"

using namespace tsubu;
using namespace std::chrono_literals;

namespace {

pe_local<int> told;
void tell(int n) { *told += n; }

task<void> echo(outside::connection with) {
  for (;;) {
    const std::string_view came = co_await with.read();
    if (came.empty()) co_return;
    co_await with.write(came);
  }
}

constexpr int clients = 5, rounds = 40;

task<void> serve(outside::listener door) {
  for (int i = 0; i < clients; ++i) spawn(echo(co_await door.accept()));
}

// Each round waits for the other end, which is another PE.
task<void> talk(std::uint16_t port, int which) {
  const outside::connection c = co_await outside::connect("127.0.0.1", port);
  for (int i = 0; i < rounds; ++i) {
    const std::string said = std::to_string(this_pe()) + ' ' + std::to_string(which) + ' ' + std::to_string(i) + '\n';
    co_await c.write(said);
    const std::optional<std::string> heard = co_await c.read_until('\n', 100);
    expect(heard.has_value() && *heard + '\n' == said, "the echo of " + said);
    at((this_pe() + i) % pe_count()).past<tell>(1);
    if (i % 8 == 0) co_await sleep_for(1ms);  // all may fall asleep
  }
}

// Everybody serves, and talks to the next one.
task<int> echoes(arguments) {
  outside::listener door(outside::port_to_open{});
  const std::vector<std::uint16_t> ports = co_await all_gather(door.port());
  spawn(serve(std::move(door)));
  const auto next = static_cast<std::size_t>((this_pe() + 1) % pe_count());
  std::vector<future<void>> talks;
  talks.reserve(clients);
  for (int i = 0; i < clients; ++i) talks.push_back(start(talk(ports[next], i)));
  for (future<void>& t : talks) co_await t;
  co_await quiescence();  // which waits for the servers, too
  const int all = co_await all_reduce(*told, reduce::plus);
  expect_equal(all, pe_count() * clients * rounds, "what was told");
  co_return 0;
}

// Nobody waits for what it waits for but the job itself.
std::atomic<int> begun_late{0}, ended_late{0};
task<void> answer_one(outside::listener door) {
  ++begun_late;
  const outside::connection c = co_await door.accept();
  ++ended_late;
}
task<void> connect_late(std::uint16_t port) {
  co_await sleep_for(10ms);
  const outside::connection c = co_await outside::connect("127.0.0.1", port);
}
task<int> late(arguments) {
  outside::listener door(outside::port_to_open{});
  spawn(connect_late(door.port()));
  spawn(answer_one(std::move(door)));
  co_return 0;
}

// The standard input is a pipe that is written to while the job runs.
task<std::string> read_a_line(int) {
  std::string said;
  try {
    const std::optional<std::string> line = co_await outside::read_line();
    said = line ? *line : "nothing";
  } catch (const outside::error& e) {
    said = e.code() == std::errc::device_or_resource_busy ? "busy" : e.what();
  }
  co_return said;
}
task<int> input(arguments) {
  const std::optional<std::string> first = co_await outside::read_line();
  expect(first == "first", "the first line");
  if (pe_count() > 1) {
    const std::string other = co_await at(1).now<read_a_line>(0);
    expect(other == "busy" || other == "first", "another PE has its own process's input, or none, not " + other);
  }
  std::uint64_t lines = 0, sum = 0;
  std::optional<std::string> line;
  for (;;) {
    line = co_await outside::read_line();
    if (!line || line->empty()) break;
    ++lines;
    sum += std::stoull(*line);
  }
  expect_equal(lines, 20'000U, "the lines");
  expect_equal(sum, 20'000ULL * 19'999 / 2, "their sum");
  line = co_await outside::read_line();
  expect(line == "no end of line", "the last line");
  line = co_await outside::read_line();
  expect(!line, "the end of the input");
  line = co_await outside::read_line();
  expect(!line, "the end of the input, again");
  co_return 0;
}

// The standard input is what the launcher has given, and it goes on: only the PEs of rank 0 may find something in it.
task<int> input_of_others(arguments) {
  if (this_pe() < remote::current_pe->transport().pes_per_process()) co_return 0;
  for (int i = 0; i < 2; ++i) {
    const std::string said = co_await read_a_line(0);
    expect(said == "nothing", "a rank that is not the first has no input, not " + said);
  }
  co_return 0;
}

void write_input(int to) {
  std::string text = "first\n";
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + '\n';
  text += "\nno end of line";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t wrote = ::write(to, text.data() + at, text.size() - at);
    if (wrote < 0) std::abort();
    at += static_cast<std::size_t>(wrote);
  }
  ::close(to);
}

// Those that else end the job. One PE of a process sends them, and each is told.
task<int> take_signals(arguments) {
  outside::signals asked({SIGTERM, SIGHUP, SIGUSR1});
  const bool sends = this_pe() % remote::current_pe->transport().pes_per_process() == 0;
  for (const int number : {SIGTERM, SIGHUP, SIGUSR1}) {
    co_await barrier();
    if (sends) ::kill(::getpid(), number);
    const int which = co_await asked.next();
    expect_equal(which, number, "the signal");
  }
  co_await barrier();  // each is told before anybody gives them back
  co_return 0;
}

task<int> give_back(arguments) {
  {
    const outside::signals asked({SIGTERM});
    ::kill(::getpid(), SIGTERM);
    co_await asked.next();
  }
  ::kill(::getpid(), SIGTERM);
  co_await sleep_for(10s);
  co_return 0;
}

// What blocks may run on all cores of the process, and its PE stays where it is.
int usable_cores() {
  cpu_set_t set{};
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}
int cores_of_process = 0;
task<int> cores(arguments) {
  const int own = usable_cores();
  const int offloaded = co_await outside::offload(usable_cores);
  expect_equal(offloaded, cores_of_process, "the cores of what blocks");
  expect_equal(usable_cores(), own, "the cores of the PE");
  co_return 0;
}

// An error that nobody catches ends the job.
task<int> uncaught(arguments) {
  std::uint16_t port = 0;
  {
    const outside::listener door(outside::port_to_open{});
    port = door.port();
  }
  const outside::connection c = co_await outside::connect("127.0.0.1", port);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind == "echoes") return run_spmd(argc, argv, echoes);
  if (kind == "late") {
    const int code = run_spmd(argc, argv, late);
    return code != 0 || begun_late == ended_late ? code : 1;
  }
  if (kind == "signals") return run_spmd(argc, argv, take_signals);
  if (kind == "give-back") return run(argc, argv, give_back);
  if (kind == "uncaught") return run(argc, argv, uncaught);
  if (kind == "cores") {
    cores_of_process = usable_cores();
    return run_spmd(argc, argv, cores);
  }
  if (kind == "input-of-others") return run_spmd(argc, argv, input_of_others);
  if (kind != "input") return 3;
  int ends[2] = {};
  if (::pipe2(ends, O_CLOEXEC) != 0 || ::dup2(ends[0], STDIN_FILENO) < 0) return 4;
  std::thread writer(write_input, ends[1]);
  writer.detach();  // in processes where nobody reads it stays
  return run(argc, argv, input);
}
