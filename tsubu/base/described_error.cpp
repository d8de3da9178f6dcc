#include "tsubu/base/described_error.hpp"

#include <cxxabi.h>

#include <typeinfo>

#include "tsubu/base/program_text.hpp"

namespace tsubu {

std::string detail::describe_exception(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const described_error& e) {
    return e.description();
  } catch (const std::exception& e) {
    return readable(typeid(e)) + ": " + e.what();
  } catch (...) {
    const std::type_info* const type = abi::__cxa_current_exception_type();
    return type != nullptr ? readable(*type) : "an exception of a type that has no name";
  }
}

}  // namespace tsubu
