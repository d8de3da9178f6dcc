// The server: a part of the keys on each PE, and connections on all of them.
//
// A key lives on the PE that its hash names. A request for a key of the connection's own PE is executed on the spot;
// one for another's is sent there whole, as a message, and its reply goes to the client in its turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "apps/kv/resp.hpp"
#include "tsubu/tsubu.hpp"

namespace kv {

struct server_options {
  std::string address = "127.0.0.1";
  std::uint16_t port = 6380;                        // 0: the system chooses
  std::size_t store_bytes = std::size_t{1} << 30;   // of each PE
  std::size_t connections = 10'000;                 // of each PE
  std::size_t client_bytes = std::size_t{1} << 30;  // of all clients of all PEs together
  request_limits requests;
};

// Collective. Serves until SHUTDOWN, or SIGTERM, SIGINT or SIGHUP of any process of the job. PE 0 says on the standard
// output where it listens. Throws outside::error if it cannot.
tsubu::task<void> serve(server_options options);

}  // namespace kv
