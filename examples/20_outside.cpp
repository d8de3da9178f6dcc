// The world outside: a server that other programs talk to, by lines over TCP, and whose counters live on all PEs.
//
// It is its own client here. To talk to it by hand, give it a port, and another terminal `nc 127.0.0.1 PORT`; it ends
// at Ctrl-C.
//
//   example_20_outside [PORT]
#include <tsubu/outside.hpp>
#include <tsubu/tsubu.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

using namespace tsubu;

pe_local<std::map<std::string, int>> counts;

int count(std::string word) { return ++(*counts)[word]; }

// One task for each client. What it awaits may be a client or another PE; the others go on meanwhile.
task<void> serve(outside::connection client) {
  for (;;) {
    const std::optional<std::string> word = co_await client.read_until('\n', 1000);
    if (!word) co_return;  // the client has ended
    const auto owner = static_cast<pe_id>(word->size() % static_cast<std::size_t>(pe_count()));
    const int times = co_await at(owner).now<count>(*word);
    const std::string answer = *word + ": " + std::to_string(times) + '\n';
    co_await client.write(answer);
  }
}

// A client that breaks its connection ends its own task, and nobody else's.
void tell(const outside::error& e) { std::fprintf(stderr, "%s\n", e.what()); }

task<void> accept_all(outside::listener& door) {
  for (;;) {
    outside::connection client = co_await door.accept();
    if (!client) co_return;  // the door was closed
    spawn(serve(std::move(client)), tell);
  }
}

task<std::string> last_answer(std::uint16_t port) {
  const outside::connection server = co_await outside::connect("127.0.0.1", port);
  std::optional<std::string> answer;
  for (const std::string word : {"rice", "grain", "rice"}) {
    co_await server.write(word + '\n');
    answer = co_await server.read_until('\n', 1000);
  }
  co_return answer ? *answer : "no answer";
}

task<int> program(arguments words) {
  const bool by_hand = words.size() > 1;
  outside::listener door({.port = static_cast<std::uint16_t>(by_hand ? std::atoi(words[1].c_str()) : 0)});
  future<void> accepting = start(accept_all(door));
  std::string answer = "rice: 2";
  if (by_hand) {
    const outside::signals asked({SIGINT});
    co_await asked.next();
  } else {
    answer = co_await last_answer(door.port());
    std::printf("%s\n", answer.c_str());
  }
  door.close();
  co_await accepting;
  co_return answer == "rice: 2" ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
