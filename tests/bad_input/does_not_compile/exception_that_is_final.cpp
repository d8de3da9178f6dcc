// wants: an exception that is registered is not final
#include "tsubu/tsubu.hpp"

struct jam final : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const bool jams = tsubu::register_exception<jam>();
