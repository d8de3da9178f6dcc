#include "tsubu/base/line_teller.hpp"

#include <unistd.h>

#include <string>

namespace tsubu::detail {
namespace {

constinit thread_local line_teller this_teller;

}  // namespace

void set_line_teller(line_teller teller) { this_teller = teller; }

void tell_line(std::string_view line) {
  if (this_teller.tell != nullptr) return this_teller.tell(this_teller.to, line);
  std::string whole(line);
  whole += '\n';
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, whole.data(), whole.size());
}

}  // namespace tsubu::detail
