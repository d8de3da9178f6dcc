// wants: an exception that is registered derives from std::exception once, and not virtually
#include "tsubu/tsubu.hpp"

struct jam : virtual std::runtime_error {
  explicit jam(const std::string& text) : std::runtime_error(text) {}
};

const bool jams = tsubu::register_exception<jam>();
