#include "tsubu/remote/collectives/reduce.hpp"

#include <stdexcept>
#include <string>

#include "tsubu/base/program_text.hpp"

namespace tsubu {

void detail::throw_of_none(const std::type_info& operation) {
  std::string name = readable(operation);
  // As programs know the operations that are here.
  constexpr std::string_view ours = "tsubu::reduce::", behind = "_op";
  if (name.starts_with(ours) && name.ends_with(behind))
    name = name.substr(ours.size() - std::string_view("reduce::").size(), name.size() - 7 - behind.size());
  throw std::invalid_argument(name + " of no values: nobody has been asked, and the operation has no of_none()");
}

}  // namespace tsubu
