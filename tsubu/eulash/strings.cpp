// <string.h> and what <stdlib.h> has for texts and arrays, on shared memory (libc.h).
#include <strings.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/races.hpp"
#include "tsubu/eulash/text.hpp"

namespace tsubu::placed {
namespace {

std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
bool plain(const void* p) { return is_plain(address_of(p)); }

// What the system found in the copy of a text, as an address in the text.
template <class T>
char* moved(const char* text, const std::string& copy, const T* found) {
  if (found == nullptr) return nullptr;
  return const_cast<char*>(text) + (reinterpret_cast<const char*>(found) - copy.c_str());
}

// A number from a text, by the system's function, and where it ended.
template <class R, class F>
R number_in(const char* text, char** end, F convert) {
  const std::string copy = text_at(text);
  char* stopped = nullptr;
  const R value = convert(copy.c_str(), &stopped);
  if (end != nullptr) {
    char* const there = moved(text, copy, stopped);
    eulash_store(end, &there, sizeof there);
  }
  return value;
}

constexpr std::size_t copied_at_once = std::size_t{1} << 20;

}  // namespace
}  // namespace tsubu::placed

using namespace tsubu::placed;

extern "C" {

void* eulash_memcpy(void* to, const void* from, std::size_t n) { return eulash_memmove(to, from, n); }

void* eulash_memmove(void* to, const void* from, std::size_t n) {
  accesses(from, n, false);
  accesses(to, n, true);
  if (plain(to) && plain(from)) return std::memmove(to, from, n);
  if (n == 0) return to;
  if (plain(from)) {
    copy_in(address_of(to), from, n);
  } else if (plain(to)) {
    copy_out(address_of(from), to, n);
  } else {
    // In parts: forwards, or backwards where what is written lies behind what is yet to be read.
    const bool backwards = address_of(to) > address_of(from) && address_of(to) < address_of(from) + n;
    std::vector<char> part(std::min(n, copied_at_once));
    for (std::size_t done = 0; done < n;) {
      const std::size_t bytes = std::min(part.size(), n - done);
      const std::size_t at = backwards ? n - done - bytes : done;
      copy_out(address_of(from) + at, part.data(), bytes);
      copy_in(address_of(to) + at, part.data(), bytes);
      done += bytes;
    }
  }
  return to;
}

void* eulash_memset(void* to, int byte, std::size_t n) {
  accesses(to, n, true);
  if (plain(to)) return std::memset(to, byte, n);
  const std::vector<char> part(std::min(n, copied_at_once), static_cast<char>(byte));
  for (std::size_t done = 0; done < n; done += part.size()) {
    copy_in(address_of(to) + done, part.data(), std::min(part.size(), n - done));
  }
  return to;
}

int eulash_memcmp(const void* a, const void* b, std::size_t n) {
  return std::memcmp(private_range(a, n).data(), private_range(b, n).data(), n);
}

void* eulash_memchr(const void* in, int byte, std::size_t n) {
  const private_range copy(in, n);
  const auto* const found = static_cast<const char*>(std::memchr(copy.data(), byte, n));
  return found == nullptr ? nullptr : const_cast<char*>(static_cast<const char*>(in)) + (found - copy.data());
}

std::size_t eulash_strlen(const char* text) { return length_at(text); }
std::size_t eulash_strnlen(const char* text, std::size_t most) { return length_at(text, most); }

char* eulash_strcpy(char* to, const char* from) {
  store_text(to, text_at(from));
  return to;
}
char* eulash_strncpy(char* to, const char* from, std::size_t n) {
  std::string text = text_at(from, n);
  text.resize(n);
  accesses(to, n, true);
  copy_in(address_of(to), text.data(), n);
  return to;
}
char* eulash_strcat(char* to, const char* from) {
  const std::string text = text_at(from);
  store_text(to + length_at(to), text);
  return to;
}
char* eulash_strncat(char* to, const char* from, std::size_t n) {
  const std::string text = text_at(from, n);
  store_text(to + length_at(to), text);
  return to;
}

int eulash_strcmp(const char* a, const char* b) {
  if (plain(a) && plain(b)) return std::strcmp(a, b);
  return std::strcmp(text_at(a).c_str(), text_at(b).c_str());
}
int eulash_strncmp(const char* a, const char* b, std::size_t n) {
  if (plain(a) && plain(b)) return std::strncmp(a, b, n);
  return std::strncmp(text_at(a, n).c_str(), text_at(b, n).c_str(), n);
}
int eulash_strcasecmp(const char* a, const char* b) { return ::strcasecmp(text_at(a).c_str(), text_at(b).c_str()); }
int eulash_strncasecmp(const char* a, const char* b, std::size_t n) {
  return ::strncasecmp(text_at(a, n).c_str(), text_at(b, n).c_str(), n);
}

char* eulash_strchr(const char* text, int c) {
  const std::string copy = text_at(text);
  return moved(text, copy, std::strchr(copy.c_str(), c));
}
char* eulash_strrchr(const char* text, int c) {
  const std::string copy = text_at(text);
  return moved(text, copy, std::strrchr(copy.c_str(), c));
}
char* eulash_strstr(const char* text, const char* part) {
  const std::string copy = text_at(text);
  return moved(text, copy, std::strstr(copy.c_str(), text_at(part).c_str()));
}
char* eulash_strpbrk(const char* text, const char* any) {
  const std::string copy = text_at(text);
  return moved(text, copy, std::strpbrk(copy.c_str(), text_at(any).c_str()));
}
std::size_t eulash_strspn(const char* text, const char* of) {
  return std::strspn(text_at(text).c_str(), text_at(of).c_str());
}
std::size_t eulash_strcspn(const char* text, const char* of) {
  return std::strcspn(text_at(text).c_str(), text_at(of).c_str());
}

char* eulash_strtok_r(char* text, const char* separators, char** rest) {
  const std::string any = text_at(separators);
  if (text == nullptr) copy_out(address_of(rest), &text, sizeof text);
  if (text == nullptr) return nullptr;
  const std::string copy = text_at(text);
  const std::size_t begin = copy.find_first_not_of(any);
  char* token = nullptr;
  char* behind = nullptr;
  if (begin != std::string::npos) {
    token = text + begin;
    const std::size_t end = copy.find_first_of(any, begin);
    if (end != std::string::npos) {
      const char zero = '\0';
      accesses(text + end, 1, true);
      eulash_store(text + end, &zero, 1);
      behind = text + end + 1;
    }
  }
  eulash_store(rest, &behind, sizeof behind);
  return token;
}

void eulash_qsort(void* first, std::size_t count, std::size_t each, int (*order)(const void*, const void*)) {
  accesses(first, count * each, true);
  if (plain(first)) return std::qsort(first, count, each, order);
  std::vector<char> copy(count * each);
  copy_out(address_of(first), copy.data(), copy.size());
  std::qsort(copy.data(), count, each, order);
  copy_in(address_of(first), copy.data(), copy.size());
}

void* eulash_bsearch(const void* key, const void* first, std::size_t count, std::size_t each,
                     int (*order)(const void*, const void*)) {
  if (plain(first)) return std::bsearch(key, first, count, each, order);
  const private_range copy(first, count * each);
  const auto* const found = static_cast<const char*>(std::bsearch(key, copy.data(), count, each, order));
  return found == nullptr ? nullptr : const_cast<char*>(static_cast<const char*>(first)) + (found - copy.data());
}

int eulash_atoi(const char* text) { return static_cast<int>(eulash_strtol(text, nullptr, 10)); }
long eulash_atol(const char* text) { return eulash_strtol(text, nullptr, 10); }
long long eulash_atoll(const char* text) { return eulash_strtoll(text, nullptr, 10); }
double eulash_atof(const char* text) { return eulash_strtod(text, nullptr); }

long eulash_strtol(const char* text, char** end, int base) {
  return number_in<long>(text, end, [base](const char* t, char** e) { return std::strtol(t, e, base); });
}
unsigned long eulash_strtoul(const char* text, char** end, int base) {
  return number_in<unsigned long>(text, end, [base](const char* t, char** e) { return std::strtoul(t, e, base); });
}
long long eulash_strtoll(const char* text, char** end, int base) {
  return number_in<long long>(text, end, [base](const char* t, char** e) { return std::strtoll(t, e, base); });
}
unsigned long long eulash_strtoull(const char* text, char** end, int base) {
  return number_in<unsigned long long>(text, end,
                                       [base](const char* t, char** e) { return std::strtoull(t, e, base); });
}
double eulash_strtod(const char* text, char** end) {
  return number_in<double>(text, end, [](const char* t, char** e) { return std::strtod(t, e); });
}

}  // extern "C"
