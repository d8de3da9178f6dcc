// A node of the machine in a job of Tsubu: a PE with its processor, where each packet is a past message.
//
// What this process runs is set before the job begins, and is replaced by more of it between two messages that all of
// its PEs have answered. A job that goes on after errors, as the prompt's, is told of them on PE 0; any other ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abcl/machine/processor.hpp"
#include "abcl/machine/recorder.hpp"
#include "abcl/runtime/site.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/wait_reports.hpp"
#include "tsubu/task/oneshot.hpp"

namespace abcl::machine {

// What all PEs of the process share. `failed`: called on PE 0 with the object that has failed, or 0, and where and why;
// if it is empty, an error ends the job. Behind an error a node executes no more, unless the job `goes_on`; only then
// `asked_to_stop` is looked at: what loops is to fail.
struct process {
  std::shared_ptr<const image> program;
  std::function<void(word object, const std::string& what)> failed;
  bool goes_on = false;
  std::uint32_t memory = UINT32_MAX;  // words of each node
  std::atomic<bool> asked_to_stop{false};
};
process& this_process();
// Before the job begins: it is to go on after errors.
void go_on_after_errors(std::function<void(word object, const std::string& what)> failed);

class node final : public surroundings {
 public:
  node();

  void send(int to, const packet& p) override;
  void send_value(int to, const packet& p, int kind, std::string bytes) override;
  void spend(std::uint64_t clocks) override;
  void say(const std::string& line) override;
  void exit(std::int64_t status) override;
  [[noreturn]] void fail(int where, const std::string& what) override;
  word library(int number, word a, word b, word c, int where) override;
  void ask_outside(int number, word object, int where) override;
  int nodes() const override;
  int neighbour(int k) const override;

  processor cpu;
  std::optional<recorder> record;
  // What has been sent from here, the world outside asked included, and what has been executed. All is quiet where the
  // sums of both over all nodes are equal, twice.
  std::uint64_t sent = 0, done = 0;
};
node& this_node();

void take_packet(packet p);

// A place of the program as compiled programs have it, whose texts are the image's.
abcl::site site_of(const image& of, int number);
// What objects of this node wait for, for a deadlock report; those whose clause is left, a line each; and both as
// lines.
std::vector<tsubu::remote::wait_reports::wait_text> waits();
std::vector<std::string> left_objects();
std::vector<std::string> lines_of_waits();

// PE 0 has it: the status of the first (exit status).
struct program_end {
  tsubu::oneshot<int> status{nullptr};  // not in reports: what else these say is clearer
  bool failed = false;
};
program_end& the_end();
// Each node executes no more.
void stop_all();

}  // namespace abcl::machine
