// wants: an exception that is registered derives from std::exception
#include "tsubu/tsubu.hpp"

struct jam {
  explicit jam(const std::string&) {}
};

const bool jams = tsubu::register_exception<jam>();
