// A TCP port that other programs connect to.
//
//   outside::listener door({.address = "127.0.0.1", .port = 0});   // 0: one that is free
//   for (;;) {
//     outside::connection c = co_await door.accept();
//     if (!c) break;                                                // the door was closed
//     spawn(serve(std::move(c)), [](const outside::error& e) { say("{}", e.what()); });
//   }
//
// So one client's error ends its task, and not the job (tsubu/task/spawn.hpp). Where every PE shall accept, each opens
// the same port with share_port, and the system deals the connections out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <utility>

#include "tsubu/outside/connection.hpp"
#include "tsubu/task/spawn.hpp"

namespace tsubu::outside {

namespace detail {

class listener_state;
using accept_awaiter = awaiter<listener_state, connection>;

}  // namespace detail

struct port_to_open {
  // An address of this machine, "127.0.0.1" or "::1", or a name of it, "localhost"; "0.0.0.0" for all: then anybody may
  // connect.
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;   // 0: the system chooses
  bool share_port = false;  // other PEs and processes of this user may open it too (SO_REUSEPORT)
  int backlog = 511;        // connections that wait to be accepted; the system may allow fewer
};

// Move-only. Destroyed, it closes. Belongs to the PE that made it.
// Local; accept() blocks until somebody connects; throws error, and where PEs are simulated it ends the job.
class listener {
 public:
  // Local; blocks while the system looks up a name, and with an address it does not. Throws error if the port cannot be
  // had.
  explicit listener(port_to_open how);
  listener(listener&&) noexcept = default;
  listener& operator=(listener&& other) noexcept;
  ~listener() { close(); }

  // `co_await l.accept()`: the next connection; one that is false when the listener was closed. One task at a time.
  // Throws error: when the process has no descriptor left, for one; the connection then waits for the next accept().
  detail::accept_awaiter accept() const;

  std::uint16_t port() const;
  // "127.0.0.1:6380", "[::1]:6380".
  const std::string& place() const;

  // Whoever waits for a connection is woken. Connections that were accepted stay.
  void close();

 private:
  std::shared_ptr<detail::listener_state> state_;
};

}  // namespace tsubu::outside
