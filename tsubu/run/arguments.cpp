// A program's arguments, and those that are numbers.
#include <charconv>
#include <system_error>

#include "tsubu/run/run.hpp"

namespace tsubu {
namespace {

// The whole word is the number.
template <class N>
N number_in(const std::string& word, std::size_t i, const char* kind, N least, N most) {
  N value{};
  const char* const end = word.data() + word.size();
  const auto [stopped_at, error] = std::from_chars(word.data(), end, value);
  const bool is_number = error != std::errc::invalid_argument && stopped_at == end;
  require(is_number, "argument {} is to be {}, and is \"{}\"", i, kind, word);
  const auto range = [&] {
    if constexpr (std::floating_point<N>) {
      return std::string("that its type holds");
    } else {
      return "from " + std::to_string(least) + " to " + std::to_string(most);
    }
  };
  require(error == std::errc() && least <= value && value <= most, "argument {} is to be {} {}, and is {}", i, kind,
          range, word);
  return value;
}

}  // namespace

arguments::arguments(int argc, char** argv) : words_(argv, argv + argc) {}

long double arguments::real(std::size_t i, long double least, long double most) const {
  return number_in(words_[i], i, "a number", least, most);
}

long long arguments::whole(std::size_t i, long long least, long long most) const {
  return number_in(words_[i], i, "a whole number", least, most);
}

unsigned long long arguments::natural(std::size_t i, unsigned long long most) const {
  return number_in(words_[i], i, "a whole number of 0 or more", 0ULL, most);
}

}  // namespace tsubu
