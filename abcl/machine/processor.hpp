// A node's processor: executes packets, one by one, and knows the node's objects.
//
// A packet starts a sequence of instructions, which runs to its end; packets that come meanwhile wait. A packet to an
// object starts what the object's reactive text has for its entry, with the object's segment and the datum in r0. A
// packet with a word to write is executed by the hardware, and so is the answer to a request for a box or an object,
// which is matched with the place that the object has kept.
//
// One instruction takes a clock (execution_unit.hpp). Other costs are told to whoever made the processor, in `costs`.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/machine/execution_unit.hpp"

namespace abcl::machine {

// That of the elements of an array of texts, among the layouts of a program that has such an array.
int layout_of_texts(const image& of);

// In clocks; those of EM-4 stand here.
struct costs {
  std::uint64_t write = 2;  // a word that comes in a packet
  std::uint64_t match = 1;  // two packets, or a packet and a place that waits for it
};

class processor {
 public:
  processor(int node, std::shared_ptr<const image> of, surroundings& outside, const costs& c = {});
  processor(const processor&) = delete;
  processor& operator=(const processor&) = delete;

  // An exception of fail() comes out of it: the sequence is given up, and its object, which given_up() names, has
  // ended.
  void execute(const packet& p);
  word given_up() const { return given_up_; }
  void execute_value(const packet& p, int kind, std::string_view bytes);
  // So many words of memory are there from now on.
  void limit_memory(std::uint32_t words) { unit_.memory.limit(words); }

  // More code, of which the present is a part.
  void use(std::shared_ptr<const image> more);
  // An object of this node, made by the machine itself: `write` and `start` by packets as others do.
  word new_object(int class_number);
  word text(std::string t) { return unit_.values.text(std::move(t)); }
  word array_of_texts(const std::vector<std::string>& all) { return unit_.values.texts(all, layout_of_texts(code())); }
  heap& values() { return unit_.values; }
  void set(word object, int k, word to) { unit_.memory[address_of(object) + static_cast<std::uint32_t>(k)] = to; }
  word get(word object, int k) const { return unit_.memory[address_of(object) + static_cast<std::uint32_t>(k)]; }

  // What happens to objects from now on is recorded; null: it is not.
  void record(recorder* by) { recorder_ = by; }
  // One that nobody else can create, and of which none is kept ready: its class may have changed.
  word new_single_object(int class_number) { return name_of(node_, new_segment(class_number)); }
  // It takes no more messages, and nothing that it waits for makes it go on.
  void end_object(word object);
  bool has_ended(word object) const {
    return get(object, code::words::reactive) == static_cast<word>(code::reactive::ended);
  }
  // While the flag is set, what loops or calls fails. It may be set from anywhere, at any time.
  void watch(const std::atomic<bool>& asked_to_stop) { unit_.watch(asked_to_stop); }

  // From now on nothing is executed.
  void stop() { unit_.stop(); }

  const counts& done() const { return unit_.done; }
  const image& code() const { return unit_.code(); }
  // For a job that does not go on: the waits of objects for replies, and for messages in a clause or in a script that
  // takes none of those that it has.
  struct waiting {
    word object;
    int class_number;
    node_memory::wait wait;
    std::size_t held = 0;  // messages, if it waits for one
    int first_held = -1;   // the selector of the first
  };
  std::vector<waiting> waits() const;
  // And objects whose clause is left by (non-resume) when its wait ends.
  struct left {
    word object;
    int class_number;
  };
  std::vector<left> left_objects() const;
  // How many have been created here, less those that were collected.
  std::size_t objects() const;
  // Words of memory in use, free boxes among them.
  std::size_t memory() const { return unit_.memory.in_use().size(); }

 private:
  bool interrupted_wait_goes_on(const node_memory::segment& s) const;
  void prepare_collector();
  void execute_for_program(const packet& p);
  void execute_for_collector(const packet& p);
  void run(const execution_unit::sequence& s);
  void record(const packet& p);
  std::uint32_t new_segment(int class_number);
  void check_box(const packet& p);

  const int node_;
  surroundings& outside_;
  const costs costs_;
  execution_unit unit_;
  std::size_t classes_ = 0;  // of which one is kept ready
  recorder* recorder_ = nullptr;
  word given_up_ = 0;
};

}  // namespace abcl::machine
