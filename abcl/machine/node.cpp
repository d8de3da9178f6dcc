#include "abcl/machine/node.hpp"

#include <fmt/format.h>

#include <utility>

#include "abcl/machine/library.hpp"
#include "abcl/runtime/integers.hpp"
#include "abcl/runtime/shown_wait.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/printing/say.hpp"

namespace abcl::machine {
namespace {

tsubu::pe_local<node> nodes_of_process;
tsubu::pe_local<program_end> ends_of_process;

// What fail() throws where the job goes on.
struct given_up {
  std::string what;
};

void tell_failed(word object, std::string what) {
  ++this_node().done;
  this_process().failed(object, what);
}
void report(word object, const std::string& what) {
  ++this_node().sent;
  tsubu::at(0).past<tell_failed>(object, what);
}

// If it fails, the job goes on where that is wanted.
void guarded(const auto& act) {
  try {
    act();
  } catch (const given_up& error) {
    if (!this_process().goes_on) this_node().cpu.stop();
    report(this_node().cpu.given_up(), error.what);
  }
}

void take_value(packet p, int kind, std::string bytes) {
  node& n = this_node();
  guarded([&] { n.cpu.execute_value(p, kind, bytes); });
  ++n.done;
}

void stop() { this_node().cpu.stop(); }

void exit_has_come(int status) {
  if (the_end().status.ready()) return;
  stop_all();
  the_end().status.set_value(status);
}

// A function of the library fails: not by ending the job, where that goes on.
[[noreturn]] void fail_in_library(const abcl::site& at, std::string_view what) {
  throw given_up{text_of(at).append(": ").append(what)};
}

}  // namespace

process& this_process() {
  static process only;
  return only;
}

void go_on_after_errors(std::function<void(word object, const std::string& what)> failed) {
  this_process().failed = std::move(failed);
  this_process().goes_on = true;
  abcl::instead_of_ending = fail_in_library;
}

node& this_node() { return *nodes_of_process; }
program_end& the_end() { return *ends_of_process; }

node::node() : cpu(tsubu::this_pe(), this_process().program, *this) {
  cpu.limit_memory(this_process().memory);
  if (this_process().goes_on) cpu.watch(this_process().asked_to_stop);
}

void node::send(int to, const packet& p) {
  ++sent;
  tsubu::at(to).past<take_packet>(p);
}
void node::send_value(int to, const packet& p, int kind, std::string bytes) {
  ++sent;
  tsubu::at(to).past<take_value>(p, kind, std::move(bytes));
}
void node::spend(std::uint64_t clocks) { tsubu::work(static_cast<double>(clocks)); }
void node::say(const std::string& line) { tsubu::say("{}", line); }
void node::exit(std::int64_t status) { tsubu::at(0).past<exit_has_come>(status_of_exit(status)); }
void node::fail(int where, const std::string& what) {
  const std::string at = where < 0 ? "abcl" : text_of(site_of(cpu.code(), where));
  const std::string text = fmt::format("{}: {}", at, what);
  if (this_process().failed != nullptr) throw given_up{text};
  tsubu::end_job(tsubu::exit_code::failed, text);
}
word node::library(int number, word a, word b, word c, int where) {
  return call_library(static_cast<library_id>(number), cpu.values(), cpu.code(), a, b, c, where);
}
void node::ask_outside(int number, word object, int where) {
  ++sent;
  machine::ask_outside(static_cast<library_id>(number), object, cpu.code(), where);
}
int node::nodes() const { return tsubu::pe_count(); }
int node::neighbour(int k) const { return tsubu::neighbour(k); }

void take_packet(packet p) {
  node& n = this_node();
  guarded([&] { n.cpu.execute(p); });
  ++n.done;
}

void answer(word object, const std::string& text, bool is_text) {
  node& n = this_node();
  const word datum = is_text ? n.cpu.text(text) : text.empty() ? 0 : 1;
  take_packet({object, datum, static_cast<std::uint32_t>(code::entry::answer), 0, packet::kind::to_object});
}

void no_answer(word object, std::exception_ptr why) {
  node& n = this_node();
  try {
    std::rethrow_exception(std::move(why));
  } catch (const given_up& error) {
    n.cpu.end_object(object);
    report(object, error.what);
  }
  ++n.done;
}

abcl::site site_of(const image& of, int number) {
  if (number < 0) return {"abcl", 0, "", ""};
  const code::site_info& s = of.sites[static_cast<std::size_t>(number)];
  return {s.file.c_str(), static_cast<std::uint32_t>(s.line), s.of_class.c_str(), s.message.c_str(),
          s.wait.what.c_str()};
}

namespace {

std::string object_text(int class_number, word object) {
  return shown_object(this_node().cpu.code().classes[static_cast<std::size_t>(class_number)].name,
                      std::to_string(address_of(object)));
}

}  // namespace

std::vector<tsubu::remote::wait_reports::wait_text> waits() {
  const image& of = this_node().cpu.code();
  std::vector<tsubu::remote::wait_reports::wait_text> all;
  for (const processor::waiting& w : this_node().cpu.waits()) {
    tsubu::remote::wait_reports::wait_text text;
    text.who = object_text(w.class_number, w.object);
    text.at = text_of(site_of(of, w.wait.site));
    if (w.wait.site >= 0) {
      const code::wait_info& wait = of.sites[static_cast<std::size_t>(w.wait.site)].wait;
      text.what = wait.what;
      if (wait.asks) text.whom = shown_asked(std::to_string(address_of(w.wait.asked)), node_of(w.wait.asked));
    }
    if (w.held != 0) text.whom = shown_held(w.held, of.selectors[static_cast<std::size_t>(w.first_held)].name);
    all.push_back(std::move(text));
  }
  return all;
}

std::vector<std::string> left_objects() {
  std::vector<std::string> all;
  for (const processor::left& one : this_node().cpu.left_objects())
    all.push_back(shown_left(object_text(one.class_number, one.object)));
  return all;
}

std::vector<std::string> lines_of_waits() {
  std::vector<std::string> all;
  for (const tsubu::remote::wait_reports::wait_text& w : waits()) all.push_back(w.line());
  for (std::string& line : left_objects()) all.push_back(std::move(line));
  return all;
}

void stop_all() {
  for (tsubu::pe_id pe = 0; pe < tsubu::pe_count(); ++pe) tsubu::at(pe).past<stop>();
}

}  // namespace abcl::machine
