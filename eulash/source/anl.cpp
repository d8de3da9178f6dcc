#include "eulash/source/anl.hpp"

#include <fmt/format.h>
#include <llvm/Support/Program.h>

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "tsubu/base/files.hpp"
#include "tsubu/base/leftovers.hpp"

namespace eulash {
namespace {

namespace fs = std::filesystem;

// What the macros need, whatever the program includes and where.
constexpr std::string_view headers =
    "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/time.h>\n";

std::string expanded(const std::string& file, const std::string& macros) {
  const auto m4 = llvm::sys::findProgramByName("m4");
  if (!m4) throw std::runtime_error(fmt::format("{}: its macros need m4, which is not there (Debian: m4)", file));
  const tsubu::temporary_folder folder((fs::temp_directory_path() / "eulash-").string());
  const std::string made = folder.path() + "/made";
  // With the names of its own functions m4 would take those of the program; -s tells the lines of the files.
  const std::vector<llvm::StringRef> called{*m4, "-P", "-s", macros, file};
  const std::optional<llvm::StringRef> streams[] = {"", made, std::nullopt};
  std::string why;
  const int code = llvm::sys::ExecuteAndWait(*m4, called, std::nullopt, streams, 0, 0, &why);
  if (code != 0)
    throw std::runtime_error(fmt::format("{}: m4 ends with {}{}", file, code, why.empty() ? "" : ": " + why));
  const std::optional<std::string> text = tsubu::read_file(made, why);
  if (!text) throw std::runtime_error(fmt::format("{}: {}", made, why));
  return *text;
}

}  // namespace

void expand_anl_macros(program& in, const std::vector<std::string>& files, const std::string& macros) {
  for (const std::string& file : files) {
    in.change(file, std::string(headers) + expanded(file, macros));
    const fs::path folder = fs::path(file).parent_path();
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder)) {
      if (entry.path().extension() != ".H") continue;
      const fs::path header = folder / entry.path().filename();
      const std::string as_included = fs::path(header).replace_extension(".h").string();
      if (!fs::exists(as_included)) in.change(as_included, expanded(header.string(), macros));
    }
  }
}

}  // namespace eulash
