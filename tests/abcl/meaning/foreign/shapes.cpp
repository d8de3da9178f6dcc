#include "shapes.hpp"

#include <cctype>

namespace shapes {

std::string shout(const std::string& text) {
  std::string loud;
  for (const char c : text) loud += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return loud;
}

}  // namespace shapes
