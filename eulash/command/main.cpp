// The command `eulash`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>

#include "eulash/command/build.hpp"
#include "eulash/command/options.hpp"
#include "eulash/explain/explain.hpp"
#include "eulash/explain/notes.hpp"
#include "eulash/explain/page.hpp"
#include "eulash/rewrite/translation.hpp"
#include "eulash/source/anl.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/standard_output.hpp"

namespace {

using namespace eulash;

// What is refused is told; false if anything is.
bool accepted(const understood& u) {
  for (const refusal& r : u.refused) fmt::print(stderr, "{}\n", told(r));
  return u.refused.empty();
}

struct wishes {
  bool explain = false, build = true;
  std::string profile;  // a file; "": none
  std::string page;     // a file for it; "": none
  build_options how;
};

std::optional<run_profile> profile_in(const std::string& file) {
  if (file.empty()) return std::nullopt;
  std::string why;
  const auto text = tsubu::read_file(file, why);
  if (!text) throw std::runtime_error(fmt::format("--use-profile: {}: {}", file, why));
  try {
    return run_profile(*text);
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(fmt::format("--use-profile: {}: {}", file, e.what()));
  }
}

// The files of the program, and those of its headers that have data.
void write_page(const std::string& to, const program& in, const understood& u, const run_profile* used) {
  std::map<std::string, std::string> texts;
  const auto add = [&](const std::string& file) {
    std::string why;
    if (!texts.contains(file)) texts[file] = tsubu::read_file(file, why).value_or("");
  };
  for (const std::string& file : in.files()) add(file);
  for (const note& n : notes_on(*u.known, *u.proven, used)) add(n.at.file);
  const std::string trouble = tsubu::write_file({to, page_begins, false}, page_of(*u.known, *u.proven, used, texts));
  if (!trouble.empty()) throw std::runtime_error(fmt::format("--html: {}: {}", to, trouble));
}

// The program tells at its end what has come of the profile.
void add_recorded_run(std::vector<translated_file>& out, const run_profile& used, const std::string& file) {
  std::string name;
  for (const char c : tsubu::one_line(file)) name += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  const auto source = std::ranges::find_if(out, [](const translated_file& one) { return !one.is_header; });
  source->text += fmt::format("\nEULASH_RECORDED_RUN(\"{}\", {}, {:.0f}, {:.0f});\n", name, used.processes(),
                              used.took_ns(), used.predicted_ns());
}

// Threads that share data run together, as many in each process as before: told if that changes anything.
void place_threads_of(std::vector<translated_file>& out, const run_profile& used) {
  const int processes = static_cast<int>(used.processes());
  if (used.threads() == 0 || processes < 2) return;
  const thread_places found = place_threads(used.threads(), processes, used.shared());
  if (found.here >= found.in_turn) return;
  std::string told;
  for (std::size_t k = 1; k != found.process_of.size(); ++k)
    told += fmt::format("{}{} in {}", k == 1 ? "" : ", ", k, found.process_of[k]);
  tsubu::write_output(fmt::format(
      "threads on {} processes by what they share, exchanged by pairs: {}: {:.0f} accesses to what is used in "
      "several processes instead of {:.0f} in turn\n",
      processes, told, found.here, found.in_turn));
  const auto source = std::ranges::find_if(out, [](const translated_file& one) { return !one.is_header; });
  source->text += fmt::format("EULASH_THREAD_PLACES({}, {}, {});\n", processes, found.process_of.size(),
                              fmt::join(found.process_of, ", "));
}

int translate_and_build(const std::vector<std::string>& said, const wishes& wanted) {
  const compiler_words words = sorted(said);
  if (words.files.empty() || !words.refused.empty()) {
    fmt::print(stderr, "eulash: {}\n",
               words.files.empty() ? "there is no C program among the words"
                                   : tsubu::one_line(words.refused) + " is not supported");
    return 2;
  }
  const std::optional<run_profile> recorded = profile_in(wanted.profile);
  const run_profile* const used = recorded ? &*recorded : nullptr;
  program in(words.files, words.meaning);
  if (!words.with_anl_macros.empty()) expand_anl_macros(in, words.with_anl_macros, anl_macros());
  std::optional<understood> u = understand(in);
  if (!u) return 1;
  std::vector<translated_file> out = translate(in, *u, used);
  if (!accepted(*u)) return 1;
  if (wanted.explain) tsubu::write_output(explained(*u->known, *u->proven, used));
  if (used != nullptr) {
    tsubu::write_output(changed_by(*u->known, *u->proven, *used));
    add_recorded_run(out, *used, wanted.profile);
    place_threads_of(out, *used);
  }
  if (!wanted.page.empty()) write_page(wanted.page, in, *u, used);
  return wanted.build ? build(out, words, wanted.how) : 0;
}

}  // namespace

int main(int count, char** words) {
  CLI::App app("Places the threads and the data of a C program with POSIX threads on the processes of a cluster.",
               "eulash");
  app.set_version_flag("--version", "eulash " TSUBU_VERSION);
  app.require_subcommand(1);
  wishes wanted;
  CLI::App* const cc = app.add_subcommand("cc", "Build a program from C sources, as cc does");
  cc->add_option("-o", wanted.how.to, "The program")->capture_default_str();
  cc->add_option("--keep", wanted.how.keep, "A folder for the sources that are made, which stay there");
  cc->add_flag("--explain", wanted.explain, "Tell where each variable and each allocation is placed, and why");
  cc->add_flag("--races", wanted.how.races,
               "A program that looks for data races wherever it is simulated, and ends with the two lines of one");
  cc->add_flag("--verbose", wanted.how.verbose, "Tell what is called");
  cc->allow_extras();
  cc->footer(
      "All other words are for the C compiler: sources, -I, -D, -O2 and their like. In sources NAME.C, and with --anl "
      "in "
      "all, the macros of SPLASH's programs (LOCK, BARRIER, CREATE and their like) are expanded first.");
  CLI::App* const only = app.add_subcommand("explain", "Tell where data would be placed, and why; build nothing");
  only->allow_extras();
  only->footer("Its words are sources, and the options of the C compiler that say how they are read.");
  for (CLI::App* const each : {cc, only}) {
    each->add_option("--use-profile", wanted.profile,
                     "What a run with --tsubu-profile=FILE has recorded: data are kept as would have been best there");
    each->add_option("--html", wanted.page, "A file for a page: the sources, with placements beside their lines");
  }
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    if (only->parsed()) {
      wanted.explain = true;
      wanted.build = false;
    }
    return translate_and_build((only->parsed() ? only : cc)->remaining(), wanted);
  } catch (const std::exception& e) {
    fmt::print(stderr, "eulash: {}\n", tsubu::one_line(e.what()));
    return 1;
  }
}
