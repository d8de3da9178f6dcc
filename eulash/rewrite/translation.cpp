#include "eulash/rewrite/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "eulash/rewrite/rewriter.hpp"
#include "eulash/source/inclusions.hpp"

namespace eulash {
namespace {

namespace fs = std::filesystem;

// Replaces the uses of macros in which something might change. False: errors.
bool expand_macros(program& in, const std::string& file) {
  // A use may bring others to light, as macros do that are given to macros; their number is bounded all the same.
  for (int round = 0; round != 100; ++round) {
    edits expanded;
    const bool read = in.parse(file, [&](const parsed& p) {
      edits ignored;
      std::vector<refusal> later;
      editor to(p, ignored, later);
      rewrite(p, decisions(), to, later);
      expanded = to.expanded_macros();
    });
    if (!read) return false;
    if (expanded.files().empty()) return true;
    for (const std::string& changed : expanded.files())
      in.change(changed, expanded.apply(changed, in.text_of(changed)));
  }
  return true;
}

// One reason is enough.
bool is_refused(const understood& u, const place& at) {
  return std::ranges::any_of(u.refused, [&](const refusal& r) {
    return r.at.file == at.file && r.at.line == at.line && r.at.column == at.column;
  });
}

void refuse_outside_calls(understood& u) {
  const facts& f = *u.known;
  for (const outside_call& call : f.outside_calls) {
    if (call.callee >= 0 && f.functions[static_cast<std::size_t>(call.callee)].defined) continue;
    if (is_refused(u, call.at)) continue;
    for (const value v : call.arguments) {
      // Nor may it be told of a function: nobody would know from where that is called.
      const auto shared = std::ranges::find_if(f.values.objects(v), [&](object o) {
        return !u.proven->of(o).is_private() || f.objects[static_cast<std::size_t>(o)].kind == object_kind::function;
      });
      if (shared == f.values.objects(v).end()) continue;
      u.refused.push_back({call.at, fmt::format("this call of {}()", call.name),
                           fmt::format("it gets the address of {}, which may be shared, and is not translated",
                                       f.objects[static_cast<std::size_t>(*shared)].name),
                           "give it a copy in a local variable, or name its source file to eulash cc"});
      break;
    }
  }
}

// Where the lines of the file begin that define a macro by whose name the runtime's header might call something else:
// names with small letters.
std::vector<clang::SourceLocation> small_macros(const parsed& p) {
  const clang::SourceManager& sources = p.sources();
  std::vector<clang::SourceLocation> all;
  for (const auto& [name, state] : p.preprocessor.macros()) {
    if (name->getName().starts_with("_") || name->getName().upper() == name->getName()) continue;
    for (const clang::MacroDirective* d = state.getLatest(); d != nullptr; d = d->getPrevious()) {
      if (!llvm::isa<clang::DefMacroDirective>(d)) continue;
      const clang::SourceLocation at = d->getMacroInfo()->getDefinitionLoc();
      if (sources.getFileID(at) != sources.getMainFileID()) continue;
      const std::size_t behind = sources.getFileOffset(at);
      const std::size_t line_end = sources.getBufferData(sources.getMainFileID()).substr(0, behind).rfind('\n');
      const std::size_t begin = line_end == llvm::StringRef::npos ? 0 : line_end + 1;
      all.push_back(at.getLocWithOffset(static_cast<int>(begin) - static_cast<int>(behind)));
    }
  }
  return all;
}

// Where the runtime's header goes: before the first declaration of the file, what it includes of the user's, or a macro
// that would change the header.
void include_runtime(const parsed& p, edits& to) {
  const clang::SourceManager& sources = p.sources();
  const clang::FileID main_file = sources.getMainFileID();
  clang::SourceLocation first;
  const auto consider = [&](clang::SourceLocation at) {
    at = sources.getExpansionLoc(at);
    if (sources.getFileID(at) != main_file) return;
    if (first.isInvalid() || sources.getFileOffset(at) < sources.getFileOffset(first)) first = at;
  };
  for (const clang::Decl* d : p.declarations()) consider(d->getBeginLoc());
  for (const inclusion& i : p.inclusions) consider(i.at);
  for (const clang::SourceLocation at : small_macros(p)) consider(at);
  if (first.isInvalid()) return;
  const unsigned offset = sources.getFileOffset(first);
  const place shown = p.place_of(first);
  const std::string include = "\n#include \"tsubu/eulash/program.h\"\n";
  to.wrap(p.file, offset, offset, include + line_directive(shown.line, shown.file), "");
}

class name_giver {
 public:
  const std::string& name_of(const std::string& file, bool is_header) {
    const auto [at, is_new] = names_.try_emplace(file);
    if (!is_new) return at->second;
    const std::string stem = fs::path(file).stem().string();
    std::string name;
    for (int k = 1; name.empty() || !taken_.insert(name).second; ++k)
      name = fmt::format("{}{}.eulash.{}", stem, k == 1 ? "" : fmt::format("_{}", k), is_header ? "h" : "c");
    return at->second = name;
  }

 private:
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace

std::optional<understood> understand(program& in) {
  understood u;
  if (!separate_inclusions(in)) return std::nullopt;
  for (const std::string& file : in.files()) {
    if (!in.parse(file, [&](const parsed& p) { refuse_constructs(p, u.refused); })) return std::nullopt;
    if (!expand_macros(in, file)) return std::nullopt;
  }
  if (!in.parse_all([&](const parsed& p) { collect(p, *u.known); })) return std::nullopt;
  solve(*u.known);
  u.proven = std::make_unique<shared_objects>(*u.known);
  refuse_outside_calls(u);
  return u;
}

std::vector<translated_file> translate(const program& in, understood& what, const run_profile* recorded) {
  edits changes;
  name_giver names;
  std::map<std::string, std::string> headers;
  for (const std::string& file : in.files()) names.name_of(file, false);
  const decisions d(*what.known, *what.proven, recorded);
  in.parse_all([&](const parsed& p) {
    editor to(p, changes, what.refused);
    rewrite(p, d, to, what.refused);
    for (const std::string& missed : to.expanded_macros().files())
      what.refused.push_back(
          {{missed, 1, 1}, "a use of a macro", "it could not be replaced by what it stands for", "write it out"});
    include_runtime(p, changes);
    for (const inclusion& i : p.inclusions) {
      const std::string& name = headers[i.file] = names.name_of(i.file, true);
      const auto [in_file, begin] = p.sources().getDecomposedLoc(i.name.getBegin());
      const auto entry = p.sources().getFileEntryRefForID(in_file);
      if (entry)
        changes.replace(entry->getName().str(), begin, p.sources().getFileOffset(i.name.getEnd()), '"' + name + '"');
    }
  });
  std::vector<translated_file> all;
  const auto add = [&](const std::string& file, bool is_header) {
    all.push_back({file, names.name_of(file, is_header),
                   line_directive(1, file) + changes.apply(file, in.text_of(file)), is_header});
  };
  for (const std::string& file : in.files()) add(file, false);
  for (const auto& [file, name] : headers) add(file, true);
  return all;
}

}  // namespace eulash
