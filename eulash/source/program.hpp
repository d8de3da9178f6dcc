// The C program that is translated: its files, as they are and as they are changed, and what Clang reads in them.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/Syntax/Tokens.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace eulash {

// A place in a file of the user's.
struct place {
  std::string file;
  unsigned line = 0, column = 0;
};

// `#include` of a file of the user's: where the name stands, with its quotes, and what was found by it.
struct inclusion {
  clang::SourceLocation at;  // of the #
  clang::CharSourceRange name;
  std::string file;
};

// One file with all that it includes. It is there as long as the call that was given it.
struct parsed {
  std::string file;
  clang::ASTContext& ast;
  clang::Preprocessor& preprocessor;
  const clang::syntax::TokenBuffer& tokens;
  const std::vector<inclusion>& inclusions;

  const clang::SourceManager& sources() const { return ast.getSourceManager(); }
  bool is_users(clang::SourceLocation at) const;
  place place_of(clang::SourceLocation at) const;
  // The declarations at the top of the file and of the user's headers.
  std::vector<clang::Decl*> declarations() const;
};

// `#line`: what follows is that line of that file.
std::string line_directive(unsigned line, const std::string& file);

class program {
 public:
  // `flags` are those that say what the text means: -I, -D, -std and their like.
  program(std::vector<std::string> files, std::vector<std::string> flags);

  const std::vector<std::string>& files() const { return files_; }

  // False if Clang has found errors, which it has told, or the file cannot be read; `then` is not called in that case.
  bool parse(const std::string& file, const std::function<void(const parsed&)>& then) const;
  // Each file in turn.
  bool parse_all(const std::function<void(const parsed&)>& then) const;

  // What is read in place of the text that the file has.
  void change(const std::string& file, std::string text) { changed_[file] = std::move(text); }
  // What is read, as it is by now.
  std::string text_of(const std::string& file) const;

 private:
  std::vector<std::string> files_, flags_;
  std::map<std::string, std::string> changed_;
};

}  // namespace eulash
