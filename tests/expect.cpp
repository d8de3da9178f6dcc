// Runs a command and checks how it ends: its exit code, and a pattern in what it prints.
//
//     expect --exit 70 --output 'PE 1 .* waits for' -- COMMAND ARGS...
//     expect --input '1\n2\n' --output 'the sum is 3' -- COMMAND ARGS...
//
// --exit     the exit code, or "failure" for any but 0; 0 unless it is given; less a signal's number if one ends it
// --output   a regular expression, found in the standard output and error, whose lines ^ and $ begin and end
// --never    one that is not found there
// --input    the standard input, with \n for the end of a line
//
// Ends with 0 if all is as expected, with 1 if not, and with 2 if there is nothing to judge.
//
// Regular expressions are POSIX's extended ones. They grow no stack on a long output, as std::regex does, and compile
// in no time. What they would take for something else than most people, a backslash before a letter, is refused.
//
// Every other test is begun by this program: so it is none of Tsubu's, and includes little.
#include <fcntl.h>
#include <regex.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "expect: %s\n", why.c_str());
  std::exit(2);
}

struct expectation {
  std::string exit = "0";
  std::string output;
  std::string never;
  std::string input;
  char** command = nullptr;
};

expectation read_options(char** argument) {
  expectation expected;
  for (; *argument != nullptr && std::strcmp(*argument, "--") != 0; argument += 2) {
    const std::string option = *argument;
    std::string* value = nullptr;
    if (option == "--exit") {
      value = &expected.exit;
    } else if (option == "--output") {
      value = &expected.output;
    } else if (option == "--never") {
      value = &expected.never;
    } else if (option == "--input") {
      value = &expected.input;
    } else {
      give_up("there is no option " + option);
    }
    if (argument[1] == nullptr) {
      give_up(option + " has no value");
    }
    *value = argument[1];
  }
  if (*argument == nullptr || argument[1] == nullptr) {
    give_up("no command follows --");
  }
  expected.command = argument + 1;
  for (std::size_t at = 0; (at = expected.input.find("\\n", at)) != std::string::npos; ++at) {
    expected.input.replace(at, 2, "\n");
  }
  return expected;
}

bool found(const std::string& expression, const std::string& text) {
  for (std::size_t at = 0; (at = expression.find('\\', at)) != std::string::npos; at += 2) {
    if (at + 1 < expression.size() && std::isalnum(static_cast<unsigned char>(expression[at + 1])) != 0) {
      give_up("'" + expression + "' has a backslash before a letter or digit, which is no POSIX");
    }
  }
  regex_t compiled;
  if (const int error = regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NEWLINE); error != 0) {
    char why[200];
    regerror(error, &compiled, why, sizeof why);
    give_up("'" + expression + "': " + why);
  }
  regmatch_t range = {0, static_cast<regoff_t>(text.size())};  // there may be zeros in it
  const bool is = regexec(&compiled, text.c_str(), 0, &range, REG_STARTEND) == 0;
  regfree(&compiled);
  return is;
}

struct ending {
  int code = 0;
  std::string output;
};

void check_call(bool good, const char* call) {
  if (!good) {
    give_up(std::string(call) + ": " + std::strerror(errno));
  }
}

// Passes on what the command prints as it comes: of one that is killed for its time, that is what there is to see.
ending run(char** command, const std::string& input) {
  int in[2];
  int out[2];
  check_call(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0, "pipe2");
  if (input.size() > 4096) {
    give_up("more input than a pipe holds while nobody reads");
  }
  check_call(write(in[1], input.data(), input.size()) == static_cast<ssize_t>(input.size()), "write");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDERR_FILENO);
  pid_t child = 0;
  errno = posix_spawnp(&child, command[0], &actions, nullptr, command, environ);
  check_call(errno == 0, command[0]);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(in[1]);
  close(out[1]);

  ending ended;
  char bytes[65536];
  for (;;) {
    const ssize_t count = read(out[0], bytes, sizeof bytes);
    if (count == 0) {
      break;
    }
    check_call(count > 0, "read");
    ended.output.append(bytes, static_cast<std::size_t>(count));
    std::fwrite(bytes, 1, static_cast<std::size_t>(count), stdout);
    std::fflush(stdout);
  }
  close(out[0]);
  int status = 0;
  check_call(waitpid(child, &status, 0) == child, "waitpid");
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return ended;
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

bool begun_by_launcher(const std::string& program) { return program.compare(program.rfind('/') + 1, 3, "mpi") == 0; }

}  // namespace

int main(int, char** argv) {
  const expectation expected = read_options(argv + 1);
  ending ended;
  bool as_expected = false;
  // MPICH's launcher, on a busy machine, ends at times before it has passed on what a rank printed that failed before
  // MPI_Init. So a command begun by mpirun that failed as expected, and printed nothing at all, is run again.
  for (int turn = 1; turn <= 3; ++turn) {
    ended = run(expected.command, expected.input);
    as_expected = expected.exit == "failure" ? ended.code != 0 : expected.exit == std::to_string(ended.code);
    if (!begun_by_launcher(expected.command[0]) || !as_expected || ended.code == 0 || !is_blank(ended.output)) {
      break;
    }
    std::fprintf(stderr, "expect: the launcher passed on no output, turn %d\n", turn);
  }

  bool good = as_expected;
  if (!as_expected) {
    std::fprintf(stderr, "expect: exit code %d, expected %s\n", ended.code, expected.exit.c_str());
  }
  if (!expected.output.empty() && !found(expected.output, ended.output)) {
    std::fprintf(stderr, "expect: no line of the output matches '%s'\n", expected.output.c_str());
    good = false;
  }
  if (!expected.never.empty() && found(expected.never, ended.output)) {
    std::fprintf(stderr, "expect: a line of the output matches '%s'\n", expected.never.c_str());
    good = false;
  }
  return good ? 0 : 1;
}
