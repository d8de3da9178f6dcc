#include "tsubu/remote/printing/say.hpp"

#include <array>
#include <cstdio>

#include "tsubu/message/handler.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/remote/printing/line_settings.hpp"

namespace tsubu::remote {
namespace {

std::string time_and_pe(bool with_time, bool with_pe) {
  if (current_pe == nullptr) return "";
  std::string text;
  if (with_time) {
    std::array<char, 40> digits;
    const double ms = static_cast<double>(current_pe->tasks.now() - current_pe->accounts.began_ns()) * 1e-6;
    std::snprintf(digits.data(), digits.size(), "%.3f ms ", ms);
    text = digits.data();
  }
  if (with_pe) text += "PE " + std::to_string(current_pe->number()) + " ";
  return text;
}

// To PE 0, from another process.
struct line_said {
  using layout = wire::layout<std::string>;
  static void call(const message::delivery&, const std::string& line) { write_whole(stream::output, line); }
};

// A launcher reads what its ranks print in pieces of its own choice, and mixes lines; what one process prints it leaves
// as it is.
bool prints_through_pe_0() {
  return job_goes_on() && current_pe->number() >= current_pe->transport().pes_per_process();
}

}  // namespace

bool is_first_pe() { return this_pe() == 0; }

void say_line(std::string line) {
  const line_settings& how = lines_configured();
  std::string front = time_and_pe(how.with_time, how.with_pe);
  if (!front.empty()) front.back() = ':';
  if (!front.empty()) front += ' ';
  const std::string whole = front + line + '\n';
  if (!prints_through_pe_0()) return write_whole(stream::output, whole);
  const task_group_scope outside(nullptr);
  remote::send<line_said>(0, whole);
}

void say_level(log_level level, std::string line) {
  constexpr std::array names{"debug", "info", "warning"};
  write_whole(stream::error,
              time_and_pe(true, true) + names[static_cast<std::size_t>(level)] + ": " + std::move(line) + '\n');
}

}  // namespace tsubu::remote
