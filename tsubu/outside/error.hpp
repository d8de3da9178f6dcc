// What goes wrong with the world outside: thrown by the waits of this floor, at the line that awaits.
#pragma once

#include <string_view>
#include <system_error>

namespace tsubu::outside {

// what() names the PE, what it did and with whom, and the system's reason:
//   PE 0: reading from 127.0.0.1:40312: Connection reset by peer
// code() is the system's, to compare with std::errc.
class error : public std::system_error {
 public:
  // On a PE.
  error(std::error_code code, std::string_view doing);
  // By any thread, on behalf of that PE.
  error(std::error_code code, std::string_view doing, int pe);
};

}  // namespace tsubu::outside
