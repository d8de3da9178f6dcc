// What `eulash cc` is called with, in the words that C compilers know.
#pragma once

#include <string>
#include <vector>

namespace eulash {

struct compiler_words {
  std::vector<std::string> files;            // *.c, *.C
  std::vector<std::string> with_anl_macros;  // those of them: *.C, or all, if that is said
  bool all_have_anl_macros = false;
  std::vector<std::string> meaning;  // what says how the text is read: -I, -D, -std, -O and their like
  std::vector<std::string> others;   // for the compiler and the linker only
  std::string refused;               // a word that cannot be translated, or ""
};

// `words` without those of eulash's own.
compiler_words sorted(const std::vector<std::string>& words);

}  // namespace eulash
