#include "abcl/repl/prompt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "abcl/machine/node.hpp"
#include "abcl/repl/input.hpp"
#include "abcl/repl/session.hpp"
#include "abcl/repl/value.hpp"
#include "abcl/runtime/console.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/printing/say.hpp"
#include "tsubu/run/launcher.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/yield.hpp"

namespace abcl::repl {
namespace {

using machine::this_node;
using machine::this_process;
using machine::word;
using steady = std::chrono::steady_clock;

constexpr int unreadable_input = 2;  // an exit code

constexpr const char* help_text =
    R"(  FORM             an expression, whose value is printed; or a class, a function, (use "file.abcl")
  [x := FORM]      x is a variable of the session from now on
  (state (T x))    the same, of type T; with (T x := FORM), of that value
  :type FORM       the type of FORM, which is not evaluated
  :messages NAME   a class or function in the language of messages
  :registers NAME  the same in that of the register machine
  :load FILE       the classes and functions of FILE
  :help            this
  :quit            leave; so does the end of the input, and (exit n) with code n)";

// ---- Ctrl-C

// What is done about it: an input that runs is given up; one that is typed is forgotten.
std::atomic<bool> input_runs{false}, typed_is_forgotten{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void interrupted(int) {
  if (input_runs.load(std::memory_order_relaxed)) {
    this_process().asked_to_stop.store(true, std::memory_order_relaxed);
    return;
  }
  typed_is_forgotten.store(true, std::memory_order_relaxed);
  constexpr std::string_view anew = "\nabcl> ";
  [[maybe_unused]] const ssize_t written = ::write(1, anew.data(), anew.size());
}

// ---- what PE 0 knows of the other nodes

// Asks each node again and again for how many packets it has sent and executed, without waiting for those that are
// busy. All is quiet when two rounds say the same, and as many were executed as sent.
struct watch {
  int missing = 0;
  std::uint64_t sent = 0, done = 0, last_sent = 0, last_done = 0;
  int rounds = 0;  // since the input began

  void begin() {
    rounds = 0;
    if (missing == 0) ask();
  }
  void ask();
  // Whether the last round says so; begins the next when there is none.
  bool is_quiet() {
    if (missing != 0) return false;
    const bool quiet = rounds >= 3 && sent == done && sent == last_sent && done == last_done;
    last_sent = sent;
    last_done = done;
    if (!quiet) ask();
    return quiet;
  }
};
tsubu::pe_local<watch> the_watch;

void told(std::uint64_t sent, std::uint64_t done) {
  the_watch->sent += sent;
  the_watch->done += done;
  if (--the_watch->missing == 0) ++the_watch->rounds;
}
void tell() { tsubu::at(0).past<told>(this_node().sent, this_node().done); }
void watch::ask() {
  missing = tsubu::pe_count();
  sent = done = 0;
  tsubu::everywhere().past<tell>();
}

void use_code() { this_node().cpu.use(this_process().program); }
void answer_only() {}

// ---- the prompt

// Set before the job begins.
struct beginning {
  std::vector<std::string> files;
  bool is_terminal = false;
  std::unique_ptr<session> with;
};
beginning& of_job() {
  static beginning only;
  return only;
}

class prompt {
 public:
  tsubu::task<int> run() {
    for (const std::string& file : of_job().files) {
      session_.load(file);
      say_errors();
    }
    std::string text;
    int opened = 0;
    while (std::optional<std::string> line = co_await next_line(!text.empty())) {
      if (typed_is_forgotten.exchange(false)) {
        text.clear();
        opened = 0;
      }
      *line += '\n';
      text += *line;
      opened += opened_in(*line);
      if (opened > 0) continue;
      opened = 0;
      co_await take(std::exchange(text, {}));
      if (machine::the_end().status.ready() || left_) break;
    }
    if (!is_nothing(text)) co_await take(text);
    tsubu::oneshot<int>& status = machine::the_end().status;
    int code = unreadable_ ? unreadable_input : 0;
    if (status.ready()) code = co_await status;
    is_leaving_ = true;
    this_process().asked_to_stop = true;
    machine::stop_all();
    co_return code;
  }

  void failed(word object, const std::string& what) {
    ++errors_;
    own_error_ |= object != 0 && object == object_;
    // A reply too many is noticed by each of its packets.
    if (last_error_ != what && !is_leaving_) tsubu::say("error: {}", what);
    last_error_ = what;
  }

 private:
  tsubu::task<std::optional<std::string>> next_line(bool goes_on) {
    if (of_job().is_terminal) {
      fmt::print("{}", goes_on ? "....> " : "abcl> ");
      std::fflush(stdout);
    }
    const tsubu::ref<library::console> input = library::the_console();
    library::console::answer next = co_await input.now<&library::console::take>();
    if (next.first == library::console::there) co_return std::move(next.second);
    if (of_job().is_terminal) tsubu::say("{}", "");
    unreadable_ = next.first == library::console::broken;
    if (unreadable_) fmt::print(stderr, "abcl repl: the input ends here: {}\n", tsubu::one_line(next.second));
    co_return std::nullopt;
  }

  void say_errors() {
    std::string said = session_.take_said();
    while (said.ends_with('\n')) said.pop_back();
    if (!said.empty()) tsubu::say("{}", said);
  }

  tsubu::task<void> take(std::string text) {
    if (is_nothing(text)) co_return;
    if (const std::size_t at = text.find_first_not_of(" \t\n"); text[at] == ':') {
      command(text.substr(at));
      say_errors();
      co_return;
    }
    for (const form& f : session_.read_input(std::move(text))) {
      const std::optional<step> s = session_.prepare(f);
      say_errors();
      if (!s || !co_await execute(*s)) break;
    }
    say_errors();
  }

  void command(std::string_view text) {
    while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
    const std::size_t space = text.find_first_of(" \t\n");
    const std::string_view name = text.substr(0, space);
    std::string_view rest = space == std::string_view::npos ? std::string_view() : text.substr(space);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const auto show = [&](const std::optional<std::string>& found) {
      std::string all = found.value_or(fmt::format("there is no class and no function `{}`", rest));
      while (all.ends_with('\n')) all.pop_back();
      tsubu::say("{}", all);
    };
    if (name == ":quit" || name == ":q") {
      left_ = true;
    } else if (name == ":help" || name == ":h") {
      tsubu::say("{}", help_text);
    } else if (name == ":load" && !rest.empty()) {
      session_.load(std::string(rest));
    } else if (name == ":messages" && !rest.empty()) {
      show(session_.messages_of(rest));
    } else if (name == ":registers" && !rest.empty()) {
      show(session_.registers_of(rest));
    } else if (name == ":type" && !rest.empty()) {
      if (const std::optional<std::string> type = session_.type_of(std::string(rest))) tsubu::say("{}", *type);
    } else {
      tsubu::say("{} is no command, or lacks its argument; :help lists them", name);
    }
  }

  // Whether it has come to its end.
  tsubu::task<bool> execute(const step& s) {
    input_runs = true;  // a node that loops takes no code: then it is interrupted
    this_process().program = s.code;
    co_await tsubu::everywhere().now<use_code>();
    machine::processor& cpu = this_node().cpu;
    const word before = object_;
    object_ = cpu.new_single_object(s.class_number);
    for (const step::copy& c : s.copies) {
      for (int i = 0; i < c.words; ++i) {
        cpu.set(object_, c.to + i, cpu.get(before, c.from + i));
        cpu.set(before, c.from + i, 0);
      }
    }
    errors_ = 0;
    own_error_ = false;
    last_error_.clear();
    the_watch->begin();
    ++this_node().sent;
    machine::take_packet(
        {object_, 0, static_cast<std::uint32_t>(code::entry::start), 0, machine::packet::kind::to_object});
    const bool good = co_await come_to_an_end();
    input_runs = false;
    if (this_process().asked_to_stop.load()) {
      // Who loops has noticed it when it can answer.
      co_await tsubu::everywhere().now<answer_only>();
      this_process().asked_to_stop = false;
    }
    session_.has_run(s, good);
    if (machine::the_end().status.ready()) co_return false;
    if (good && s.of != nullptr) {
      tsubu::say("=> {} : {}", text_of_value(s.of, cpu, object_, s.value_at), shown(s.of));
    }
    co_return good;
  }

  bool has_ended() const {
    const processor& cpu = this_node().cpu;
    return cpu.has_ended(object_) && !own_error_;
  }

  // Waits for the input's object, and then for what it has set going, unless that takes long. Whether the object has
  // come to its end.
  tsubu::task<bool> come_to_an_end() {
    const auto patience = of_job().is_terminal ? std::chrono::milliseconds(200) : std::chrono::milliseconds(10000);
    std::optional<steady::time_point> ended;
    for (int looks = 0;; ++looks) {
      if (machine::the_end().status.ready()) co_return true;
      if (this_process().asked_to_stop.load()) {
        const bool was_ended = has_ended();
        if (!was_ended) give_up();
        tsubu::say("interrupted");
        co_return was_ended;
      }
      if (!has_ended()) {
        ended.reset();
      } else if (!ended) {
        ended = steady::now();
      }
      const bool quiet = the_watch->is_quiet();
      if (ended && (quiet || steady::now() > *ended + patience)) co_return true;
      if (quiet) {
        if (errors_ == 0) co_await tell_who_waits();
        give_up();
        co_return false;
      }
      if (looks < 50) {
        co_await tsubu::yield();
      } else {
        co_await tsubu::sleep_for(std::chrono::microseconds(looks < 200 ? 100 : 1000));
      }
    }
  }

  void give_up() { this_node().cpu.end_object(object_); }

  tsubu::task<void> tell_who_waits() {
    std::string all = "error: this input does not come to an end, for objects wait for each other:";
    for (const std::vector<std::string>& node : co_await tsubu::everywhere().now<machine::lines_of_waits>()) {
      for (const std::string& line : node) {
        const bool is_input = line.starts_with(prompt_class);
        all += "\n  " + (is_input ? "this input" + line.substr(line.find(" waits")) : line);
      }
    }
    tsubu::say("{}", all);
  }

  using processor = machine::processor;

  session& session_ = *of_job().with;
  word object_ = 0;  // of the last input: it has the session's variables
  int errors_ = 0;   // since it began
  bool own_error_ = false;
  std::string last_error_;
  bool left_ = false;        // by :quit
  bool unreadable_ = false;  // the input has ended by an error
  bool is_leaving_ = false;  // what is stopped now is not told
};

tsubu::pe_local<prompt> the_prompt;  // PE 0 has it

tsubu::task<int> program(tsubu::arguments) {
  if (of_job().is_terminal) {
    struct sigaction act{};
    act.sa_handler = interrupted;
    act.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &act, nullptr);
  }
  co_return co_await the_prompt->run();
}

}  // namespace

int run(const std::vector<std::string>& files, int nodes) {
  if (tsubu::run_detail::process_launcher().kind != tsubu::run_detail::launcher_kind::none) {
    fmt::print(stderr, "abcl: repl is one process, with threads as nodes (--nodes): start it without mpirun\n");
    return 2;
  }
  const bool is_terminal = isatty(0) != 0;
  of_job() = {files, is_terminal, std::make_unique<session>(is_terminal && isatty(1) != 0)};
  this_process().program = of_job().with->code();
  machine::go_on_after_errors([](word object, const std::string& what) { the_prompt->failed(object, what); });
  std::vector<std::string> words = {"abcl", fmt::format("--tsubu-pes={}", nodes), "--tsubu-transport=threads"};
  std::vector<char*> pointers;
  for (std::string& w : words) pointers.push_back(w.data());
  pointers.push_back(nullptr);
  return tsubu::run(static_cast<int>(words.size()), pointers.data(), program);
}

}  // namespace abcl::repl
