// Changes to the texts of a program: text around a range of tokens, and other text for a token.
//
// Ranges nest as expressions do, so that the order in which they are given does not matter: the outer one's text comes
// first. No line is added or lost. The same change, given twice, is made once: a header is read once for each file that
// includes it, and an argument of a macro may be evaluated twice.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace eulash {

class edits {
 public:
  void wrap(const std::string& file, unsigned begin, unsigned end, std::string before, std::string after);
  void replace(const std::string& file, unsigned begin, unsigned end, std::string text);

  // All that changes in `file`, made in its text.
  std::string apply(const std::string& file, const std::string& text) const;
  std::vector<std::string> files() const;
  // The text from `begin` to `end` with those changes that are within.
  std::string apply_within(const std::string& file, const std::string& text, unsigned begin, unsigned end) const;

 private:
  struct around {
    unsigned begin, end;
    int order;  // among those of the same range: the first is the outer one
    std::string before, after;
  };
  struct of_file {
    std::vector<around> wraps;
    std::set<std::tuple<unsigned, unsigned, std::string, std::string>> known;
    std::map<unsigned, std::pair<unsigned, std::string>> replacements;  // by where they begin: end and text
  };
  std::map<std::string, of_file> files_;
};

}  // namespace eulash
