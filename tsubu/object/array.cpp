#include "tsubu/object/array.hpp"

namespace tsubu::objects {

void bad_array(const std::string& what) { fail(what); }

}  // namespace tsubu::objects
