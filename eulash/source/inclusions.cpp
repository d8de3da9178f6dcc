#include "eulash/source/inclusions.hpp"

#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "eulash/source/edits.hpp"

namespace eulash {
namespace {

class separator {
 public:
  // `number`: of the copies so far.
  separator(const parsed& p, program& to, int& number) : p_(p), to_(to), number_(number) {
    const clang::SourceManager& sources = p.sources();
    for (unsigned k = 0; k != sources.local_sloc_entry_size(); ++k) {
      const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(k);
      if (!entry.isFile() || entry.getFile().getIncludeLoc().isInvalid()) continue;
      entered_[entry.getFile().getIncludeLoc()] =
          sources.getFileID(clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
    }
  }

  // The text of a file that was read, with the names of copies in it.
  std::string text_of(clang::FileID file) {
    const clang::SourceManager& sources = p_.sources();
    edits changes;
    for (const inclusion& i : p_.inclusions) {
      if (sources.getFileID(i.at) != file) continue;
      const clang::SourceLocation begin = i.name.getBegin();
      const clang::CharSourceRange use = sources.getExpansionRange(begin);
      const unsigned from = sources.getFileOffset(use.getBegin());
      const unsigned to = begin.isMacroID()
                              ? sources.getFileOffset(use.getEnd()) +
                                    clang::Lexer::MeasureTokenLength(use.getEnd(), sources, p_.ast.getLangOpts())
                              : sources.getFileOffset(i.name.getEnd());
      const auto there = entered_.find(begin.isMacroID() ? use.getEnd() : begin);
      if (there == entered_.end()) {
        // It is there already, and would have been left out.
        changes.replace("", sources.getFileOffset(i.at), to, "");
      } else {
        changes.replace("", from, to, '"' + copy_of(there->second, i.file) + '"');
      }
    }
    return changes.apply("", sources.getBufferData(file).str());
  }

 private:
  std::string copy_of(clang::FileID file, const std::string& name) {
    const std::string copy = fmt::format("/eulash/{}/{}", ++number_, std::filesystem::path(name).filename().string());
    to_.change(copy, line_directive(1, name) + text_of(file));
    return copy;
  }

  const parsed& p_;
  program& to_;
  int& number_;
  std::map<clang::SourceLocation, clang::FileID> entered_;
};

}  // namespace

bool separate_inclusions(program& in) {
  int number = 0;
  for (const std::string& file : in.files()) {
    std::string text;
    const auto separate = [&](const parsed& p) {
      text = separator(p, in, number).text_of(p.sources().getMainFileID());
    };
    if (!in.parse(file, separate)) return false;
    in.change(file, text);
  }
  return true;
}

}  // namespace eulash
