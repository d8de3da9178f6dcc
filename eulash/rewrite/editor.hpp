// Changes where Clang says that expressions are: finds the places in the files, also where macros are expanded.
//
// What comes from a macro of the user's cannot be changed where it stands, since the macro is used elsewhere too: its
// use is noted, to be replaced by the tokens that it stands for, and the file is read again. An argument of a macro of
// the system's is changed where it stands; the rest of such a macro cannot be changed.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "eulash/refuse/refusal.hpp"
#include "eulash/source/edits.hpp"
#include "eulash/source/program.hpp"

namespace eulash {

class editor {
 public:
  editor(const parsed& p, edits& to, std::vector<refusal>& refused) : p_(p), to_(to), refused_(refused) {}

  void wrap(clang::SourceRange range, std::string before, std::string after);
  void replace(clang::SourceLocation token, std::string text);
  void insert_before(clang::SourceLocation token, std::string text);
  // Behind the next `;` that ends the declaration that ends there.
  void insert_after_declaration(clang::SourceLocation last_token, std::string text);

  void wrap_offsets(clang::FileID file, unsigned begin, unsigned end, std::string before, std::string after) {
    to_.wrap(name_of(file), begin, end, std::move(before), std::move(after));
  }

  // The text of a range, as it stands.
  std::string text_of(clang::SourceRange range) const;
  // Uses of macros, and what they stand for, as changes of their own.
  const edits& expanded_macros() const { return expanded_; }
  // Whether it comes from the text of a macro of the system's, and not from what that was given.
  bool is_of_system_macro(clang::SourceLocation at) const;

 private:
  struct found {
    bool is_there = false;
    clang::FileID file;
    unsigned offset = 0;
    bool of_argument = false;
  };

  found begin_of(clang::SourceLocation at) { return boundary(at, false); }
  found end_of(clang::SourceLocation at) { return boundary(at, true); }
  found boundary(clang::SourceLocation at, bool is_end);
  found in_file(clang::SourceLocation at, bool is_end) const;
  bool is_users_macro(clang::SourceLocation use) const;
  void expand(clang::SourceLocation use);
  void refuse(clang::SourceLocation at);
  std::string name_of(clang::FileID file) const;

  const parsed& p_;
  edits& to_;
  std::vector<refusal>& refused_;
  edits expanded_;
};

}  // namespace eulash
