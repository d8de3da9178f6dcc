#include "tsubu/base/described_error.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <array>
#include <charconv>
#include <type_traits>
#include <typeinfo>

#include "tsubu/base/program_text.hpp"

namespace tsubu {

namespace {

template <class T>
std::string text_of(T number) {
  if constexpr (std::is_same_v<T, bool>) {
    return number ? "true" : "false";
  } else if constexpr (std::is_same_v<T, char>) {
    return {number};
  } else {
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return {text.data(), end};
  }
}

// The exception that is being handled as text, if it is one of these numbers.
template <class... None>
  requires(sizeof...(None) == 0)
std::string text_of_number() {
  return "";
}
template <class T, class... More>
std::string text_of_number() {
  try {
    throw;
  } catch (T number) {
    return text_of(number);
  } catch (...) {
    return text_of_number<More...>();
  }
}

// Text that was thrown as a pointer may be gone with the function that threw it. A literal is not: it lies in the
// program or in a library.
std::string text_that_lasts(const char* text) {
  if (text == nullptr) return "a null pointer";
  Dl_info found{};
  return ::dladdr(text, &found) != 0 ? text : "a pointer to text that is no literal";
}

}  // namespace

std::string detail::text_of_exception() {
  try {
    throw;
  } catch (const std::exception& e) {
    const char* const text = e.what();
    return text != nullptr ? text : "";
  } catch (const std::string& text) {
    return text;
  } catch (const char* text) {
    return text_that_lasts(text);
  } catch (...) {
    return text_of_number<int, bool, char, signed char, unsigned char, short, unsigned short, unsigned, long,
                          unsigned long, long long, unsigned long long, float, double, long double>();
  }
}

std::string detail::describe_exception(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const described_error& e) {
    return e.description();
  } catch (...) {
    const std::type_info* const type = abi::__cxa_current_exception_type();
    const std::string name = type != nullptr ? readable(*type) : "an exception of a type that has no name";
    const std::string text = text_of_exception();
    return text.empty() ? name : name + ": " + text;
  }
}

}  // namespace tsubu
