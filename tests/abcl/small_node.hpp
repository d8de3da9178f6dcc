// What the unit tests and the fuzzer of the lower languages share: programs from their source, and nodes without Tsubu,
// whose packets wait in a queue and come in their order.
#pragma once

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "abcl/load/files.hpp"
#include "abcl/machine/processor.hpp"
#include "abcl/messages/messages.hpp"
#include "abcl/registers/link.hpp"
#include "abcl/registers/passes.hpp"
#include "abcl/registers/verify.hpp"

namespace abcl::test {

inline code::program messages_of(const std::string& text) {
  loaded l = load_text("test.abcl", text);
  for (const diagnostic& d : l.said.all()) {
    if (d.weight == severity::error) throw std::runtime_error(d.message);
  }
  return to_messages(*l.checked, l.texts, *l.checked->find_class("Main"));
}

inline std::shared_ptr<const registers::image> image_of(code::program p, const registers::options& how = {}) {
  registers::translate(p, how);
  registers::verify(p, registers::language::registers);
  return std::make_shared<registers::image>(registers::link(p));
}

struct job_failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class small_node : public machine::surroundings {
 public:
  explicit small_node(std::shared_ptr<const registers::image> of, int nodes = 1) : of_(std::move(of)) {
    for (int i = 0; i < nodes; ++i) cpus_.push_back(std::make_unique<machine::processor>(i, of_, *this));
  }

  // Begins with an object of Main, whose arguments are numbers, and goes on until nothing is left, or until exit.
  // Returns whether that has come.
  bool run(const std::vector<machine::word>& arguments = {}, std::size_t most_packets = 100'000'000) {
    const auto& start = of_->classes[static_cast<std::size_t>(of_->start)];
    const machine::word object = cpus_[0]->new_object(of_->start);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      cpus_[0]->set(object, start.first + static_cast<int>(i), arguments[i]);
    queue_.push_back({0, {object, 0, static_cast<std::uint32_t>(code::entry::start)}, -1, {}});
    for (; !queue_.empty() && !ended && most_packets > 0; --most_packets) {
      const on_its_way next = std::move(queue_.front());
      queue_.pop_front();
      machine::processor& cpu = *cpus_.at(static_cast<std::size_t>(next.node));
      if (next.kind < 0) {
        cpu.execute(next.what);
      } else {
        cpu.execute_value(next.what, next.kind, next.bytes);
      }
    }
    return ended;
  }

  machine::processor& cpu(int node = 0) { return *cpus_[static_cast<std::size_t>(node)]; }

  std::vector<std::string> said;
  bool ended = false;
  std::int64_t status = 0;
  std::uint64_t clocks = 0;
  // The most words of memory in use when something was said, and when it was said first.
  std::vector<std::size_t> memory;

  void send(int node, const machine::packet& p) override { queue_.push_back({node, p, -1, {}}); }
  void send_value(int node, const machine::packet& p, int kind, std::string bytes) override {
    queue_.push_back({node, p, kind, std::move(bytes)});
  }
  void spend(std::uint64_t n) override { clocks += n; }
  void say(const std::string& line) override {
    said.push_back(line);
    memory.push_back(cpus_[0]->memory());
  }
  void exit(std::int64_t with) override {
    ended = true;
    status = with;
  }
  void fail(int where, const std::string& what) override {
    const bool known = where >= 0 && static_cast<std::size_t>(where) < of_->sites.size();
    throw job_failed(std::to_string(known ? of_->sites[static_cast<std::size_t>(where)].line : 0) + ": " + what);
  }
  machine::word library(int, machine::word, machine::word, machine::word, int) override { return 0; }
  void ask_outside(int, machine::word object, int) override {
    send(machine::node_of(object), {object, 0, static_cast<std::uint32_t>(code::entry::answer)});
  }
  int nodes() const override { return static_cast<int>(cpus_.size()); }
  int neighbour(int k) const override { return k % nodes(); }

 private:
  struct on_its_way {
    int node;
    machine::packet what;
    int kind;
    std::string bytes;
  };
  std::shared_ptr<const registers::image> of_;
  std::vector<std::unique_ptr<machine::processor>> cpus_;
  std::deque<on_its_way> queue_;
};

// What the program says.
inline std::vector<std::string> said_by(const std::string& text, const std::vector<machine::word>& arguments = {},
                                        const registers::options& how = {}) {
  small_node node(image_of(messages_of(text), how));
  if (!node.run(arguments)) throw std::runtime_error("a program that does not exit");
  return node.said;
}

}  // namespace abcl::test
