// The seam between Tsubu and a machine that is simulated: all that such a machine must be told, or asked, in one place.
//
// A simulated job runs the program and the runtime themselves; what they take, and what time it is, are the machine's.
// For that it is told what the program computes and what memory it accesses, and what each message means: EM-4 creates
// an object in other steps than it answers a request. It is asked for the time, and for a PE's neighbours. And it gives
// PEs their turns, since all of them are in one thread. Nothing of that travels, and nothing in another job costs more
// than a look at one pointer. A new cost of machines is declared here, told by whoever causes it, and implemented in
// tsubu/sim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tsubu/base/types.hpp"

namespace tsubu {

// ---- what a message is

// What a message means to a machine that has its own way to send each kind.
enum class message_kind : std::uint8_t {
  control,  // the runtime's own
  past,     // to a PE
  create,   // an object
  request,  // to an object
  reply,
  read,    // another PE's memory
  answer,  // to a read
  write,
  collective,  // of a reduction, barrier and the like
};

// What a machine has to know of a message.
struct message_facts {
  message_kind kind = message_kind::past;
  std::size_t words = 0;      // of arguments
  std::uint32_t handler = 0;  // the number of its handler, the same on all PEs
};

// ---- what a program accesses

struct memory_access {
  enum class what : std::uint8_t {
    local,
    shared_read,
    shared_write,
    synchronizer_read,
    synchronizer_write,
    fetch_and_dec,
    fetch_and_dec_of_zero,  // finds a zero in the PE's copy, and leaves it
    kernel_begins,          // from now on the PE runs under a kernel: its addresses are virtual
    kernel_call,            // takes no time where no kernel has begun
  } does;
  std::uint64_t address = 0;  // of shared memory, or of the PE's own
};

// A datum in memory that all PEs address. They share a process, so each may use the value; what that takes, they say by
// memory_access.
struct addressed_datum {
  void* value;
  std::uint64_t address;  // of its first word
};

// ---- the machine, as the PE sees it whose turn it is

class simulated_machine {
 public:
  // Picoseconds since the job began, for this PE. A program that waits by looking again and again gets on.
  virtual std::int64_t now_ps() = 0;
  // A clock of the machine's processors.
  virtual std::int64_t clock_ps() const = 0;
  // The PE computes for so many clocks, at least 0; parts of clocks count.
  virtual void work(double clocks) = 0;
  // The PE accesses a memory, which takes time on machines that have such memories.
  virtual void access(const memory_access& a) = 0;
  // What lies in memory that all PEs address, by name: null if nothing of that name does, as on machines without such a
  // memory, on which place_addressed() does nothing.
  virtual const addressed_datum* find_addressed(std::uint64_t name) const = 0;
  virtual void place_addressed(std::uint64_t name, void* value, std::size_t bytes) = 0;
  virtual void remove_addressed(std::uint64_t name) = 0;
  virtual std::size_t word_bytes() const = 0;
  // The k-th of the PEs that are near PE `of` on the machine's network, k = 0, 1, ..
  virtual pe_id neighbour(pe_id of, int k) const = 0;

 protected:
  ~simulated_machine() = default;
};

// The machine that this job is simulated on; null in any job that is not simulated.
inline constinit simulated_machine* simulated = nullptr;

// ---- a PE, as the machine sees it

// A turn has two halves, since what the first has done may take its time before the second looks for messages.
class driven_pe {
 public:
  virtual ~driven_pe() = default;

  // Makes it the PE of the calling thread; before each of its turns.
  virtual void enter() = 0;
  // Runs tasks that are ready.
  virtual void begin_turn() = 0;
  // Takes messages and sends what is gathered. Returns 0, or for how many nanoseconds nothing but a message changes
  // anything.
  virtual std::int64_t end_turn() = 0;
  // Whether the job has ended, as far as the PE knows. It then has turns of another kind, in which it sends the news;
  // take_last_turn() returns false when there is nothing left to send.
  virtual bool ended() const = 0;
  virtual bool take_last_turn() = 0;
  // What the program has returned, when the job has ended.
  virtual int exit_code() const = 0;

  // What it has done since the job began, for a machine that knows what each of these takes.
  struct deeds {
    std::uint64_t packets_executed = 0;
    std::uint64_t packets_passed_on = 0;  // to the PE that they are for
    std::uint64_t packets_sent = 0;
    std::uint64_t tasks_run = 0;

    std::uint64_t packets_taken() const { return packets_executed + packets_passed_on; }
  };
  virtual deeds done() const = 0;

  // Lets any ready task run next, as the seed draws it.
  virtual void shuffle_tasks(std::uint64_t seed) = 0;
  // What its tasks wait for, a line each: for a job that does not end.
  virtual std::string waiting_tasks() const = 0;
};

}  // namespace tsubu
