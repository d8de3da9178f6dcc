#include <cstdio>
#include <string>
#include <vector>

#include "tsubu/mpc/functions.hpp"
#include "tsubu/mpc/message.hpp"
#include "tsubu/mpc/node.hpp"
#include "tsubu/mpc/state.hpp"
#include "tsubu/mpc/trace.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/run/run.hpp"

namespace tsubu::mpc {
namespace {

// Set before the job starts.
int (*main_function)(int, char**) = nullptr;

// To node 0: asks for the end of the job. From node 0: tells of it. To node 0 again: will end.
enum class exit_phase : std::int32_t { ask, tell, answer };

void exit_now(int code) {
  auto& exit = my_state().exit;
  exit.told = true;
  exit.code = code;
  trace(trace_step::exit_received, myNode, 0);
  if (exit.answers_left == 0 && exit.program) this_task_context->ready(exit.program);
}

struct exit_message {
  struct control {
    exit_phase phase;
    std::int32_t code;
  };
  static void tell_all(int code) {
    auto& exit = my_state().exit;
    if (exit.asked) return;
    exit.asked = true;
    exit.answers_left = numNode - 1;
    for (int node = 1; node < numNode; ++node) post<exit_message>(node, {exit_phase::tell, code}, {}, nullptr, nullptr);
    exit_now(code);
  }
  static void arrived(pe_id from, const control& c, std::span<const std::byte>) {
    auto& exit = my_state().exit;
    const bool plausible = c.phase == exit_phase::tell
                               ? from == 0 && !exit.told
                               : myNode == 0 && (c.phase == exit_phase::ask || exit.answers_left > 0);
    require(plausible, "an exit message that makes no sense came from PE {}", from);
    if (c.phase == exit_phase::ask) {
      tell_all(c.code);
    } else if (c.phase == exit_phase::tell) {
      post<exit_message>(0, {exit_phase::answer, 0}, {}, nullptr, nullptr);
      exit_now(c.code);
    } else if (--exit.answers_left == 0 && exit.program) {
      this_task_context->ready(exit.program);
    }
  }
};

void ask_for_exit(int code) {
  std::fflush(stdout);
  trace(trace_step::exit_sent, myNode, 0);
  code &= 0xff;
  if (myNode == 0)
    exit_message::tell_all(code);
  else
    post<exit_message>(0, {exit_phase::ask, code}, {}, nullptr, nullptr);
}

// `co_await` it for the end of the job. Not in the list of waits: it is no part of a deadlock.
class until_exit {
 public:
  bool await_ready() const { return my_state().exit.told && my_state().exit.answers_left == 0; }
  void await_suspend(std::coroutine_handle<> program) const { my_state().exit.program = program; }
  int await_resume() const { return my_state().exit.code; }
};

class forever {
 public:
  bool await_ready() const { return false; }
  void suspend(ready_item, std::source_location) const {}
  void await_resume() const {}
};

// What mpc_main is given. It lives as long as its node, since mpc_exit() leaves the thread that calls it where it is,
// and whatever that thread owns.
struct main_arguments {
  std::vector<std::string> text;
  std::vector<char*> argv;
};
pe_local<main_arguments> given;

void run_main() {
  main_arguments& g = *given;
  for (std::string& word : g.text) g.argv.push_back(word.data());
  g.argv.push_back(nullptr);
  ask_for_exit(main_function(static_cast<int>(g.text.size()), g.argv.data()));
}

task<int> node_program(arguments words) {
  const auto set_numbers = [] {
    myNode = this_pe();
    numNode = pe_count();
  };
  set_numbers();
  remote::current_pe->when_entered(set_numbers);
  if (myNode == 0) {
    trace(trace_step::main_started, 0, no_pe);
    given->text.assign(words.begin(), words.end());
    spawn_fiber(run_main, main_stack_bytes);
  } else {
    trace(trace_step::serving, myNode, no_pe);
  }
  const int code = co_await until_exit();
  co_return myNode == 0 ? code : 0;
}

}  // namespace

void mpc_exit(int code) {
  ask_for_exit(code);
  wait(forever());
  fail("a thread goes on after mpc_exit()");
}

int start(int argc, char** argv, int (*mpc_main_function)(int, char**)) {
  main_function = mpc_main_function;
  number_functions();
  return run_spmd(argc, argv, node_program);
}

}  // namespace tsubu::mpc
