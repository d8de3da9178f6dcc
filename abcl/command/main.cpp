// The command `abcl`.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>

#include "abcl/command/build.hpp"
#include "abcl/command/document.hpp"
#include "abcl/command/machine.hpp"
#include "abcl/cpp/cpp.hpp"
#include "abcl/format/format.hpp"
#include "abcl/load/files.hpp"
#include "abcl/machine/trace.hpp"
#include "abcl/repl/prompt.hpp"
#include "abcl/server/server.hpp"
#include "abcl/text/catalog.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/standard_output.hpp"

namespace {

using namespace abcl;
using tsubu::one_line;

// The first of them: who gets more mends these first.
void show(const loaded& l) {
  constexpr std::size_t most = 50;
  const std::vector<diagnostic>& all = l.said.all();
  const std::size_t count = std::min(all.size(), most);
  for (std::size_t i = 0; i < count; ++i) fmt::print(stderr, "{}\n", shown(all[i], l.texts, isatty(2) != 0));
  if (count < all.size()) fmt::print(stderr, "and {} more behind them\n\n", all.size() - count);
}

int check_files(const std::vector<std::string>& paths) {
  // Nobody takes a program apart again that the process is about to forget: that took a quarter of the time.
  static auto* const checked = new std::deque<loaded>;
  int errors = 0;
  for (const std::string& path : paths) {
    loaded& l = checked->emplace_back(load(path));
    if (!l.said.any_errors() && l.checked->find_class("Main") != nullptr) require_main(l);
    show(l);
    errors += l.said.errors();
    if (l.said.any_errors())
      fmt::print(stderr, "{}: {} error{}\n", one_line(path), l.said.errors(), l.said.errors() == 1 ? "" : "s");
  }
  return errors == 0 ? 0 : 1;
}

// In place, or to the standard output what comes from the standard input.
int format_files(const std::vector<std::string>& paths, bool only_check) {
  int others = 0;
  for (const std::string& path : paths) {
    const loaded l = load(path);
    const source& from = l.texts.all().front();
    if (l.unreadable) {
      show(l);
      fmt::print(stderr, "{}: its brackets do not fit, so it is left as it is\n", one_line(path));
      ++others;
      continue;
    }
    const std::string text = formatted(from, l.read.front());
    if (path == "-") {
      tsubu::write_output(text);
    } else if (text != from.text()) {
      ++others;
      tsubu::write_output(path + "\n");
      if (only_check) continue;
      --others;
      write(path, text);
    }
  }
  return others == 0 ? 0 : 1;
}

int explain(const std::string& name) {
  if (name.empty()) {
    for (const explanation& e : explanations())
      tsubu::write_output(fmt::format("{}  {}\n", name_of(e.number), e.title));
    return 0;
  }
  const bool shaped = name.size() == 4 && std::strchr("EWew", name[0]) != nullptr;
  const explanation* const found = shaped ? find_explanation(std::atoi(name.c_str() + 1)) : nullptr;
  if (found == nullptr) {
    fmt::print(stderr, "abcl: there is no error {}; `abcl explain` lists them\n", one_line(name));
    return 2;
  }
  tsubu::write_output(fmt::format("{}: {}\n\n{}\n", name_of(found->number), found->title, found->text));
  return 0;
}

void add_foreign(const loaded& l, build_options& how) {
  const foreign_parts parts = foreign_parts_of(*l.checked, l.texts);
  how.with.insert(how.with.end(), parts.words.begin(), parts.words.end());
  how.headers = parts.headers;
}

// The program, which has the class `start`; nothing if it has errors. Those, and warnings, are shown.
std::optional<loaded> to_run(const std::string& path, const std::string& start = "Main", bool quiet = false) {
  loaded l = load(path);
  if (!l.said.any_errors() && start == "Main") require_main(l);
  if (!quiet || l.said.any_errors()) show(l);
  if (l.said.any_errors()) return std::nullopt;
  return l;
}

// Its C++, and what else the compiler of that needs.
std::string translated(const loaded& l, build_options& how) {
  add_foreign(l, how);
  return to_cpp(*l.checked, l.texts, *l.checked->find_class("Main"), how.collect);
}

// Runs each class that is a test, as a program of its own: on the register machine, or by way of C++.
int test_files(const std::vector<std::string>& paths, const std::string& nodes, bool compiled,
               const build_options& each) {
  int failed = 0, count = 0;
  for (const std::string& path : paths) {
    const loaded l = load(path);
    show(l);
    if (l.said.any_errors()) return 1;
    build_options how = each;
    add_foreign(l, how);
    const bool by_cpp = compiled || needs_cpp(*l.checked);
    for (const class_def& c : l.checked->classes) {
      if (c.name.starts_with("Test") && !is_test(c))
        fmt::print(stderr, "abcl: {} ({}) is not run: a test has no creation arguments\n", c.name, one_line(path));
      if (!is_test(c)) continue;
      ++count;
      const std::string pes = "--tsubu-pes=" + nodes;
      int code = 1;
      if (by_cpp) {
        const executable program = built_before(to_cpp(*l.checked, l.texts, c, how.collect), how);
        if (!program.path.empty()) code = call({program.path, pes});
      } else {
        code = call({"/proc/self/exe", "run", "--quiet", "--start=" + std::string(c.name), path, pes});
      }
      failed += code == 0 ? 0 : 1;
      tsubu::write_output(fmt::format("{}{} ({}){}\n", code == 0 ? "ok      " : "FAILED  ", c.name, one_line(path),
                                      code == 0 ? std::string() : fmt::format(": it ended with code {}", code)));
      tsubu::flush_output();
    }
  }
  if (count == 0) fmt::print(stderr, "abcl: there are no tests: classes whose names begin with Test\n");
  return failed == 0 && count > 0 ? 0 : 1;
}

// For programs of C++; it needs no Main. The namespace is the name of the file.
std::optional<std::string> as_header(const std::string& path, bool collect) {
  const loaded l = load(path);
  show(l);
  if (l.said.any_errors()) return std::nullopt;
  return to_header(*l.checked, l.texts, std::filesystem::path(path).stem().string(), collect);
}

int build_file(const std::string& path, std::string to, const std::string& emit, build_options how,
               const machine_options& machine) {
  const bool for_machine = emit == "messages" || emit == "registers";
  if (for_machine && how.collect) {
    fmt::print(stderr, "abcl build: --collect is for C++; the register machine has --collect-every\n");
    return 2;
  }
  std::optional<std::string> text;
  if (emit == "header") {
    text = as_header(path, how.collect);
  } else if (const std::optional<loaded> l = to_run(path)) {
    text = for_machine ? printed(*l, emit, machine) : translated(*l, how);
  }
  if (!text) return 1;
  if (!emit.empty()) {
    if (to.empty()) {
      tsubu::write_output(*text);
    } else {
      write(to, *text);
    }
    return 0;
  }
  if (to.empty()) to = std::filesystem::path(path).stem().string();
  return build(*text, to, how) ? 0 : 1;
}

// On the register machine, at once; a program with C++ in it by way of that.
int run_file(const std::string& path, std::vector<std::string> arguments, bool compiled, build_options how,
             const machine_options& machine) {
  const std::optional<loaded> l = to_run(path, machine.start, machine.quiet);
  if (!l) return 1;
  const bool on_machine = !compiled && !needs_cpp(*l->checked);
  const char* const for_machine = machine.stats                ? "--stats"
                                  : !machine.trace.empty()     ? "--trace"
                                  : machine.collect_every >= 0 ? "--collect-every"
                                  : machine.memory != 0        ? "--memory"
                                                               : nullptr;
  if (!on_machine && for_machine != nullptr) {
    fmt::print(stderr, "abcl run: {} is for programs on the register machine, and {}\n", for_machine,
               how.collect ? "--collect wants another"
               : compiled  ? "--compiled wants another"
                           : one_line(path) + " has functions or classes of C++");
    return 2;
  }
  if (!machine.trace.empty() && !machine::is_trace_file(machine.trace)) {
    fmt::print(stderr, "abcl run: --trace writes a file NAME.svg or NAME.jsonl, and '{}' is neither\n",
               one_line(machine.trace));
    return 2;
  }
  if (on_machine) {
    arguments.insert(arguments.begin(), path);
    return run_program(*l, std::move(arguments), machine);
  }
  executable program = built_before(translated(*l, how), how);
  if (program.path.empty()) return 1;
  std::vector<char*> words{const_cast<char*>(path.c_str())};  // what it calls itself, as on the machine
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  if (program.folder == nullptr) {
    execv(program.path.c_str(), words.data());
  } else {
    // It has no name any more when it starts, so that nothing is left of it whichever way it ends.
    const int opened = open(program.path.c_str(), O_PATH | O_CLOEXEC);
    program.folder.reset();
    fexecve(opened, words.data(), environ);
  }
  fmt::print(stderr, "abcl: {} cannot be started: {}\n", one_line(program.path), std::strerror(errno));
  return 1;
}

// What CLI11 says of wrong words, which are the user's, on one line.
std::string failure(const CLI::App* app, const CLI::Error& e) {
  return one_line(e.what()) + CLI::FailureMessage::simple(app, e).substr(std::string_view(e.what()).size());
}

// The words of the command line, and what each of its commands does with them.
class command_line {
 public:
  command_line() {
    app_.set_version_flag("--version", "abcl " TSUBU_VERSION);
    app_.failure_message(failure);
    app_.require_subcommand(1);
    add_checks();
    add_build();
    add_run();
    add_repl();
    add_test();
    add_doc();
    add("lsp", "Serve an editor: the language server protocol over standard streams",
        [] { return serve(std::cin, std::cout); });
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      return app_.exit(e) == 0 ? 0 : 2;
    }
    const auto given = std::find_if(commands_.begin(), commands_.end(), [](const auto& c) { return c.of->parsed(); });
    return given->execute();
  }

 private:
  struct command {
    CLI::App* of;
    std::function<int()> execute;
  };

  CLI::App* add(const std::string& name, const std::string& about, std::function<int()> execute) {
    return commands_.emplace_back(command{app_.add_subcommand(name, about), std::move(execute)}).of;
  }

  void add_checks() {
    add("check", "Tell what is wrong with programs", [this] { return check_files(paths_); })
        ->add_option("FILE", paths_, "Programs, each by itself; -: the standard input")
        ->required();

    CLI::App* const format =
        add("fmt", "Lay programs out, in place", [this] { return format_files(paths_, only_check_); });
    format->add_option("FILE", paths_, "Programs; -: from the standard input to the standard output")->required();
    format->add_flag("--check", only_check_, "Change nothing; name the files that are laid out otherwise");

    add("explain", "Explain an error by its number", [this] {
      return explain(number_);
    })->add_option("NUMBER", number_, "E041, for example; without it, all are listed");
  }

  void add_build_options(CLI::App* to_this) {
    to_this->add_option("--cxx", how_.cxx, "The C++ compiler; else CXX of the environment, else that of Tsubu");
    to_this->add_option("--with", how_.with, "Another source of C++, or a flag, as --with=-lm; may be repeated")
        ->allow_extra_args(false);
    to_this->add_flag("--collect", how_.collect, "Objects end when nobody can reach them any more; by way of C++");
    to_this->add_flag("--debug", how_.debug, "Compile without optimisation, which is faster");
    to_this->add_flag("--verbose", how_.verbose, "Tell how the C++ compiler is called");
  }

  void add_machine_options(CLI::App* to_this) {
    to_this->add_flag("!--no-copy-propagation", machine_.passes.copy_propagation,
                      "For the register machine: leave that pass out");
    to_this->add_flag(
        "--verify", machine_.verify,
        "For the register machine: check the program in both of its languages; what is wrong is a fault of "
        "the compiler");
    to_this
        ->add_option("--collect-every", machine_.collect_every,
                     "For the register machine: compile objects with a collector, which begins when a node has made "
                     "that many since it ended; 0: never")
        ->check(CLI::NonNegativeNumber);
  }

  void add_build() {
    CLI::App* const build =
        add("build", "Compile a program", [this] { return build_file(path_, to_, emit_, how_, machine_); });
    build->add_option("FILE", path_, "The program, with its class Main")->required();
    build->add_option("-o", to_, "The executable; default: the name of FILE without its ending");
    build
        ->add_option("--emit", emit_,
                     "Write the program in a language of the compiler, or its classes as a header, and compile nothing")
        ->check(CLI::IsMember({"messages", "registers", "cpp", "header"}));
    build->add_flag("--whole-machine", machine_.whole, "With --emit=registers: the machine's own texts, too");
    add_machine_options(build);
    add_build_options(build);
  }

  void add_run() {
    CLI::App* const run = add("run", "Run a program, on the register machine or by way of C++",
                              [this] { return run_program(app_.get_subcommand("run")->remaining()); });
    run->prefix_command();
    run->footer("What follows the options is FILE, and the program's arguments.");
    run->add_flag("--compiled", compiled_, "By way of C++: compile the program, unless that has been done before");
    // For `abcl test`, which has shown what there is to say.
    run->add_option("--start", machine_.start)->group("");
    run->add_flag("--quiet", machine_.quiet)->group("");
    run->add_flag("--stats", machine_.stats, "On the register machine: tell at the end what was executed");
    run->add_option("--trace", machine_.trace,
                    "On the register machine: write what happened to each object, as a sequence chart into a file of "
                    "SVG (.svg), or a line of JSON for each event (.jsonl)");
    run->add_option("--memory", machine_.memory, "On the register machine: so many words has a node")
        ->check(CLI::Range(std::uint32_t{8192}, UINT32_MAX));
    add_machine_options(run);
    add_build_options(run);
  }

  // `words` are the program and its arguments.
  int run_program(std::vector<std::string> words) {
    // Words for the runtime may stand in front of it, too.
    const auto file =
        std::find_if(words.begin(), words.end(), [](const std::string& word) { return !word.starts_with("--tsubu"); });
    if (file == words.end()) {
      fmt::print(stderr, "abcl run: which FILE?\n");
      return 2;
    }
    const std::string path = *file;
    words.erase(file);
    return run_file(path, words, by_cpp(), how_, machine_);
  }

  void add_repl() {
    CLI::App* const repl = add("repl", "Take classes and expressions at a prompt, on the register machine",
                               [this] { return abcl::repl::run(paths_, prompt_nodes_); });
    repl->add_option("FILE", paths_, "Programs whose classes and functions are loaded first");
    repl->add_option("--nodes", prompt_nodes_, "How many nodes there are; default: 1")->check(CLI::Range(1, 1024));
  }

  void add_test() {
    CLI::App* const test = add("test", "Run each class whose name begins with Test",
                               [this] { return test_files(paths_, nodes_, by_cpp(), how_); });
    test->add_option("FILE", paths_, "Programs")->required();
    test->add_option("--nodes", nodes_, "How many nodes each has; default: 2");
    test->add_flag("--compiled", compiled_, "By way of C++, not on the register machine");
    add_build_options(test);
  }

  void add_doc() {
    CLI::App* const doc = add("doc", "Document programs, as Markdown, from their interfaces and comments",
                              [this] { return document_files(paths_, to_, html_); });
    doc->add_option("FILE", paths_, "Programs, with what they use; -: the standard input")->required();
    doc->add_option("-o", to_, "The page, or a folder for a page each; default: the standard output");
    doc->add_flag("--html", html_, "One page of HTML");
  }

  bool by_cpp() const { return compiled_ || how_.collect; }

  CLI::App app_{
      "ABCL/ST: concurrent objects that send messages, compiled to C++ on Tsubu, or to the instructions of a register "
      "machine that runs them at once."};
  std::vector<command> commands_;
  // What the options say, of whichever command.
  std::vector<std::string> paths_;
  std::string path_, to_, emit_, number_, nodes_ = "2";
  build_options how_;
  machine_options machine_;
  int prompt_nodes_ = 1;
  bool only_check_ = false, compiled_ = false, html_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    return command_line().run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "abcl: {}\n", one_line(e.what()));
    return 2;
  }
}
