#include "tsubu/run/version.hpp"

namespace tsubu {

const char* version() { return TSUBU_VERSION; }

}  // namespace tsubu
