#include "eulash/command/options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace eulash {

compiler_words sorted(const std::vector<std::string>& words) {
  constexpr auto meaning = std::to_array<std::string_view>({"-I", "-D", "-U", "-include", "-isystem", "-iquote"});
  constexpr auto refused =
      std::to_array<std::string_view>({"-c", "-S", "-E", "-fopenmp", "-shared", "-pie", "-static"});
  // These define macros, by which the text may decide.
  constexpr auto defining = std::to_array<std::string_view>(
      {"-O", "-m", "-ansi", "-pthread", "-ffast-math", "-funsigned-char", "-fsigned-char"});
  compiler_words all;
  for (std::size_t k = 0; k != words.size(); ++k) {
    const std::string& word = words[k];
    const auto begins = [&](std::string_view with) { return word.starts_with(with); };
    if (std::ranges::find(refused, word) != refused.end()) {
      all.refused = word;
    } else if (begins("-std=") || std::ranges::any_of(defining, begins)) {
      all.meaning.push_back(word);
    } else if (std::ranges::any_of(meaning, begins)) {
      all.meaning.push_back(word);
      if (std::ranges::find(meaning, word) != meaning.end() && k + 1 != words.size()) all.meaning.push_back(words[++k]);
    } else if (word == "--anl") {
      all.all_have_anl_macros = true;
    } else if ((word.ends_with(".c") || word.ends_with(".C")) && !begins("-")) {
      all.files.push_back(word);
    } else {
      all.others.push_back(word);
    }
  }
  for (const std::string& file : all.files)
    if (all.all_have_anl_macros || file.ends_with(".C")) all.with_anl_macros.push_back(file);
  return all;
}

}  // namespace eulash
