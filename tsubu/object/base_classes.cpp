#include "tsubu/object/base_classes.hpp"

namespace tsubu::objects {

std::ptrdiff_t base_classes::find(std::uint32_t whole, std::uint32_t base, object_base& o) {
  const object_type& derived = type_of_number(whole);
  const object_type& type = type_of_number(base);
  const void* part = nullptr;
  if (derived.throw_address != nullptr && type.part_of != nullptr) part = type.part_of(derived, o);
  const std::ptrdiff_t offset =
      part == nullptr ? no_base : static_cast<const std::byte*>(part) - reinterpret_cast<const std::byte*>(&o);
  if (whole >= of_.size()) of_.resize(whole + 1);
  of_[whole].push_back({base, offset});
  return offset;
}

}  // namespace tsubu::objects
