#include "tsubu/outside/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <asio/posix/stream_descriptor.hpp>
#include <atomic>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

#include "tsubu/outside/offload.hpp"
#include "tsubu/outside/poller.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::outside {

namespace {

// A wait for the descriptor, without reading from it. A file, which the system does not wait for, is always ready.
class readiness final : public detail::operation, public std::enable_shared_from_this<readiness> {
 public:
  readiness(const std::shared_ptr<detail::poller>& at, int descriptor)
      : operation(at), descriptor_(at->io(), descriptor) {}

  future<void> wait() {
    ready_ = promise<void>();
    future<void> later = ready_.get_future();
    of().begin();
    const int flags = ::fcntl(STDIN_FILENO, F_GETFL);
    descriptor_.async_wait(
        asio::posix::stream_descriptor::wait_read,
        [self = shared_from_this()](const std::error_code& why) mutable { tell(std::move(self), why); });
    if (flags >= 0) ::fcntl(STDIN_FILENO, F_SETFL, flags);  // if it shares its descriptor's
    return later;
  }
  void finish() override { ready_.set_value(); }

 private:
  asio::posix::stream_descriptor descriptor_;
  promise<void> ready_;
};

constexpr std::size_t read_at_a_time = 65536;

std::string read_some(pe_id pe) {
  std::string came(read_at_a_time, '\0');
  ssize_t got = 0;
  for (;;) {
    got = ::read(STDIN_FILENO, came.data(), came.size());
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) break;
    // Another process may have been quicker, and the one that gave us the input may have made it non-blocking.
    pollfd until_there_is_some{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (errno == EAGAIN) ::poll(&until_there_is_some, 1, -1);
  }
  if (got < 0) throw error({errno, std::system_category()}, "reading the standard input", pe);
  came.resize(static_cast<std::size_t>(got));
  return came;
}

// Which PE of the process has it. It is the process's, and so is this.
constinit std::atomic<bool> in_use{false};

struct standard_input {
  standard_input() = default;
  standard_input(const standard_input&) = delete;
  standard_input& operator=(const standard_input&) = delete;
  ~standard_input() {
    if (mine) in_use = false;
  }

  bool mine = false;
  bool ended = false;
  bool being_read = false;
  std::string came;
  std::size_t taken = 0;
  std::shared_ptr<readiness> ready;
};
const pe_local<standard_input> inputs;

// While a task reads.
class reading_scope {
 public:
  explicit reading_scope(standard_input& of) : of_(of) {
    require(!std::exchange(of_.being_read, true), "two tasks read the standard input");
  }
  reading_scope(const reading_scope&) = delete;
  reading_scope& operator=(const reading_scope&) = delete;
  ~reading_scope() { of_.being_read = false; }

 private:
  standard_input& of_;
};

// To wait for. What waits makes it non-blocking, and whoever shares the standard input, the shell that has started us
// among them, would have that, too: so it is opened anew, where that can be done (a socket cannot).
int own_descriptor() {
  const int anew = ::open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  return anew >= 0 ? anew : ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
}

// Which file the standard input is.
struct file_identity {
  dev_t device = 0;
  ino_t number = 0;
  bool operator==(const file_identity&) const = default;
};

file_identity standard_input_now() {
  struct stat of{};
  return ::fstat(STDIN_FILENO, &of) == 0 ? file_identity{of.st_dev, of.st_ino} : file_identity{};
}

const file_identity given_at_start = standard_input_now();

// Launchers give the other ranks an empty file, a pipe or a socket that nobody ever writes into or closes, or the
// input of rank 0 itself, whose bytes would be taken from it. Which of these a rank has it cannot tell, so nothing is
// read there, unless the program has put something else in its place.
bool has_input() {
  return this_pe() < remote::current_pe->transport().pes_per_process() || standard_input_now() != given_at_start;
}

void open(standard_input& in) {
  if (in.mine || in.ended) return;
  const std::shared_ptr<detail::poller> here = detail::poller::here("read_line()");
  if (!has_input()) {
    in.ended = true;
    return;
  }
  const int own = own_descriptor();
  if (own < 0) throw error({errno, std::system_category()}, "reading the standard input");
  in.ready = std::make_shared<readiness>(here, own);
  if (in_use.exchange(true)) {
    throw error(std::make_error_code(std::errc::device_or_resource_busy),
                "reading the standard input, which another PE of the process reads");
  }
  in.mine = true;
}

}  // namespace

task<std::optional<std::string>> read_line(std::size_t most) {
  standard_input& in = *inputs;
  const reading_scope reading(in);
  open(in);
  std::string line;
  for (;;) {
    const std::string_view left = std::string_view(in.came).substr(in.taken);
    const std::size_t at = left.find('\n');
    const std::string_view part = left.substr(0, at);
    if (part.size() > most - line.size()) {
      throw error(std::make_error_code(std::errc::message_size),
                  "reading a line of up to " + std::to_string(most) + " bytes from the standard input");
    }
    line += part;
    if (at != left.npos) {
      in.taken += at + 1;
      co_return line;
    }
    in.came.clear();
    in.taken = 0;
    if (!in.ended) {
      co_await in.ready->wait();
      in.came = co_await offload([pe = this_pe()] { return read_some(pe); });
      in.ended = in.came.empty();
    }
    if (in.ended) {
      if (line.empty()) co_return std::nullopt;
      co_return line;
    }
  }
}

}  // namespace tsubu::outside
