// A line of text and what stands in it, without the headers of a formatting library: they are in one .cpp.
//
// A {} stands for an argument, {:.3f}, {:>8} and the like as fmt has them, {{ and }} for braces. How many there are is
// checked when the program is compiled.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

namespace tsubu::detail {

template <class T>
concept has_to_string = requires(const T& value) {
  { to_string(value) } -> std::convertible_to<std::string>;
};

// An argument of a line: a number, a truth value, a character, a text, what an own to_string() makes a text of, or a
// function without parameters that gives a text or a number and is called only if the line is printed.
class line_value {
 public:
  enum class kind : std::uint8_t { integer, natural, real, single, truth, character, text, made };
  // What a function has made.
  struct made_value;

  template <class T>
  line_value(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      set(kind::truth, value);
    } else if constexpr (std::is_same_v<T, char>) {
      character_ = value;
      kind_ = kind::character;
    } else if constexpr (std::signed_integral<T>) {
      set(kind::integer, value);
    } else if constexpr (std::unsigned_integral<T>) {
      natural_ = value;
      kind_ = kind::natural;
    } else if constexpr (std::is_same_v<T, float>) {
      single_ = value;
      kind_ = kind::single;
    } else if constexpr (std::floating_point<T>) {
      real_ = static_cast<double>(value);
      kind_ = kind::real;
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      const std::string_view view = view_of(value);
      text_ = {view.data(), view.size()};
      kind_ = kind::text;
    } else if constexpr (std::invocable<const T&>) {
      set_made(value, [](const void* f) { return value_of((*static_cast<const T*>(f))()); });
    } else {
      static_assert(has_to_string<T>,
                    "a line takes numbers, texts, and types that have a to_string() of their own beside them");
      set_made(value, &text_of<T>);
    }
  }

  kind what() const { return kind_; }
  std::int64_t integer() const { return integer_; }
  std::uint64_t natural() const { return natural_; }
  double real() const { return real_; }
  float single() const { return single_; }
  char character() const { return character_; }
  std::string_view text() const { return {text_.begin, text_.size}; }
  made_value make() const;

 private:
  // A null pointer to characters is a text, too.
  template <class T>
  static std::string_view view_of(const T& value) {
    if constexpr (std::is_pointer_v<T>) {
      if (value == nullptr) return "(null)";
    }
    return value;
  }
  template <class T>
  static made_value value_of(T value);
  template <class T>
  static made_value text_of(const void* value);
  void set(kind k, std::int64_t value) {
    integer_ = value;
    kind_ = k;
  }
  template <class T>
  void set_made(const T& value, made_value (*maker_of)(const void*)) {
    made_ = {&value, maker_of};
    kind_ = kind::made;
  }

  struct characters {
    const char* begin;
    std::size_t size;
  };
  struct maker {
    const void* of;
    made_value (*make)(const void*);
  };
  union {
    std::int64_t integer_;
    std::uint64_t natural_;
    double real_;
    float single_;
    char character_;
    characters text_;
    maker made_;
  };
  kind kind_;
};

struct line_value::made_value {
  std::string text;  // if it is one
  line_value value;  // else; a text of no characters
};

template <class T>
line_value::made_value line_value::value_of(T value) {
  if constexpr (std::convertible_to<T, std::string_view>) {
    return {std::string(view_of(value)), ""};
  } else if constexpr (std::integral<T> || std::floating_point<T>) {
    return {"", value};
  } else {
    static_assert(has_to_string<T>, "a function in a line gives a number, a text, or what has a to_string()");
    return {std::string(to_string(value)), ""};
  }
}

template <class T>
line_value::made_value line_value::text_of(const void* value) {
  return {std::string(to_string(*static_cast<const T*>(value))), ""};
}

// How many arguments a line wants; -1 if its braces are wrong.
constexpr int places_in(std::string_view line) {
  int places = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool twice = i + 1 < line.size() && line[i + 1] == line[i];
    if (line[i] == '}') {
      if (!twice) return -1;
      ++i;
    } else if (line[i] == '{' && twice) {
      ++i;
    } else if (line[i] == '{') {
      const std::size_t end = line.find_first_of("{}", i + 1);
      if (end == line.npos || line[end] == '{' || (end > i + 1 && line[i + 1] != ':')) return -1;
      ++places;
      i = end;
    }
  }
  return places;
}

// What a line looks like, and where it stands in the source.
template <class... A>
struct line_format {
  template <std::size_t n>
  consteval line_format(const char (&line)[n], std::source_location here = std::source_location::current())
      : text(line, n - 1), where(here) {
    if (places_in(text) != static_cast<int>(sizeof...(A))) throw "the line needs a {} for each of its arguments";
  }
  std::string_view text;
  std::source_location where;
};

// The line, without an end. Ends the job if an argument is not what its {} says, such as {:d} for a text.
std::string line_text(std::string_view line, std::initializer_list<line_value> arguments, std::source_location where);

}  // namespace tsubu::detail
