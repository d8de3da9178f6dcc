#include "abcl/command/document.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>

#include "abcl/command/build.hpp"
#include "abcl/doc/doc.hpp"
#include "tsubu/base/standard_output.hpp"

namespace abcl {
namespace {

namespace fs = std::filesystem;

// Those that are named first: only there is a Main, which is left out where others use the file.
std::vector<documented_file> each_once(const std::vector<std::vector<documented_file>>& programs) {
  std::vector<documented_file> all;
  std::set<std::string> seen;
  const auto add = [&](const documented_file& f) {
    std::error_code trouble;
    const fs::path path = fs::weakly_canonical(f.name, trouble);
    if (seen.insert(trouble ? f.name : path.string()).second) all.push_back(f);
  };
  for (const auto& files : programs) add(files.front());
  for (const auto& files : programs) {
    for (const documented_file& f : files) add(f);
  }
  return all;
}

}  // namespace

int document_files(const std::vector<std::string>& paths, const std::string& to, bool html) {
  std::vector<std::vector<documented_file>> programs;
  int errors = 0;
  for (const std::string& path : paths) {
    const loaded l = load(path);
    errors += l.said.errors();
    if (l.said.any_errors()) {
      for (const diagnostic& d : l.said.all()) fmt::print(stderr, "{}\n", shown(d, l.texts, isatty(2) != 0));
    } else {
      programs.push_back(documented(l));
    }
  }
  if (errors > 0) return 1;

  const auto written = [&](const std::vector<documented_file>& files) {
    return html ? as_html(files) : as_markdown(files);
  };
  if (to.empty()) {
    tsubu::write_output(written(each_once(programs)));
  } else if (!to.ends_with('/') && !fs::is_directory(to)) {
    write(to, written(each_once(programs)));
  } else {
    fs::create_directories(to);
    std::set<fs::path> made;
    for (const auto& files : programs) {
      fs::path page = fs::path(to) / fs::path(files.front().name).stem();
      page += html ? ".html" : ".md";
      if (!made.insert(page).second)
        throw std::runtime_error(fmt::format("{}: two of the programs would be written there", page.string()));
      write(page.string(), written(files));
    }
  }
  return 0;
}

}  // namespace abcl
