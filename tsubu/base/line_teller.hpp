// Where the lines go that say why a job ends: to the standard error, or to who runs the job inside another program, and
// makes an exception of them.
#pragma once

#include <string_view>

namespace tsubu::detail {

// Who is told the lines of a thread. Null: the standard error.
struct line_teller {
  void (*tell)(void* to, std::string_view line) = nullptr;
  void* to = nullptr;
};

// From now on, of this thread.
void set_line_teller(line_teller teller);

// One line, or several with line feeds between them; without the last one. Local; one write to the standard error, so
// that lines of several PEs do not mix.
void tell_line(std::string_view line);

}  // namespace tsubu::detail
