// A key-value server that speaks RESP, the protocol of Redis, over TCP: the keys are spread over the PEs by their hash.
//
//   kv --tsubu-pes=2 --port 6380 &
//   redis-cli -p 6380 set greeting hello
//
// It has no password and no encryption, and listens to this machine only unless it is told otherwise.
#include <algorithm>
#include <cstdint>
#include <string>

#include "apps/kv/clients.hpp"
#include "apps/kv/memory_limit.hpp"
#include "apps/kv/server.hpp"
#include "apps/program/command_line.hpp"
#include "tsubu/tsubu.hpp"

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 50;
constexpr std::uint64_t most_connections = 10'000'000;

// What a PE has of what all clients may hold, where each is to have its part of one half (client_account.hpp).
std::uint64_t connections_with_room(std::uint64_t client_bytes) {
  return client_bytes / static_cast<std::uint64_t>(tsubu::pe_count()) / 8 * 7 / 2 / kv::least_client_bytes;
}

tsubu::task<int> program_of_pe(tsubu::arguments words) {
  kv::server_options options;
  const std::uint64_t memory = kv::memory_limit();
  const auto pes = static_cast<std::uint64_t>(tsubu::pe_count());
  int port = options.port;
  std::uint64_t store_bytes = std::min(std::uint64_t{1} << 30, memory / 2 / pes), client_bytes = memory / 4,
                connections = 0, word_bytes = options.requests.word_bytes;
  program::command_line app("A key-value server that speaks RESP: keys are spread over the PEs", "kv");
  app.add_option("--address", options.address, "of this machine, or its name, to listen on; default 127.0.0.1");
  app.add_option("--port", port, "default 6380; 0: the system chooses").range(0, 65535).type_name("N");
  app.add_option("--store-bytes", store_bytes,
                 "keys and values of each PE; default 1 GiB, or half of the memory for all PEs")
      .range(std::uint64_t{1}, most_bytes)
      .type_name("N");
  app.add_option("--client-bytes", client_bytes,
                 "what all clients together may make it hold: requests and replies that are not complete; default a "
                 "quarter of the memory")
      .range(std::uint64_t{1} << 20, most_bytes)
      .type_name("N");
  const program::option limit =
      app.add_option("--connections", connections, "of each PE; default 10000, or fewer for --client-bytes")
          .range(std::uint64_t{1}, most_connections)
          .type_name("N");
  app.add_option("--word-bytes", word_bytes, "of a key or value; default 1 MiB")
      .range(std::uint64_t{64}, std::uint64_t{512} << 20)
      .type_name("N");
  if (const auto code = app.read(words)) co_return *code;
  const std::uint64_t fit = connections_with_room(client_bytes);
  if (limit.given() && connections > fit) {
    co_return program::complain("kv", "--connections: expected at most " + std::to_string(fit) +
                                          " on each PE with --client-bytes " + std::to_string(client_bytes) + ", got " +
                                          std::to_string(connections));
  }
  if (fit == 0)
    co_return program::complain(
        "kv", "--client-bytes: " + std::to_string(client_bytes) + " is too little for one connection on each PE");
  options.port = static_cast<std::uint16_t>(port);
  options.store_bytes = store_bytes;
  options.client_bytes = client_bytes;
  options.connections = limit.given() ? connections : std::min<std::uint64_t>(options.connections, fit);
  options.requests.word_bytes = word_bytes;
  options.requests.request_bytes = 16 * word_bytes;
  co_await kv::serve(options);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return tsubu::run_spmd(argc, argv, program_of_pe); }
