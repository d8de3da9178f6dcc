// A node's processor: executes the register language, packet by packet.
//
// A packet starts a sequence of instructions, which runs to its end; packets that come meanwhile wait. A packet to an
// object starts what the object's reactive text has for its entry, with the object's segment and the datum in r0. A
// packet with a word to write is executed by the hardware, and so is the answer to a request for a box or an object,
// which is matched with the place that the object has kept.
//
// One instruction takes a clock. Other costs are told to whoever made the processor, in `costs`.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/machine/heap.hpp"
#include "abcl/machine/node_memory.hpp"
#include "abcl/machine/services.hpp"
#include "abcl/machine/surroundings.hpp"
#include "abcl/machine/word.hpp"
#include "abcl/registers/link.hpp"

namespace abcl::machine {

using registers::image;
class recorder;

// That of the elements of an array of texts, among the layouts of a program that has such an array.
int layout_of_texts(const image& of);

// In clocks; those of EM-4 stand here.
struct costs {
  std::uint64_t write = 2;  // a word that comes in a packet
  std::uint64_t match = 1;  // two packets, or a packet and a place that waits for it
};

// What has been executed, for tests and statistics.
struct counts {
  std::uint64_t instructions = 0, packets = 0, writes = 0, sends = 0, stores = 0, loads = 0;
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

  // More code, of which the present is a part.
  void use(std::shared_ptr<const image> more);
  // An object of this node, made by the machine itself: `write` and `start` by packets as others do.
  word new_object(int class_number);
  word text(std::string t) { return heap_.text(std::move(t)); }
  word array_of_texts(const std::vector<std::string>& all) { return heap_.texts(all, layout_of_texts(*image_)); }
  heap& values() { return heap_; }
  void set(word object, int k, word to) { memory_[address_of(object) + static_cast<std::uint32_t>(k)] = to; }
  word get(word object, int k) const { return memory_[address_of(object) + static_cast<std::uint32_t>(k)]; }

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
  void watch(const std::atomic<bool>& asked_to_stop) { asked_to_stop_ = &asked_to_stop; }

  // From now on nothing is executed.
  void stop() { stopped_ = true; }

  const counts& done() const { return counts_; }
  const image& code() const { return *image_; }
  // Objects that wait for a reply, or in a clause for a message, and where in the program: for a job that does not go
  // on.
  struct waiting {
    word object;
    int class_number;
    int site;
    bool for_a_message;
    bool left;   // by (non-resume), when its wait ends
    word asked;  // to whom it has sent its last message, which may be who owes it the reply; 0: nobody
  };
  std::vector<waiting> waiting_objects() const;
  // How many have been created here.
  std::size_t objects() const;
  // Words of memory in use, free boxes among them.
  std::size_t memory() const { return memory_.in_use().size(); }

 private:
  bool is_left(std::uint32_t object) const;
  // As it is executed: operands are numbers of registers, among them those beyond the ten.
  struct instruction {
    code::opcode what = code::opcode::end;
    std::int8_t d, a, b, c;
    bool is_immediate = false;  // b is k
    std::int16_t note = 0;
    std::int32_t t = -1;
    std::int64_t k = 0;
    std::int32_t u = -1, site = -1;
  };
  void decode();
  void run(std::uint32_t at, std::uint32_t object);
  template <bool recorded, bool watched>
  void steps(std::uint32_t at, std::uint32_t object);
  void record(const packet& p);
  void record(const instruction& i, std::uint32_t object, std::uint64_t executed);
  void call(const instruction& i, std::uint32_t from);
  std::uint32_t new_segment(int class_number);
  void collect_within_sequence();
  void check_box(const packet& p);
  void flush();
  [[noreturn]] void fail(const instruction& i, const std::string& what);

  const int node_;
  std::shared_ptr<const image> image_;
  surroundings& outside_;
  const costs costs_;
  std::vector<instruction> code_;
  node_memory memory_;
  heap heap_;
  services services_;
  std::vector<std::uint32_t> calls_;  // where functions go back to, and the frame there, by turns
  std::vector<word> stack_;           // the frames of functions
  word registers_[16] = {};
  word given_up_ = 0;
  int sent_at_ = -1;          // the site of the message that is executed: what has none of its own fails there
  std::uint64_t clocks_ = 0;  // not yet told
  int turn_ = 0;              // of neighbours
  bool stopped_ = false;
  recorder* recorder_ = nullptr;
  std::uint32_t mark_ = 0;  // of what is sent next
  const std::atomic<bool>* asked_to_stop_ = nullptr;
  counts counts_;
};

}  // namespace abcl::machine
