// The command `eulash`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "eulash/command/build.hpp"
#include "eulash/command/options.hpp"
#include "eulash/explain/explain.hpp"
#include "eulash/rewrite/translation.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/standard_output.hpp"

namespace {

using namespace eulash;

// What is refused is told; false if anything is.
bool accepted(const understood& u) {
  for (const refusal& r : u.refused) fmt::print(stderr, "{}\n", told(r));
  return u.refused.empty();
}

int translate_and_build(const std::vector<std::string>& said, bool explain_only, bool explain,
                        const build_options& how) {
  const compiler_words words = sorted(said);
  if (words.files.empty() || !words.refused.empty()) {
    fmt::print(stderr, "eulash: {}\n",
               words.files.empty() ? "there is no C program among the words"
                                   : tsubu::one_line(words.refused) + " is not supported");
    return 2;
  }
  program in(words.files, words.meaning);
  std::optional<understood> u = understand(in);
  if (!u) return 1;
  const std::vector<translated_file> out = translate(in, *u);
  if (!accepted(*u)) return 1;
  if (explain || explain_only) tsubu::write_output(explained(*u->known, *u->proven));
  return explain_only ? 0 : build(out, words, how);
}

}  // namespace

int main(int count, char** words) {
  CLI::App app("Places the threads and the data of a C program with POSIX threads on the processes of a cluster.",
               "eulash");
  app.set_version_flag("--version", "eulash " TSUBU_VERSION);
  app.require_subcommand(1);
  build_options how;
  bool explain = false;
  CLI::App* const cc = app.add_subcommand("cc", "Build a program from C sources, as cc does");
  cc->add_option("-o", how.to, "The program")->capture_default_str();
  cc->add_option("--keep", how.keep, "A folder for the sources that are made, which stay there");
  cc->add_flag("--explain", explain, "Tell where each variable and each allocation is placed, and why");
  cc->add_flag("--verbose", how.verbose, "Tell what is called");
  cc->allow_extras();
  cc->footer("All other words are for the C compiler: sources, -I, -D, -O2 and their like.");
  CLI::App* const only = app.add_subcommand("explain", "Tell where data would be placed, and why; build nothing");
  only->allow_extras();
  only->footer("Its words are sources, and the options of the C compiler that say how they are read.");
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    const bool explain_only = only->parsed();
    return translate_and_build((explain_only ? only : cc)->remaining(), explain_only, explain, how);
  } catch (const std::exception& e) {
    fmt::print(stderr, "eulash: {}\n", tsubu::one_line(e.what()));
    return 1;
  }
}
