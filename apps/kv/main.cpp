// A key-value server that speaks RESP, the protocol of Redis, over TCP: the keys are spread over the PEs by their hash.
//
//   kv --tsubu-pes=2 --port 6380 &
//   redis-cli -p 6380 set greeting hello
//
// It has no password and no encryption, and listens to this machine only unless it is told otherwise.
#include <cstdint>

#include "apps/kv/server.hpp"
#include "apps/program/command_line.hpp"
#include "tsubu/tsubu.hpp"

namespace {

tsubu::task<int> program_of_pe(tsubu::arguments words) {
  kv::server_options options;
  int port = options.port;
  std::uint64_t store_bytes = options.store_bytes, connections = options.connections,
                word_bytes = options.requests.word_bytes;
  program::command_line app("A key-value server that speaks RESP: keys are spread over the PEs", "kv");
  app.add_option("--address", options.address, "of this machine, to listen on; default 127.0.0.1");
  app.add_option("--port", port, "default 6380; 0: the system chooses").range(0, 65535).type_name("N");
  app.add_option("--store-bytes", store_bytes, "keys and values of each PE; default 1 GiB").positive().type_name("N");
  app.add_option("--connections", connections, "of each PE; default 10000").positive().type_name("N");
  app.add_option("--word-bytes", word_bytes, "of a key or value; default 1 MiB")
      .range(std::uint64_t{64}, std::uint64_t{512} << 20)
      .type_name("N");
  if (const auto code = app.read(words)) co_return *code;
  options.port = static_cast<std::uint16_t>(port);
  options.store_bytes = store_bytes;
  options.connections = connections;
  options.requests.word_bytes = word_bytes;
  options.requests.request_bytes = 16 * word_bytes;
  co_await kv::serve(options);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return tsubu::run_spmd(argc, argv, program_of_pe); }
