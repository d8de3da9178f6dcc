#include "tsubu/outside/listener.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <asio/detail/socket_option.hpp>
#include <asio/error.hpp>
#include <asio/ip/tcp.hpp>
#include <string_view>

#include "tsubu/outside/awaiter_methods.hpp"
#include "tsubu/outside/poller.hpp"
#include "tsubu/outside/socket_state.hpp"

namespace tsubu::outside {

namespace detail {

namespace {

using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

std::string text_of(const asio::ip::tcp::endpoint& at) {
  const std::string address = at.address().to_string();
  return (at.address().is_v6() ? '[' + address + ']' : address) + ':' + std::to_string(at.port());
}

bool is_name(const std::string& text) {
  constexpr std::string_view of_addresses = "0123456789.";
  constexpr std::string_view of_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  return text.find_first_not_of(of_names) == text.npos && text.find_first_not_of(of_addresses) != text.npos;
}

// The first of a name's addresses that is of version 4, as most servers take it; else the first one.
asio::ip::address address_of(const std::string& text, asio::io_context& io, std::error_code& why) {
  if (!is_name(text)) return asio::ip::make_address(text, why);
  asio::ip::tcp::resolver resolver(io);
  const auto found = resolver.resolve(text, "0", asio::ip::tcp::resolver::numeric_service, why);
  if (why || found.empty()) return {};
  for (const auto& one : found) {
    if (one.endpoint().address().is_v4()) return one.endpoint().address();
  }
  return found.begin()->endpoint().address();
}

}  // namespace

class listener_state final : public operation, public std::enable_shared_from_this<listener_state> {
 public:
  static constexpr const char* brings = "a connection";

  listener_state(const std::shared_ptr<poller>& at, const port_to_open& how)
      : operation(at), acceptor_(at->io()), next_(at->io()) {
    const std::string what = "listening on " + how.address + ':' + std::to_string(how.port);
    std::error_code why;
    const auto check = [&] {
      if (why) throw error(why, what);
    };
    const asio::ip::address address = address_of(how.address, at->io(), why);
    check();
    const asio::ip::tcp::endpoint place(address, how.port);
    acceptor_.open(place.protocol(), why);
    check();
    ::fcntl(acceptor_.native_handle(), F_SETFD, FD_CLOEXEC);
    acceptor_.set_option(asio::ip::tcp::acceptor::reuse_address(true), why);
    check();
    if (how.share_port) acceptor_.set_option(reuse_port(true), why);
    check();
    acceptor_.bind(place, why);
    check();
    acceptor_.listen(how.backlog, why);
    check();
    const asio::ip::tcp::endpoint own = acceptor_.local_endpoint(why);
    check();
    port_ = own.port();
    text_ = text_of(own);
  }

  bool ready() const { return closed_ || (!accepting_ && (arrived_ || failed)); }

  void wait(wait_record& who) {
    require(waiter_ == nullptr, "two tasks accept connections on {}", text_);
    waiter_ = &who;
    if (std::exchange(accepting_, true)) return;
    of().begin();
    acceptor_.async_accept(
        next_, from_, [self = shared_from_this()](const std::error_code& why) mutable { tell(std::move(self), why); });
  }
  void give_up() { waiter_ = nullptr; }

  void finish() override {
    accepting_ = false;
    if (closed_) {
      std::error_code ignored;
      next_.close(ignored);
    } else if (!failed) {
      arrived_ = std::make_shared<socket_state>(shared_poller(), std::move(next_), text_of(from_));
      next_ = asio::ip::tcp::socket(of().io());
    }
    if (waiter_ != nullptr) std::exchange(waiter_, nullptr)->wake();
  }

  connection take() {
    if (closed_) return {};
    if (const std::error_code why = std::exchange(failed, {})) throw error(why, "accepting a connection on " + text_);
    return connection(std::exchange(arrived_, nullptr));
  }

  void close() {
    if (std::exchange(closed_, true)) return;
    std::error_code ignored;
    acceptor_.close(ignored);
    arrived_.reset();
  }

  std::uint16_t port() const { return port_; }
  const std::string& place() const { return text_; }

 private:
  asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::string text_;
  bool closed_ = false;

  // Being accepted, while accepting_; then in arrived_ until it is taken.
  bool accepting_ = false;
  asio::ip::tcp::socket next_;
  asio::ip::tcp::endpoint from_;
  std::shared_ptr<socket_state> arrived_;
  wait_record* waiter_ = nullptr;
};

template class awaiter<listener_state, connection>;

}  // namespace detail

listener::listener(port_to_open how)
    : state_(std::make_shared<detail::listener_state>(detail::poller::here("listener()"), how)) {}

listener& listener::operator=(listener&& other) noexcept {
  close();
  state_ = std::move(other.state_);
  return *this;
}

detail::accept_awaiter listener::accept() const {
  require(state_ != nullptr, "a listener is used that was moved from");
  return detail::accept_awaiter(state_);
}

std::uint16_t listener::port() const {
  require(state_ != nullptr, "a listener is used that was moved from");
  return state_->port();
}

const std::string& listener::place() const {
  require(state_ != nullptr, "a listener is used that was moved from");
  return state_->place();
}

void listener::close() {
  if (state_ != nullptr) state_->close();
}

}  // namespace tsubu::outside
