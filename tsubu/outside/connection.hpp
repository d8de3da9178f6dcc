// TCP connections: bytes to and from another program, awaited by tasks of a PE.
//
//   outside::connection c = co_await outside::connect("127.0.0.1", port);
//   co_await c.write("hello\n");
//   const std::optional<std::string> line = co_await c.read_until('\n', 4096);
//
// A connection belongs to the PE that made it, and to no other. One task at a time reads from it, and one writes. What
// the peer does wrong, or the network, is thrown as outside::error where it is awaited; that it has ended is a value.
//
// Memory of a connection is bounded, whatever the peer does: 16 KiB of what has come are kept, and what is not read
// stays with the system, which holds the peer back; write() waits for a peer that does not read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

#include "tsubu/outside/awaiter.hpp"
#include "tsubu/outside/error.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::outside {

namespace detail {

class socket_state;

using read_awaiter = awaiter<socket_state, std::string_view>;

class [[nodiscard]] write_awaiter {
 public:
  write_awaiter(std::shared_ptr<socket_state> of, std::string_view bytes);
  write_awaiter(const write_awaiter&) = delete;
  write_awaiter& operator=(const write_awaiter&) = delete;
  ~write_awaiter();
  bool await_ready();
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where);
  void await_resume() const;

 private:
  friend class socket_state;
  std::shared_ptr<socket_state> of_;
  std::string_view left_;
  wait_record record_;
};

}  // namespace detail

// Move-only. Destroyed, it closes. A default-made or moved-from one is none, and false.
// Local; what is awaited blocks until bytes have come or the system has taken them; throws error, and a second reader
// or writer ends the job.
class connection {
 public:
  // How much of what has come a connection keeps.
  static constexpr std::size_t room = 16384;

  connection() = default;
  explicit connection(std::shared_ptr<detail::socket_state> state) : state_(std::move(state)) {}
  connection(connection&&) noexcept = default;
  connection& operator=(connection&& other) noexcept;
  ~connection() { close(); }

  explicit operator bool() const { return state_ != nullptr; }

  // `co_await c.read()`: what has come, 1 to 16,384 bytes, good until the next call for this connection; empty when the
  // peer has sent its last byte, and when this side has closed. Waits while nothing has come.
  detail::read_awaiter read() const;

  // Up to and without the delimiter, which is taken too. Nothing if the bytes end without one; what came before is
  // lost. Throws error (std::errc::message_size) when `most` bytes have come without it.
  task<std::optional<std::string>> read_until(char delimiter, std::size_t most) const;

  // So many bytes, or nothing if they end before.
  task<std::optional<std::string>> read_exactly(std::size_t bytes) const;

  // `co_await c.write(bytes)`: returns when the system has taken all of them, which at once it mostly does. The bytes
  // must stay until then. A task that is destroyed while it waits here has sent a part of them.
  detail::write_awaiter write(std::string_view bytes) const;

  // The peer's reads come to their end; this side still reads.
  void end_writing() const;

  // From now on, and for whoever waits here, a read gives nothing, and a write throws error
  // (std::errc::operation_canceled).
  void close();

  // "127.0.0.1:40312".
  const std::string& peer() const;

 private:
  std::shared_ptr<detail::socket_state> state_;
};

// To that port of a machine, by its name or address. Throws error when none of its addresses answers.
// Local; does not block, awaiting the future does; throws error there, and where PEs are simulated it ends the job.
[[nodiscard]] future<connection> connect(std::string host, std::uint16_t port);

}  // namespace tsubu::outside
