// Promise: what tasks await of the world outside comes, or is an error that names the PE, what it did and why; no task
// waits for ever for what was closed, and what a peer sends or does not read takes no memory.
// Method: jobs of one PE on threads, which talk to themselves over 127.0.0.1 and a free port, or to a thread that is no
// PE and uses the system's calls.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tsubu/outside/connection.hpp"
#include "tsubu/outside/files.hpp"
#include "tsubu/outside/listener.hpp"
#include "tsubu/outside/offload.hpp"
#include "tsubu/outside/signals.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/task/fiber.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/when_any.hpp"
#include "tsubu/task/yield.hpp"
#include "tsubu/transport/threads/threads.hpp"

namespace tsubu {
namespace {

using namespace std::chrono_literals;
using outside::connection;
using outside::listener;

// The job ends when the program has, and nothing is under way.
task<void> whole(task<void> (*program)()) {
  co_await program();
  remote::current_pe->quiescence.program_ended(0);
}

int run_pe(transport::transport& end, void* argument) {
  remote::pe pe(end);
  pe.enter();
  const task_context_scope on_this_stack(pe.tasks);
  pe.expect_programs(1);
  spawn(whole(reinterpret_cast<task<void> (*)()>(argument)));
  const int code = pe.run_to_end();
  pe.leave();
  return code;
}

void run_job(task<void> (*program)()) {
  transport::launch_settings one;
  one.pes = 1;
  EXPECT_EQ(transport::threads_launcher()(one, run_pe, reinterpret_cast<void*>(program)), 0);
}

struct both_ends {
  explicit both_ends(connection asked, connection answered) : a(std::move(asked)), b(std::move(answered)) {}
  connection a;
  connection b;
};

task<both_ends> pair_of_ends() {
  const listener door(outside::port_to_open{});
  future<connection> asked = outside::connect("127.0.0.1", door.port());
  connection b = co_await door.accept();
  connection a = co_await std::move(asked);
  co_return both_ends(std::move(a), std::move(b));
}

std::string text_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const outside::error& e) {
    return e.what();
  }
}

// What the task throws; nothing if it ends well.
template <class T>
task<std::string> error_of(task<T> work) {
  std::exception_ptr thrown;
  try {
    static_cast<void>(co_await std::move(work));
  } catch (...) {
    thrown = std::current_exception();
  }
  if (thrown == nullptr) co_return "no error";
  co_return text_of(thrown);
}

task<std::string> all_of(const connection& c) {
  std::string all;
  for (;;) {
    const std::string_view came = co_await c.read();
    if (came.empty()) co_return all;
    all += came;
  }
}
task<int> write_all(const connection& c, std::string bytes) {
  co_await c.write(bytes);
  c.end_writing();
  co_return 0;
}
task<int> write_one(const connection& c, std::string bytes) {
  co_await c.write(bytes);
  co_return 0;
}
task<int> read_one(const connection& c) {
  co_await c.read();
  co_return 0;
}

TEST(outside, bytes_go_both_ways_and_come_to_an_end) {
  run_job([]() -> task<void> {
    const both_ends ends = co_await pair_of_ends();
    std::mt19937_64 random(7);
    std::string there(5'000'003, ' '), back(3'000'001, ' ');
    for (char& c : there) c = static_cast<char>(random());
    for (char& c : back) c = static_cast<char>(random());
    const auto [_, heard, __, answer] =
        co_await when_all(write_all(ends.a, there), all_of(ends.b), write_all(ends.b, back), all_of(ends.a));
    EXPECT_EQ(heard, there);
    EXPECT_EQ(answer, back);
    EXPECT_EQ(co_await ends.a.read(), "");  // still at its end
  });
}

TEST(outside, lines_and_lengths_are_found_wherever_the_bytes_are_cut) {
  run_job([]() -> task<void> {
    const both_ends ends = co_await pair_of_ends();
    const std::string text = "one\n\nthree and more\n12345678rest";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      const auto send = [](const connection& to, std::string all, std::size_t at) -> task<int> {
        co_await to.write(std::string_view(all).substr(0, at));
        co_await yield();
        co_await to.write(std::string_view(all).substr(at));
        co_return 0;
      };
      future<int> sent = start(send(ends.a, text, cut));
      EXPECT_EQ(co_await ends.b.read_until('\n', 3), "one");
      EXPECT_EQ(co_await ends.b.read_until('\n', 100), "");
      EXPECT_EQ(co_await ends.b.read_until('\n', 100), "three and more");
      EXPECT_EQ(co_await ends.b.read_exactly(8), "12345678");
      EXPECT_EQ(co_await ends.b.read_exactly(4), "rest");
      co_await sent;
    }
    co_await write_one(ends.a, "no end");
    ends.a.end_writing();
    EXPECT_EQ(co_await ends.b.read_until('\n', 100), std::nullopt);
    EXPECT_EQ(co_await ends.b.read_exactly(1), std::nullopt);
  });
}

TEST(outside, a_line_that_is_too_long_is_an_error) {
  run_job([]() -> task<void> {
    const both_ends ends = co_await pair_of_ends();
    co_await write_one(ends.a, std::string(20, 'x') + '\n');
    const std::string said = co_await error_of(ends.b.read_until('\n', 19));
    EXPECT_EQ(said, "PE 0: reading a line of up to 19 bytes from " + ends.b.peer() + ": Message too long");
  });
}

TEST(outside, an_unread_peer_holds_the_writer_back_until_it_closes) {
  run_job([]() -> task<void> {
    both_ends ends = co_await pair_of_ends();
    future<int> writing = start(write_one(ends.a, std::string(std::size_t{64} << 20, 'x')));
    co_await sleep_for(20ms);
    EXPECT_FALSE(writing.ready());
    ends.a.close();
    const auto wait = [](future<int> f) -> task<int> { co_return co_await std::move(f); };
    const std::string said = co_await error_of(wait(std::move(writing)));
    EXPECT_EQ(said, "PE 0: writing to " + ends.a.peer() + ": Operation canceled");
    EXPECT_EQ(co_await ends.a.read(), "");
  });
}

TEST(outside, closing_wakes_who_waits) {
  run_job([]() -> task<void> {
    both_ends ends = co_await pair_of_ends();
    listener door(outside::port_to_open{});
    outside::signals asked({SIGUSR1});
    const auto accept = [](const listener& of) -> task<bool> {
      const connection c = co_await of.accept();
      co_return static_cast<bool>(c);
    };
    const auto next = [](const outside::signals& of) -> task<int> { co_return co_await of.next(); };
    future<std::string> reading = start(all_of(ends.a));
    future<bool> accepting = start(accept(door));
    future<int> waiting = start(next(asked));
    co_await sleep_for(5ms);
    ends.a.close();
    door.close();
    asked.close();
    EXPECT_EQ(co_await reading, "");
    EXPECT_FALSE(co_await accepting);
    EXPECT_EQ(co_await waiting, 0);
    EXPECT_EQ(co_await ends.b.read(), "");
  });
}

TEST(outside, a_peer_that_resets_is_an_error_of_who_reads_and_of_who_writes) {
  run_job([]() -> task<void> {
    both_ends ends = co_await pair_of_ends();
    const std::string peer = ends.a.peer();
    // What is closed with bytes unread is reset.
    co_await write_one(ends.a, "unread");
    ends.b.close();
    EXPECT_EQ(co_await error_of(read_one(ends.a)), "PE 0: reading from " + peer + ": Connection reset by peer");
    EXPECT_EQ(co_await error_of(write_one(ends.a, "x")), "PE 0: writing to " + peer + ": Broken pipe");
  });
}

task<int> connect_to(std::string host, std::uint16_t port) {
  const connection c = co_await outside::connect(host, port);
  co_return 0;
}
task<int> listen_on(std::string address, std::uint16_t port) {
  const listener l(outside::port_to_open{.address = address, .port = port});
  co_return 0;
}

TEST(outside, what_cannot_be_connected_or_opened_is_an_error) {
  run_job([]() -> task<void> {
    std::uint16_t free_port = 0;
    {
      const listener door(outside::port_to_open{});
      free_port = door.port();
      const std::string port = std::to_string(free_port);
      EXPECT_EQ(co_await error_of(listen_on("127.0.0.1", free_port)),
                "PE 0: listening on 127.0.0.1:" + port + ": Address already in use");
    }
    const std::string port = std::to_string(free_port);
    EXPECT_EQ(co_await error_of(connect_to("127.0.0.1", free_port)),
              "PE 0: connecting to 127.0.0.1:" + port + ": Connection refused");
    EXPECT_EQ(co_await error_of(listen_on("no\naddress", 1)), "PE 0: listening on no\\naddress:1: Invalid argument");
    EXPECT_EQ(co_await error_of(listen_on("300.0.0.1", 1)), "PE 0: listening on 300.0.0.1:1: Invalid argument");
    const std::string no_name = co_await error_of(listen_on("no-such-name.invalid", 1));
    EXPECT_TRUE(no_name.starts_with("PE 0: listening on no-such-name.invalid:1: Host not found")) << no_name;
  });
}

TEST(outside, a_name_is_found_and_a_port_is_shared) {
  run_job([]() -> task<void> {
    const listener door({.share_port = true});
    const listener same({.port = door.port(), .share_port = true});
    EXPECT_EQ(same.port(), door.port());
    const connection c = co_await outside::connect("localhost", door.port());
    EXPECT_TRUE(static_cast<bool>(c));
    const listener named({.address = "localhost"});
    const std::string port = std::to_string(named.port());
    EXPECT_TRUE(named.place() == "127.0.0.1:" + port || named.place() == "[::1]:" + port) << named.place();
    const connection d = co_await outside::connect("localhost", named.port());
    EXPECT_TRUE(static_cast<bool>(d));
  });
}

int connect_plainly(std::uint16_t port) {
  const int to = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(port);
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(to, reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
  return to;
}

// Each waits for the other. The pauses let the PE fall asleep, in most of the rounds.
TEST(outside, a_pe_sleeps_while_it_waits_and_wakes_for_what_comes) {
  run_job([]() -> task<void> {
    const listener door(outside::port_to_open{});
    std::thread other([port = door.port()] {
      const int to = connect_plainly(port);
      for (int i = 0; i < 60; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(i % 3 == 0 ? 5 : 0));
        char c = static_cast<char>(i);
        EXPECT_EQ(::write(to, &c, 1), 1);
        EXPECT_EQ(::read(to, &c, 1), 1);
        EXPECT_EQ(c, static_cast<char>(i + 1));
      }
      ::close(to);
    });
    const connection c = co_await door.accept();
    for (;;) {
      const std::string_view came = co_await c.read();
      if (came.empty()) break;
      const std::string answer(1, static_cast<char>(came[0] + 1));
      co_await c.write(answer);
    }
    other.join();
    EXPECT_GT(remote::current_pe->slept_ns(), 10'000'000);
  });
}

task<int> echo(connection with) {
  for (;;) {
    const std::string_view came = co_await with.read();
    if (came.empty()) co_return 0;
    co_await with.write(came);
  }
}

TEST(outside, a_thousand_idle_connections_and_fifty_busy_ones) {
  run_job([]() -> task<void> {
    const listener door({.backlog = 4096});
    std::vector<connection> idle;
    std::vector<future<int>> served;
    std::vector<connection> busy;
    for (int i = 0; i < 1050; ++i) {
      future<connection> asked = outside::connect("127.0.0.1", door.port());
      served.push_back(start(echo(co_await door.accept())));
      (i < 1000 ? idle : busy).push_back(co_await std::move(asked));
    }
    const auto talk = [](const connection& with) -> task<int> {
      for (int i = 0; i < 50; ++i) {
        const std::string said = std::to_string(i);
        co_await with.write(said);
        const std::optional<std::string> heard = co_await with.read_exactly(said.size());
        EXPECT_EQ(heard, said);
      }
      co_return 0;
    };
    std::vector<future<int>> talks;
    talks.reserve(busy.size());
    for (const connection& c : busy) talks.push_back(start(talk(c)));
    for (future<int>& t : talks) co_await t;
    idle.clear();
    busy.clear();
    for (future<int>& s : served) co_await s;
  });
}

TEST(outside, a_wait_that_is_given_up_loses_no_bytes) {
  run_job([]() -> task<void> {
    const both_ends ends = co_await pair_of_ends();
    {
      // Begun, suspended, and destroyed while the system holds its request.
      auto waiting = ends.b.read();
      EXPECT_FALSE(waiting.await_ready());
      waiting.suspend(ready_item::from_word(0), std::source_location::current());
    }
    co_await write_one(ends.a, "kept");
    EXPECT_EQ(co_await ends.b.read(), "kept");
  });
}

TEST(outside, a_fiber_waits_as_a_task_does) {
  run_job([]() -> task<void> {
    const both_ends ends = co_await pair_of_ends();
    const auto ask = [](const connection* with) {
      wait(with->write("asked"));
      return std::string(wait(with->read()));
    };
    future<std::string> asking = start(run_fiber(ask, &ends.a));
    const std::optional<std::string> heard = co_await ends.b.read_exactly(5);
    EXPECT_EQ(heard, "asked");
    co_await write_one(ends.b, "answered");
    EXPECT_EQ(co_await asking, "answered");
  });
}

TEST(outside, signals_come_to_the_program_and_are_given_back) {
  struct sigaction before{};
  before.sa_handler = SIG_IGN;
  ::sigaction(SIGUSR2, &before, nullptr);
  run_job([]() -> task<void> {
    {
      const outside::signals asked({SIGUSR1, SIGUSR2});
      ::raise(SIGUSR2);
      EXPECT_EQ(co_await asked.next(), SIGUSR2);
      ::raise(SIGUSR1);
      EXPECT_EQ(co_await asked.next(), SIGUSR1);
    }
    struct sigaction now{};
    ::sigaction(SIGUSR2, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_IGN);
    const auto ask = []() -> task<int> {
      const outside::signals asked({SIGUSR2, SIGKILL});
      co_return 0;
    };
    EXPECT_EQ(co_await error_of(ask()), "PE 0: asking for signal 9: Invalid argument");
    ::sigaction(SIGUSR2, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_IGN);
  });
  ::signal(SIGUSR2, SIG_DFL);
}

task<int> find_no_file() {
  co_await outside::read_file("/no/such/file");
  co_return 0;
}
task<int> open_no_file(std::string name) {
  co_await outside::file::open(name, outside::file::use::read);
  co_return 0;
}

TEST(outside, files_are_read_and_written_whole_and_in_part) {
  run_job([]() -> task<void> {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("tsubu_outside_" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    const std::string whole = folder / "whole", parts = folder / "parts";
    co_await outside::write_file(whole, "first");
    co_await outside::write_file(whole, "second");
    EXPECT_EQ(co_await outside::read_file(whole), "second");

    const outside::file f = co_await outside::file::open(parts, outside::file::use::create);
    std::vector<future<void>> writes;
    writes.reserve(100);
    for (std::uint64_t i = 0; i < 100; ++i)
      writes.push_back(f.write_at(i * 1000, std::string(1000, static_cast<char>(i))));
    for (future<void>& w : writes) co_await w;
    EXPECT_EQ(co_await f.size(), 100'000U);
    EXPECT_EQ(co_await f.read_at(41'500, 1000), std::string(500, 41) + std::string(500, 42));
    EXPECT_EQ(co_await f.read_at(99'999, std::size_t{1} << 50), std::string(1, 99));
    EXPECT_EQ(co_await f.read_at(100'000, 10), "");

    EXPECT_EQ(co_await error_of(open_no_file(folder)),
              "PE 0: opening " + folder.string() + ": it is no regular file: Input/output error");
    std::filesystem::remove_all(folder);
    EXPECT_EQ(co_await error_of(open_no_file(whole)), "PE 0: opening " + whole + ": No such file or directory");
    EXPECT_EQ((co_await error_of(find_no_file())).substr(0, 28), "PE 0: reading /no/such/file:");
  });
}

TEST(outside, a_pe_goes_on_while_another_thread_works_for_it) {
  run_job([]() -> task<void> {
    std::atomic<bool> may_end = false;
    future<std::thread::id> later = outside::offload([&may_end] {
      may_end.wait(false);
      return std::this_thread::get_id();
    });
    co_await sleep_for(2ms);
    EXPECT_FALSE(later.ready());
    may_end = true;
    may_end.notify_one();
    EXPECT_NE(co_await later, std::this_thread::get_id());
  });
}

// Nobody waits for it, and it is part of the job.
TEST(outside, a_job_stays_while_something_is_under_way) {
  static std::atomic<int> ended;
  ended = 0;
  run_job([]() -> task<void> {
    const auto serve = []() -> task<void> {
      const listener door(outside::port_to_open{});
      std::thread other([port = door.port()] {
        std::this_thread::sleep_for(20ms);
        ::close(connect_plainly(port));
      });
      const connection c = co_await door.accept();
      other.join();
      ++ended;
    };
    spawn(serve());
    co_return;
  });
  EXPECT_EQ(ended, 1);
}

// As a server's task for each client does.
task<void> echo_lines(connection client) {
  for (;;) {
    const std::optional<std::string> line = co_await client.read_until('\n', 100);
    if (!line) co_return;
    const std::string answer = *line + '\n';
    co_await client.write(answer);
  }
}

void reset(int to) {
  const linger at_once{1, 0};
  EXPECT_EQ(::setsockopt(to, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
  ::close(to);
}

TEST(outside, a_client_that_resets_its_connection_ends_its_own_task_only) {
  run_job([]() -> task<void> {
    const listener door(outside::port_to_open{});
    std::vector<std::string> told;
    const int rude = connect_plainly(door.port());
    future<connection> asked = outside::connect("127.0.0.1", door.port());
    for (int i = 0; i < 2; ++i)
      spawn(echo_lines(co_await door.accept()), [&told](const outside::error& e) { told.emplace_back(e.what()); });
    const connection polite = co_await std::move(asked);
    reset(rude);
    while (told.empty()) co_await sleep_for(1ms);
    EXPECT_EQ(told.size(), 1U);
    EXPECT_TRUE(told[0].starts_with("PE 0: reading from 127.0.0.1:") && told[0].ends_with(": Connection reset by peer"))
        << told[0];
    co_await polite.write("still here\n");
    EXPECT_EQ(co_await polite.read_until('\n', 100), "still here");
  });
}

}  // namespace
}  // namespace tsubu
