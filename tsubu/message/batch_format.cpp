#include "tsubu/message/batch_format.hpp"

#include "tsubu/base/check.hpp"

namespace tsubu::message {

void bad_run(const wire::run& r, const std::byte* at, const std::string& what) {
  std::string where = "in a bulk";
  if (r.batch_begin != nullptr) where = "at offset " + std::to_string(at - r.batch_begin);
  fail("a bad batch came from PE " + std::to_string(r.from) + ": " + where + ": " + what);
}

}  // namespace tsubu::message
