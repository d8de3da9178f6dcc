#include "tsubu/outside/connection.hpp"

#include <fcntl.h>

#include <asio/buffer.hpp>
#include <asio/connect.hpp>
#include <asio/error.hpp>
#include <cstring>

#include "tsubu/outside/awaiter_methods.hpp"
#include "tsubu/outside/socket_state.hpp"

namespace tsubu::outside {

namespace detail {

socket_state::socket_state(const std::shared_ptr<poller>& at, asio::ip::tcp::socket connected, std::string peer)
    : socket_(std::move(connected)), peer_(std::move(peer)), read_(at, *this), write_(at, *this) {
  std::error_code ignored;                                // a connection that is gone already says so when it is used
  ::fcntl(socket_.native_handle(), F_SETFD, FD_CLOEXEC);  // it ends with us, whatever programs we have started
  socket_.non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void socket_state::wait(wait_record& who) {
  require(reader_ == nullptr, "two tasks read from the connection with {}", peer_);
  reader_ = &who;
  if (!reading_) begin_to_read();
}

void socket_state::begin_to_read() {
  if (came_ == nullptr) came_ = std::make_unique<std::array<char, connection::room>>();
  reading_ = true;
  read_.of().begin();
  socket_.async_read_some(asio::buffer(*came_), [self = std::shared_ptr<operation>(shared_from_this(), &read_)](
                                                    const std::error_code& failed, std::size_t bytes) mutable {
    self->bytes = bytes;
    tell(std::move(self), failed);
  });
}

void socket_state::has_read() {
  reading_ = false;
  first_ = 0;
  end_ = read_.bytes;
  if (read_.failed == asio::error::eof || closed_) {
    ended_ = true;
  } else {
    failed_ = read_.failed;
  }
  if (reader_ != nullptr) std::exchange(reader_, nullptr)->wake();
}

std::string_view socket_state::take() {
  if (closed_) return {};
  if (first_ < end_) {
    const std::size_t from = std::exchange(first_, end_);
    return {came_->data() + from, end_ - from};
  }
  if (failed_) throw error(failed_, "reading from " + peer_);
  return {};
}

bool socket_state::push(write_awaiter& which) {
  require(writer_ == nullptr || writer_ == &which, "two tasks write to the connection with {}", peer_);
  while (!which.left_.empty()) {
    if (closed_) not_written_ = std::make_error_code(std::errc::operation_canceled);
    if (not_written_) return true;
    std::error_code failed;
    const std::size_t written = socket_.write_some(asio::buffer(which.left_), failed);
    which.left_.remove_prefix(written);
    if (failed == asio::error::would_block || failed == asio::error::try_again) return false;
    not_written_ = failed;
  }
  return true;
}

void socket_state::wait_to_write(write_awaiter& which) {
  writer_ = &which;
  if (!writing_) wait_for_room();
}

void socket_state::wait_for_room() {
  writing_ = true;
  write_.of().begin();
  socket_.async_wait(asio::ip::tcp::socket::wait_write,
                     [self = std::shared_ptr<operation>(shared_from_this(), &write_)](
                         const std::error_code& failed) mutable { tell(std::move(self), failed); });
}

void socket_state::has_room() {
  writing_ = false;
  if (writer_ == nullptr) return;
  if (push(*writer_)) {
    std::exchange(writer_, nullptr)->record_.wake();
  } else {
    wait_for_room();
  }
}

void socket_state::throw_if_not_written() const {
  if (not_written_) throw error(not_written_, "writing to " + peer_);
}

void socket_state::end_writing() {
  std::error_code ignored;  // a connection that is gone already has ended
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

void socket_state::close() {
  if (std::exchange(closed_, true)) return;
  std::error_code ignored;
  socket_.close(ignored);
}

template class awaiter<socket_state, std::string_view>;

write_awaiter::write_awaiter(std::shared_ptr<socket_state> of, std::string_view bytes)
    : of_(std::move(of)), left_(bytes), record_("room to write", of_.get()) {}
write_awaiter::~write_awaiter() {
  if (record_.waiting()) of_->forget_writer();
}
bool write_awaiter::await_ready() { return of_->push(*this); }
void write_awaiter::suspend(ready_item who, std::source_location where) {
  of_->wait_to_write(*this);
  record_.suspend(who, where);
}
void write_awaiter::await_resume() const { of_->throw_if_not_written(); }

namespace {

// First its addresses, then a connection with one of them.
class connecting final : public operation, public std::enable_shared_from_this<connecting> {
 public:
  connecting(const std::shared_ptr<poller>& at, std::string host, std::uint16_t port)
      : operation(at), host_(std::move(host)), port_(std::to_string(port)), resolver_(at->io()), socket_(at->io()) {}

  future<connection> begin() {
    future<connection> later = made_.get_future();
    of().begin();
    resolver_.async_resolve(host_, port_, asio::ip::tcp::resolver::numeric_service,
                            [self = shared_from_this()](const std::error_code& why,
                                                        const asio::ip::tcp::resolver::results_type& found) mutable {
                              self->addresses_ = found;
                              tell(std::move(self), why);
                            });
    return later;
  }

  void finish() override {
    if (!failed && !std::exchange(resolved_, true)) return connect_to_one();
    const std::string whom = host_ + ':' + port_;
    if (failed) return made_.set_exception(std::make_exception_ptr(error(failed, "connecting to " + whom)));
    made_.set_value(connection(std::make_shared<socket_state>(shared_poller(), std::move(socket_), whom)));
  }

 private:
  void connect_to_one() {
    of().begin();
    asio::async_connect(
        socket_, addresses_,
        [self = shared_from_this()](const std::error_code& why, const asio::ip::tcp::endpoint&) mutable {
          tell(std::move(self), why);
        });
  }

  const std::string host_;
  const std::string port_;
  asio::ip::tcp::resolver resolver_;
  asio::ip::tcp::resolver::results_type addresses_;
  asio::ip::tcp::socket socket_;
  bool resolved_ = false;
  promise<connection> made_;
};

socket_state& open_one(const std::shared_ptr<socket_state>& state) {
  require(state != nullptr, "a connection is used that was moved from, or never made");
  return *state;
}

}  // namespace
}  // namespace detail

connection& connection::operator=(connection&& other) noexcept {
  close();
  state_ = std::move(other.state_);
  return *this;
}

detail::read_awaiter connection::read() const {
  detail::open_one(state_);
  return detail::read_awaiter(state_);
}

task<std::optional<std::string>> connection::read_until(char delimiter, std::size_t most) const {
  const std::shared_ptr<detail::socket_state> state = state_;
  detail::open_one(state);
  std::string line;
  for (;;) {
    const std::string_view came = co_await detail::read_awaiter(state);
    if (came.empty()) co_return std::nullopt;
    const std::size_t at = came.find(delimiter);
    const std::size_t taken = std::min(at, came.size());
    if (taken > most - line.size()) {
      throw error(std::make_error_code(std::errc::message_size),
                  "reading a line of up to " + std::to_string(most) + " bytes from " + state->peer());
    }
    line += came.substr(0, taken);
    if (at == came.npos) continue;
    state->give_back(came.size() - taken - 1);
    co_return line;
  }
}

task<std::optional<std::string>> connection::read_exactly(std::size_t bytes) const {
  const std::shared_ptr<detail::socket_state> state = state_;
  detail::open_one(state);
  std::string all;
  while (all.size() < bytes) {
    const std::string_view came = co_await detail::read_awaiter(state);
    if (came.empty()) co_return std::nullopt;
    const std::size_t taken = std::min(came.size(), bytes - all.size());
    all += came.substr(0, taken);
    state->give_back(came.size() - taken);
  }
  co_return all;
}

detail::write_awaiter connection::write(std::string_view bytes) const {
  detail::open_one(state_);
  return detail::write_awaiter(state_, bytes);
}

void connection::end_writing() const { detail::open_one(state_).end_writing(); }

void connection::close() {
  if (state_ != nullptr) state_->close();
}

const std::string& connection::peer() const { return detail::open_one(state_).peer(); }

future<connection> connect(std::string host, std::uint16_t port) {
  return std::make_shared<detail::connecting>(detail::poller::here("connect()"), std::move(host), port)->begin();
}

}  // namespace tsubu::outside
