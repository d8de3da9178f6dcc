// PEs that share memory: those of one process, or those of several processes of one machine.
//
// Every pair of PEs that has something to say has a ring of its own, and every PE has one part that others may touch:
// the stack on which they leave the batches that they give back to it, how many rings they have made to it, and the
// place where it sleeps. These lie in the shared memory, and so do the batches. All else is private.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "tsubu/transport/shared/meeting.hpp"
#include "tsubu/transport/shared/memory.hpp"
#include "tsubu/transport/shared/parking.hpp"
#include "tsubu/transport/shared/pieces.hpp"
#include "tsubu/transport/shared/ring.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

// The part of a PE that others may touch.
struct alignas(128) public_part {
  public_part(reach sharers, bool fences) : bed(sharers, fences) {}
  std::atomic<handle> returned{0};      // a stack of this PE's batches that others have given back
  std::atomic<std::uint32_t> rings{0};  // how many rings have been made to this PE
  parking bed;
  pe_id sleeps_with = 0;  // in whose bed this PE sleeps: its own, or that of the first PE on its thread
};

// How a PE ends the job, in the way of the transport that the group belongs to. Neither returns.
struct group_ending {
  void (*abort)(int code);
  void (*fail)(const char* reason);
};

// What all PEs of a group agree on.
struct group_facts {
  int pes = 1;
  std::size_t batch_bytes = 0;
  std::size_t room_behind = 0;  // bytes of a batch's memory behind its capacity
  bool oversubscribed = false;  // more threads than cores
  bool shares_cores = false;    // more PEs than cores
  group_ending ending{};
};

// How a group is spread over processes. PE p is of process p / pes_per_process.
struct group_processes {
  int own = 0;
  int pes_per_process = 1;
  std::vector<pid_t> pids;
  bool system_copies = false;  // a process may read the memory of another (process_vm_readv(2))
};

class shared_group {
 public:
  // All PEs are of this process.
  explicit shared_group(const group_facts& facts)
      : facts_(facts),
        memory_(facts.pes),
        own_control_(static_cast<std::byte*>(::operator new(control_bytes(facts.pes), std::align_val_t{128}))),
        control_(make_control(own_control_.get(), facts.pes, reach::process, can_fence_all_threads(reach::process))) {
    processes_.pes_per_process = facts.pes;
  }

  // PEs of several processes; the segment of `bytes` bytes is mapped here at `base`. One process makes the group's
  // control block before any other comes here.
  shared_group(const group_facts& facts, group_processes processes, std::byte* base, std::size_t bytes)
      : facts_(facts),
        processes_(std::move(processes)),
        memory_(facts.pes, base, front_bytes(facts.pes), bytes_each(facts.pes, bytes)),
        control_(control_at(base + control_offset, facts.pes)) {}
  shared_group(const shared_group&) = delete;
  shared_group& operator=(const shared_group&) = delete;

  // How large a segment is in which each of so many PEs has `each` bytes for its rings and batches.
  static std::size_t segment_bytes(int pes, std::size_t each) {
    return front_bytes(pes) + static_cast<std::size_t>(pes) * ((each + page - 1) / page * page);
  }

  // In one process of several, with the segment just made: what the others will find there. `fences`: each of them
  // has been asked can_fence_all_threads(reach::machine), and has said yes.
  static void prepare(std::byte* base, int pes, bool fences) {
    make_control(base + control_offset, pes, reach::machine, fences);
  }

  const group_facts& facts() const { return facts_; }
  std::size_t pe_count() const { return static_cast<std::size_t>(facts_.pes); }
  shared_memory& memory() { return memory_; }
  meeting& everyone() { return *control_.everyone; }
  public_part& public_part_of(pe_id pe) { return control_.parts[pe]; }

  // Where that PE sleeps.
  parking& bed_of(pe_id pe) { return control_.parts[control_.parts[pe].sleeps_with].bed; }
  // PEs of this process that one thread runs by turns. Before any of them sleeps or is woken.
  void sleep_together(pe_id first, pe_id count) {
    for (pe_id pe = first; pe < first + count; ++pe) control_.parts[pe].sleeps_with = first;
  }

  // The place of a pair's ring: 0 until the sender makes it, when it first sends.
  std::atomic<handle>& ring_of(pe_id from, pe_id to) {
    return control_.rings[static_cast<std::size_t>(to) * pe_count() + static_cast<std::size_t>(from)];
  }

  // What a PE has put there; where processes share the memory it is checked, as all that comes from another is.
  ring* ring_at(handle h, pe_id maker) { return static_cast<ring*>(place_at(h, maker, sizeof(ring))); }
  batch* batch_at(handle h, pe_id maker) { return static_cast<batch*>(place_at(h, maker, memory_of_a_batch())); }
  // Whether that PE can have made it, as a batch says whose header another process may have written.
  bool has_made(pe_id maker, const batch* b) const {
    return maker >= 0 && maker < facts_.pes && memory_.at(memory_.handle_of(b), maker, memory_of_a_batch()) != nullptr;
  }
  void* allocate(pe_id owner, std::size_t bytes) {
    void* memory = memory_.allocate(owner, bytes);
    check(memory != nullptr,
          "the messages of this PE fill its part of the memory that the ranks of this node share (--tsubu-memory "
          "bounds what waits there, --tsubu-shared=off has none)");
    return memory;
  }
  // As shared_memory has it.
  std::span<std::byte> used_beyond(pe_id owner, std::size_t kept) const { return memory_.used_beyond(owner, kept); }
  std::size_t memory_of_a_batch() const { return sizeof(batch) + facts_.batch_bytes + facts_.room_behind; }

  void check(bool holds, const char* reason) const {
    if (!holds) [[unlikely]]
      facts_.ending.fail(reason);
  }

  // ---- processes

  pe_id pes_per_process() const { return processes_.pes_per_process; }
  bool is_own_process(pe_id pe) const { return !memory_.is_segment() || process_of(pe) == processes_.own; }
  // How the bytes of a bulk reach a PE of another process: in pieces through the ring, which keeps both of them busy
  // and is twice as fast as the system's copy while the bytes stay in the caches; or, if they are many, by that copy,
  // which the sender need not attend to.
  bool goes_in_pieces(pe_id pe, std::size_t bytes) const {
    return !is_own_process(pe) && (!processes_.system_copies || bytes <= pieces::longest_bulk(facts_.batch_bytes));
  }
  pid_t pid_of(pe_id pe) const { return processes_.pids[static_cast<std::size_t>(process_of(pe))]; }

 private:
  struct control {
    meeting* everyone;
    public_part* parts;
    std::atomic<handle>* rings;
  };
  struct free_control {
    void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{128}); }
  };

  static constexpr std::size_t page = 4096;
  static constexpr std::size_t control_offset = 128;  // behind the segment's mark

  static std::size_t pairs(int pes) { return static_cast<std::size_t>(pes) * static_cast<std::size_t>(pes); }
  static std::size_t control_bytes(int pes) {
    return sizeof(public_part) * (static_cast<std::size_t>(pes) + 1) + sizeof(std::atomic<handle>) * pairs(pes);
  }
  static std::size_t front_bytes(int pes) { return (control_offset + control_bytes(pes) + page - 1) / page * page; }
  static std::size_t bytes_each(int pes, std::size_t bytes) {
    return (bytes - front_bytes(pes)) / static_cast<std::size_t>(pes) / page * page;
  }

  static_assert(sizeof(meeting) <= sizeof(public_part));
  static control control_at(std::byte* memory, int pes) {
    auto* parts = reinterpret_cast<public_part*>(memory) + 1;
    return {reinterpret_cast<meeting*>(memory), parts, reinterpret_cast<std::atomic<handle>*>(parts + pes)};
  }
  static control make_control(std::byte* memory, int pes, reach sharers, bool fences) {
    const control made = control_at(memory, pes);
    new (made.everyone) meeting(static_cast<std::uint32_t>(pes), sharers);
    for (int pe = 0; pe < pes; ++pe) (new (made.parts + pe) public_part(sharers, fences))->sleeps_with = pe;
    for (std::size_t pair = 0; pair < pairs(pes); ++pair) new (made.rings + pair) std::atomic<handle>(0);
    return made;
  }

  int process_of(pe_id pe) const { return pe / processes_.pes_per_process; }

  void* place_at(handle h, pe_id maker, std::size_t bytes) {
    void* place = memory_.at(h, maker, bytes);
    check(place != nullptr, "a process of this node names a place in the shared memory that is not its own");
    return place;
  }

  // Constant after construction.
  const group_facts facts_;
  group_processes processes_;

  shared_memory memory_;
  const std::unique_ptr<std::byte, free_control> own_control_;  // if there is no segment
  const control control_;
};

}  // namespace tsubu::transport
