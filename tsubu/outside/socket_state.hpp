// One end of a TCP connection. Only sources of this floor include this.
#pragma once

#include <array>
#include <asio/ip/tcp.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tsubu/outside/connection.hpp"
#include "tsubu/outside/poller.hpp"

namespace tsubu::outside::detail {

class socket_state final : public std::enable_shared_from_this<socket_state> {
 public:
  socket_state(const std::shared_ptr<poller>& at, asio::ip::tcp::socket connected, std::string peer);

  // For who reads.
  static constexpr const char* brings = "bytes";
  bool ready() const { return first_ < end_ || ended_ || failed_ || closed_; }
  void wait(wait_record& who);
  void give_up() { reader_ = nullptr; }
  // All that has come; empty at the end.
  std::string_view take();
  // What was taken last has more than was wanted: so many bytes of its end come again.
  void give_back(std::size_t bytes) { first_ -= bytes; }

  // Writes what the system takes. False: there is no room for the rest.
  bool push(write_awaiter& which);
  void wait_to_write(write_awaiter& which);
  void forget_writer() { writer_ = nullptr; }
  void throw_if_not_written() const;

  void end_writing();
  void close();
  const std::string& peer() const { return peer_; }

 private:
  class read_operation final : public operation {
   public:
    read_operation(std::shared_ptr<poller> at, socket_state& in) : operation(std::move(at)), in_(in) {}
    void finish() override { in_.has_read(); }

   private:
    socket_state& in_;
  };
  class write_operation final : public operation {
   public:
    write_operation(std::shared_ptr<poller> at, socket_state& in) : operation(std::move(at)), in_(in) {}
    void finish() override { in_.has_room(); }

   private:
    socket_state& in_;
  };

  void begin_to_read();
  void has_read();
  void wait_for_room();
  void has_room();

  asio::ip::tcp::socket socket_;
  const std::string peer_;
  bool closed_ = false;

  // Reading. What has come and is not taken is from first_ to end_; while the system is asked for more that is nothing.
  read_operation read_;
  bool reading_ = false;
  bool ended_ = false;
  std::error_code failed_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  wait_record* reader_ = nullptr;
  std::unique_ptr<std::array<char, connection::room>> came_;  // made by the first read

  // Writing.
  write_operation write_;
  bool writing_ = false;
  std::error_code not_written_;
  write_awaiter* writer_ = nullptr;
};

}  // namespace tsubu::outside::detail
