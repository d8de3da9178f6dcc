#include "apps/program/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include "tsubu/base/clock.hpp"
#include "tsubu/remote/pe.hpp"

namespace program {
namespace {

constexpr std::int64_t every_ns_on_terminal = 200'000'000;
constexpr std::int64_t every_ns_elsewhere = 10'000'000'000;

}  // namespace

progress::progress(std::string_view name)
    : name_(name),
      here_(tsubu::this_pe() == 0),
      terminal_(isatty(STDERR_FILENO) == 1),
      due_ns_(tsubu::now_ns() + (terminal_ ? every_ns_on_terminal : every_ns_elsewhere)) {}

progress::~progress() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void progress::at(std::string_view what, std::int64_t done, std::int64_t of) {
  if (here_ && tsubu::now_ns() >= due_ns_) show(fmt::format("{}: {} {} of {}", name_, what, done, of));
}

void progress::begin(std::string_view what) {
  if (here_ && terminal_) show(fmt::format("{}: {}", name_, what));
}

void progress::show(const std::string& text) {
  fmt::print(stderr, fmt::runtime(terminal_ ? "\r\033[K{}" : "{}\n"), text);
  std::fflush(stderr);
  shown_ = true;
  due_ns_ = tsubu::now_ns() + (terminal_ ? every_ns_on_terminal : every_ns_elsewhere);
}

}  // namespace program
