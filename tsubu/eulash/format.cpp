#include "tsubu/eulash/format.hpp"

#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cwchar>

#include "tsubu/base/check.hpp"
#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/text.hpp"

namespace tsubu::placed {
namespace {

// Takes characters from a format, one after the other.
class format_reader {
 public:
  explicit format_reader(const std::string& format) : at_(format.c_str()) {}
  char now() const { return *at_; }
  char take() { return *at_ == '\0' ? '\0' : *at_++; }
  std::string all_of(const char* characters) {
    const std::size_t n = std::strspn(at_, characters);
    at_ += n;
    return std::string(at_ - n, n);
  }
  bool take_if(char c) {
    if (now() != c) return false;
    ++at_;
    return true;
  }

 private:
  const char* at_;
};

constexpr const char* digits = "0123456789";

std::string number_or_star(format_reader& in) { return in.take_if('*') ? "*" : in.all_of(digits); }

// scanf's %[...]: a ] that comes first is one of the characters.
std::string take_set(format_reader& in) {
  std::string set = "[";
  if (in.take_if('^')) set += '^';
  if (in.take_if(']')) set += ']';
  while (in.now() != '\0' && in.now() != ']') set += in.take();
  require(in.take_if(']'), "a format of scanf has a %[ without its ]");
  return set + "]";
}

// ---- printf

// One conversion by the system's own, of an argument of this type.
template <class T>
void print_one(std::string& to, const std::string& spec, T value) {
  const int n = std::snprintf(nullptr, 0, spec.c_str(), value);
  require(n >= 0, "a format of printf that the system refuses: {}", spec);
  const std::size_t begin = to.size();
  to.resize(begin + static_cast<std::size_t>(n) + 1);
  std::snprintf(to.data() + begin, static_cast<std::size_t>(n) + 1, spec.c_str(), value);
  to.resize(begin + static_cast<std::size_t>(n));
}

void print_integer(std::string& to, const std::string& spec, const std::string& length, format_arguments& a) {
  if (length == "l" || length == "z" || length == "t") {
    print_one(to, spec, va_arg(a.list, long));
  } else if (length == "ll" || length == "j") {
    print_one(to, spec, va_arg(a.list, long long));
  } else {
    print_one(to, spec, va_arg(a.list, int));
  }
}

void print_text(std::string& to, const conversion& c, const std::string& spec, const std::string& precision,
                const char* text) {
  require(c.length.empty(), "printf with %ls is not for placed programs: print texts of char");
  // A text with a precision need not end with a zero.
  const std::size_t most =
      precision.empty() ? ~std::size_t{0} : static_cast<std::size_t>(std::atol(precision.c_str() + 1));
  print_one(to, spec, text == nullptr ? "(null)" : text_at(text, most).c_str());
}

template <class T>
void store_count(const conversion& c, std::size_t n, void* to) {
  const auto value = static_cast<T>(n);
  require(to != nullptr, "printf with %{}n gets no address", c.length);
  copy_in(reinterpret_cast<std::uintptr_t>(to), &value, sizeof value);
}

void print_conversion(std::string& to, const conversion& c, format_arguments& a) {
  const std::string width = c.width == "*" ? std::to_string(va_arg(a.list, int)) : c.width;
  std::string precision = c.precision;
  if (precision == ".*") {
    const int given = va_arg(a.list, int);
    precision = given < 0 ? "" : "." + std::to_string(given);
  }
  const std::string spec = "%" + c.flags + width + precision + c.length + c.what;
  if (std::strchr("diouxX", c.what) != nullptr) return print_integer(to, spec, c.length, a);
  if (std::strchr("eEfFgGaA", c.what) != nullptr) {
    if (c.length == "L") return print_one(to, spec, va_arg(a.list, long double));
    return print_one(to, spec, va_arg(a.list, double));
  }
  switch (c.what) {
    case 'c':
      if (c.length == "l") return print_one(to, spec, va_arg(a.list, wint_t));
      // print_one() measures texts, and a zero is a character like others.
      return print_one(to, spec, va_arg(a.list, int));
    case 'p':
      return print_one(to, spec, va_arg(a.list, void*));
    case 'm':
      return print_one(to, "%" + c.flags + width + precision + "s", static_cast<const char*>(std::strerror(errno)));
    case 's':
      return print_text(to, c, spec, precision, va_arg(a.list, const char*));
    case 'n':
      if (c.length == "hh") return store_count<signed char>(c, to.size(), va_arg(a.list, void*));
      if (c.length == "h") return store_count<short>(c, to.size(), va_arg(a.list, void*));
      if (c.length.empty()) return store_count<int>(c, to.size(), va_arg(a.list, void*));
      return store_count<long>(c, to.size(), va_arg(a.list, void*));
    default:
      fail("a format of printf has a conversion that placed programs do not know: %" + std::string(1, c.what));
  }
}

// ---- scanf

std::size_t bytes_of_integer(const std::string& length) {
  if (length == "hh") return 1;
  if (length == "h") return 2;
  return length.empty() ? 4 : 8;
}
std::size_t bytes_of_real(const std::string& length) {
  if (length == "L") return sizeof(long double);
  return length == "l" ? sizeof(double) : sizeof(float);
}

// One conversion by the system's own. False if nothing more can be read; `taken` counts characters.
struct one_scanned {
  int result;  // of fscanf()
  bool whole;  // up to its end
  std::string value;
};
one_scanned scan_one(std::FILE* from, const conversion& c, int& taken) {
  std::string spec = c.before + "%" + (c.suppressed ? "*" : "") + c.width;
  const bool text = c.what == 's' || c.what == '[';
  if (text && !c.suppressed) spec += 'm';
  spec += c.length + (c.what == '[' ? c.set : std::string(1, c.what)) + "%n";
  int characters = -1;
  one_scanned done{0, false, {}};
  if (c.suppressed) {
    done.result = std::fscanf(from, spec.c_str(), &characters);
  } else if (text) {
    char* found = nullptr;
    done.result = std::fscanf(from, spec.c_str(), &found, &characters);
    if (done.result == 1) done.value.assign(found, std::strlen(found) + 1);
    std::free(found);
  } else {
    const bool real = std::strchr("eEfFgGaA", c.what) != nullptr;
    const std::size_t bytes = c.what == 'c'   ? (c.width.empty() ? 1 : std::strtoul(c.width.c_str(), nullptr, 10))
                              : c.what == 'p' ? sizeof(void*)
                              : real          ? bytes_of_real(c.length)
                                              : bytes_of_integer(c.length);
    done.value.resize(std::max<std::size_t>(bytes, 16));
    done.result = std::fscanf(from, spec.c_str(), done.value.data(), &characters);
    done.value.resize(bytes);
  }
  done.whole = characters >= 0;
  if (done.whole) taken += characters;
  return done;
}

std::string count_value(const conversion& c, int taken) {
  const auto n = static_cast<long>(taken);
  return std::string(reinterpret_cast<const char*>(&n), bytes_of_integer(c.length));
}

// A text of both families: `percent` stands for %% in what is before a conversion, and `read_rest` reads one behind its
// %.
std::vector<conversion> conversions_of(const std::string& format, const char* percent,
                                       void (*read_rest)(format_reader& in, conversion& c)) {
  std::vector<conversion> all;
  format_reader in(format);
  conversion c;
  while (in.now() != '\0') {
    if (!in.take_if('%')) {
      c.before += in.take();
    } else if (in.take_if('%')) {
      c.before += percent;
    } else {
      read_rest(in, c);
      all.push_back(std::exchange(c, {}));
    }
  }
  all.push_back(c);
  return all;
}

void read_printf(format_reader& in, conversion& c) {
  c.flags = in.all_of("-+ #0'I");
  c.width = number_or_star(in);
  require(in.now() != '$', "printf with numbered arguments (%1$d) is not for placed programs");
  if (in.take_if('.')) c.precision = "." + number_or_star(in);
  c.length = in.all_of("hlLjztq");
  c.what = in.take();
}

void read_scanf(format_reader& in, conversion& c) {
  c.suppressed = in.take_if('*');
  c.width = in.all_of(digits);
  require(in.now() != 'm' && in.now() != '$', "scanf with %m or numbered arguments is not for placed programs");
  c.length = in.all_of("hlLjztq");
  c.what = in.take();
  if (c.what == '[') c.set = take_set(in);
  require(std::strchr("diouxXeEfFgGaAcspn[", c.what) != nullptr && c.what != '\0',
          "a format of scanf has a conversion that placed programs do not know");
}

}  // namespace

std::vector<conversion> conversions_of_printf(const std::string& format) {
  return conversions_of(format, "%", read_printf);
}

std::vector<conversion> conversions_of_scanf(const std::string& format) {
  return conversions_of(format, "%%", read_scanf);
}

std::string formatted(const std::string& format, format_arguments& arguments) {
  std::string text;
  for (const conversion& c : conversions_of_printf(format)) {
    text += c.before;
    if (c.what != '\0') print_conversion(text, c, arguments);
  }
  return text;
}

scanned scan(std::FILE* from, const std::string& format) {
  scanned all;
  int taken = 0;
  for (const conversion& c : conversions_of_scanf(format)) {
    if (c.what == '\0' || c.what == 'n') {
      if (!c.before.empty()) {
        int characters = -1;
        const int result = std::fscanf(from, (c.before + "%n").c_str(), &characters);
        if (characters < 0) {
          if (result == EOF && all.result == 0) all.result = EOF;
          break;
        }
        taken += characters;
      }
      if (c.what == 'n') all.values.push_back(count_value(c, taken));
      continue;
    }
    one_scanned one = scan_one(from, c, taken);
    if (one.result == 1) {
      ++all.result;
      all.values.push_back(std::move(one.value));
    } else if (!one.whole) {
      if (one.result == EOF && all.result == 0) all.result = EOF;
      break;
    }
  }
  return all;
}

}  // namespace tsubu::placed
