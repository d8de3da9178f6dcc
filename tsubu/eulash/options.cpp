// <getopt.h> of a placed program (libc.h): the C library reads copies of the words, and what it finds in them is told
// as a part of the words themselves.
#include <getopt.h>

#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/text.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::placed {
namespace {

// The library remembers addresses in these from call to call.
struct copied_words {
  std::map<char*, std::string> all;  // by the words' own addresses
};
const pe_local<copied_words> copies_here;

// What a program says of a long option that is stored, or not, when it is found.
struct long_options {
  std::vector<option> theirs, ours;  // ours: each with its index as value, and stored nowhere
  std::vector<std::string> names;
};

constexpr int first_long = 1 << 20;  // what is found from there on is a long option's index

long_options read_long_options(const option* from) {
  long_options read;
  for (; from != nullptr; ++from) {
    option one;
    copy_out(reinterpret_cast<std::uintptr_t>(from), &one, sizeof one);
    if (one.name == nullptr) break;
    read.theirs.push_back(one);
    read.names.push_back(text_at(one.name));
  }
  for (std::size_t k = 0; k != read.theirs.size(); ++k)
    read.ours.push_back({read.names[k].c_str(), read.theirs[k].has_arg, nullptr, first_long + static_cast<int>(k)});
  read.ours.push_back({nullptr, 0, nullptr, 0});
  return read;
}

// The library's call on the copies: `call(count, copies)`.
template <class F>
int call_with_copies(int count, char* const* words, F call) {
  const auto bytes = static_cast<std::size_t>(count) * sizeof(char*);
  std::vector<char*> theirs(static_cast<std::size_t>(count));
  copy_out(reinterpret_cast<std::uintptr_t>(words), theirs.data(), bytes);
  std::vector<char*> ours;
  std::map<char*, char*> theirs_of;
  for (char* const word : theirs) {
    const auto at = copies_here->all.try_emplace(word, text_at(word)).first;
    ours.push_back(at->second.data());
    theirs_of[at->second.data()] = word;
  }
  ours.push_back(nullptr);
  const int found = call(count, ours.data());
  // It may have moved words that are no options behind the others.
  for (std::size_t k = 0; k != theirs.size(); ++k) theirs[k] = theirs_of[ours[k]];
  copy_in(reinterpret_cast<std::uintptr_t>(words), theirs.data(), bytes);
  if (optarg != nullptr) {
    const auto behind = theirs_of.upper_bound(optarg);
    if (behind != theirs_of.begin()) {
      const auto [copy, word] = *std::prev(behind);
      if (optarg <= copy + std::strlen(copy)) optarg = word + (optarg - copy);
    }
  }
  return found;
}

}  // namespace
}  // namespace tsubu::placed

using namespace tsubu::placed;

extern "C" {

int eulash_getopt(int count, char* const* words, const char* letters) {
  const std::string known = text_at(letters);
  return call_with_copies(count, words, [&](int n, char** copies) { return getopt(n, copies, known.c_str()); });
}

int eulash_getopt_long(int count, char* const* words, const char* letters, const option* names, int* which) {
  const std::string known = text_at(letters);
  const long_options wanted = read_long_options(names);
  const int found = call_with_copies(count, words, [&](int n, char** copies) {
    return getopt_long(n, copies, known.c_str(), wanted.ours.data(), nullptr);
  });
  if (found < first_long) return found;
  const int index = found - first_long;
  const option& is = wanted.theirs[static_cast<std::size_t>(index)];
  if (which != nullptr) eulash_store(which, &index, sizeof index);
  if (is.flag == nullptr) return is.val;
  eulash_store(is.flag, &is.val, sizeof is.val);
  return 0;
}

}  // extern "C"
