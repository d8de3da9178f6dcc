#include "tsubu/remote/printing/line_settings.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/base/standard_output.hpp"

namespace tsubu::remote {
namespace {

constinit thread_local line_settings settings_here;

// The streams are the process's, whatever PEs it has.
constinit std::mutex writing;
constinit bool line_drawn = false;
constexpr std::string_view take_away = "\r\x1b[K";

// 0, or the error.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd until_there_is_room{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&until_there_is_room, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void configure_lines(const line_settings& settings) {
  settings_here = settings;
  least_level = settings.least;
}
const line_settings& lines_configured() { return settings_here; }

void write_whole(stream to, const std::string& text) {
  int error = 0;
  {
    const std::lock_guard alone(writing);
    if (line_drawn) write_all(STDERR_FILENO, take_away);
    line_drawn = false;
    if (to == stream::output) flush_output();
    error = write_all(to == stream::output ? STDOUT_FILENO : STDERR_FILENO, text);
  }
  if (error != 0) {
    fail(std::string("a line cannot be written to the standard ") + (to == stream::output ? "output" : "error") + ": " +
         std::strerror(error));
  }
}

void draw_on_terminal(const std::string& text) {
  const std::lock_guard alone(writing);
  if (text.empty() && !line_drawn) return;
  write_all(STDERR_FILENO, std::string(take_away) + text);
  line_drawn = !text.empty();
}

}  // namespace tsubu::remote
