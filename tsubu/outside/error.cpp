#include "tsubu/outside/error.hpp"

#include <string>

#include "tsubu/base/printable.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::outside {

error::error(std::error_code code, std::string_view doing) : error(code, doing, this_pe()) {}

error::error(std::error_code code, std::string_view doing, int pe)
    : std::system_error(code, "PE " + std::to_string(pe) + ": " + one_line(doing)) {}

}  // namespace tsubu::outside
