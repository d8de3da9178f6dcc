#include "eulash/rewrite/editor.hpp"

#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include <algorithm>

namespace eulash {

std::string editor::name_of(clang::FileID file) const {
  const auto entry = p_.sources().getFileEntryRefForID(file);
  return entry ? entry->getName().str() : std::string();
}

bool editor::is_users_macro(clang::SourceLocation use) const {
  llvm::SmallVector<char, 64> room;
  const std::string name = clang::Lexer::getSpelling(use, room, p_.sources(), p_.ast.getLangOpts()).str();
  const clang::IdentifierInfo* known = p_.preprocessor.getIdentifierInfo(name);
  const clang::MacroInfo* macro = p_.preprocessor.getMacroDefinitionAtLoc(known, use).getMacroInfo();
  // A failed assert shows the text that it was given, so that nothing may change there.
  if (name == "assert") return true;
  return macro != nullptr && !macro->isBuiltinMacro() && !p_.sources().isInSystemHeader(macro->getDefinitionLoc());
}

bool editor::is_of_system_macro(clang::SourceLocation at) const {
  if (!at.isMacroID()) return false;
  const clang::SourceLocation use = p_.sources().getExpansionRange(at).getBegin();
  return !is_users_macro(use) && p_.sources().getFileLoc(at) == use;
}

void editor::expand(clang::SourceLocation use) {
  const clang::syntax::Token* name = p_.tokens.spelledTokenContaining(use);
  if (name == nullptr) return refuse(use);
  const auto expansion = p_.tokens.expansionStartingAt(name);
  if (!expansion) return refuse(use);
  std::string text;
  for (const clang::syntax::Token& t : expansion->Expanded) {
    if (!text.empty()) text += ' ';
    text += t.text(p_.sources()).str();
  }
  const auto [file, begin] = p_.sources().getDecomposedLoc(use);
  const unsigned end = p_.sources().getFileOffset(expansion->Spelled.back().endLocation());
  const llvm::StringRef whole = p_.sources().getBufferData(file);
  text.append(static_cast<std::size_t>(whole.substr(begin, end - begin).count('\n')), '\n');
  expanded_.replace(name_of(file), begin, end, text);
}

void editor::refuse(clang::SourceLocation at) {
  const clang::SourceLocation use = p_.sources().getFileLoc(at);
  llvm::SmallVector<char, 64> room;
  const std::string name = clang::Lexer::getSpelling(use, room, p_.sources(), p_.ast.getLangOpts()).str();
  refused_.push_back({p_.place_of(use), fmt::format("the macro {} of a header of the system's", name),
                      "what it does with memory that may be shared is not in the program", "call a function instead"});
}

editor::found editor::in_file(clang::SourceLocation at, bool is_end) const {
  auto [file, offset] = p_.sources().getDecomposedLoc(at);
  if (is_end) offset += clang::Lexer::MeasureTokenLength(at, p_.sources(), p_.ast.getLangOpts());
  return {true, file, offset, false};
}

editor::found editor::boundary(clang::SourceLocation at, bool is_end) {
  if (at.isFileID()) return in_file(at, is_end);
  const clang::SourceManager& sources = p_.sources();
  const clang::CharSourceRange use = sources.getExpansionRange(at);
  if (!is_users_macro(use.getBegin())) {
    const clang::SourceLocation spelled = sources.getFileLoc(at);
    if (spelled == use.getBegin()) return in_file(is_end ? use.getEnd() : use.getBegin(), is_end);
    found argument = in_file(spelled, is_end);
    argument.of_argument = true;
    return argument;
  }
  clang::SourceLocation outer;
  const clang::LangOptions& language = p_.ast.getLangOpts();
  if (is_end ? clang::Lexer::isAtEndOfMacroExpansion(at, sources, language, &outer)
             : clang::Lexer::isAtStartOfMacroExpansion(at, sources, language, &outer)) {
    if (outer.isFileID()) return in_file(outer, is_end);
  }
  expand(use.getBegin());
  return {};
}

void editor::wrap(clang::SourceRange range, std::string before, std::string after) {
  const found begin = begin_of(range.getBegin()), end = end_of(range.getEnd());
  if (!begin.is_there || !end.is_there) return;
  if (begin.file != end.file || begin.of_argument != end.of_argument || begin.offset >= end.offset)
    return refuse(range.getBegin());
  to_.wrap(name_of(begin.file), begin.offset, end.offset, std::move(before), std::move(after));
}

void editor::replace(clang::SourceLocation token, std::string text) {
  const clang::SourceManager& sources = p_.sources();
  if (token.isMacroID()) {
    const clang::SourceLocation use = sources.getExpansionRange(token).getBegin();
    if (is_users_macro(use)) return expand(use);
    if (sources.getFileLoc(token) == use) return refuse(token);
    token = sources.getFileLoc(token);
  }
  const found begin = in_file(token, false), end = in_file(token, true);
  to_.replace(name_of(begin.file), begin.offset, end.offset, std::move(text));
}

void editor::insert_before(clang::SourceLocation token, std::string text) {
  const found at = begin_of(token);
  if (at.is_there) to_.wrap(name_of(at.file), at.offset, at.offset, std::move(text), "");
}

void editor::insert_after_declaration(clang::SourceLocation last_token, std::string text) {
  const found last = end_of(last_token);
  if (!last.is_there) return;
  const clang::SourceManager& sources = p_.sources();
  const llvm::StringRef all = sources.getBufferData(last.file);
  // From behind the last token: what begins at its last character may be another one, as at the end of a string.
  clang::Lexer rest(sources.getLocForStartOfFile(last.file), p_.ast.getLangOpts(), all.begin(),
                    all.begin() + last.offset, all.end());
  clang::Token next;
  for (int depth = 0; depth != 0 || next.isNot(clang::tok::semi);) {
    rest.LexFromRawLexer(next);
    if (next.is(clang::tok::eof)) return;
    if (next.isOneOf(clang::tok::l_brace, clang::tok::l_paren, clang::tok::l_square)) ++depth;
    if (next.isOneOf(clang::tok::r_brace, clang::tok::r_paren, clang::tok::r_square)) --depth;
  }
  const unsigned behind = sources.getFileOffset(next.getLocation()) + next.getLength();
  to_.wrap(name_of(last.file), behind, behind, std::move(text), "");
}

std::string editor::text_of(clang::SourceRange range) const {
  const clang::CharSourceRange in_files =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), p_.sources(), p_.ast.getLangOpts());
  return clang::Lexer::getSourceText(in_files, p_.sources(), p_.ast.getLangOpts()).str();
}

}  // namespace eulash
