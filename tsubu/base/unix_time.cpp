#include "tsubu/base/unix_time.hpp"

#include <chrono>

namespace tsubu {

std::int64_t unix_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace tsubu
