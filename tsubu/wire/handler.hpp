// Handlers and their numbers.
//
// Each handler has a name (its mangled C++ name) that is the same on every PE. Handlers announce
// themselves before main() in whatever order the linker chose; number_handlers() then sorts them by
// name, so that a number means the same everywhere, and the digest of the sorted list tells whether
// two PEs run the same program. No code address ever travels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/base/types.hpp"
#include "tsubu/wire/pe_tag.hpp"

namespace tsubu::wire {

// A run of packets for one handler, as it lies in an arrived batch.
struct run {
  const std::byte* begin;
  const std::byte* end;
  pe_id from;                    // the PE that sent it
  const std::byte* batch_begin;  // for offsets in messages about bad bytes
  std::byte* bulk = nullptr;     // where the bulk that came with it has landed
  std::size_t bulk_bytes = 0;
  std::uint32_t tag_bytes = 0;  // in front of each packet, beginning with the PE it is from; 0: all are from `from`
  pe_tag tag = {};              // how they name it
  bool bare = false;            // one packet without its length: it came as a bulk, or within another packet
};

// Ends the job: at `at` in the run stands what no correct PE sends.
[[noreturn, gnu::cold]] void bad_run(const run& r, const std::byte* at, const std::string& what);

// What a handler can do ahead of a packet that its PE expects, while it is idle (message/prediction.hpp). The packet is
// one of an earlier time, of which only the first bytes have been kept, its head; it may never come again, and what it
// names may be no more.
struct ahead_functions {
  static constexpr std::size_t most_head_bytes = 32;
  std::uint32_t head_bytes;  // that the others look at
  // The same for packets that are executed in the same place.
  std::uint64_t (*key)(pe_id from, const std::byte* head);
  // Fetches what executing it begins with, in parts, 0, 1, ..; false: there is no such part, and no further one. Each
  // part asks for what the next one will read, and some time passes between them.
  bool (*prepare)(int part, pe_id from, const std::byte* head);
  // Executes it, as far as nobody can see that; null: it cannot be.
  void (*compute)(pe_id from, const std::byte* head);
};

struct handler_entry {
  // name: unique and stable. execute: runs all packets of a run and returns how many they were.
  // packet_bytes: of each packet, or 0 if packets tell their own length. place: where a bulk for this
  // handler lands; null if bulks land in a buffer of their own.
  using execute_function = std::size_t (*)(const run&);
  using place_function = std::byte* (*)(const run&);
  // words: values that a packet carries. ahead: null if nothing can be done.
  handler_entry(const char* name, execute_function execute, std::size_t packet_bytes, place_function place,
                bool counted, message_kind kind = message_kind::past, std::size_t words = 0,
                const ahead_functions* ahead = nullptr);

  // Only names something in reports: it is no handler, and has no number.
  explicit handler_entry(const char* name);

  std::uint32_t number = 0;  // valid after number_handlers(), as `code` is
  std::uint32_t code = 0;    // the number as it travels
  std::uint32_t packet_bytes;
  execute_function execute;
  place_function place;
  const char* name;
  bool counted;  // by quiescence; the packets of the runtime's own control are not
  message_kind kind;
  std::uint16_t words;
  const ahead_functions* ahead = nullptr;
  handler_entry* next;
};

// Number 0 is the handshake in which PEs compare digests. Its code is 0, too.
inline constexpr std::uint32_t handshake_number = 0;

// A number travels with bits to check it, so that one that is damaged on the way is hardly ever that of another
// handler, and never by one bit: a message of the runtime's own that is taken for another one could leave a job waiting
// for ever.
inline constexpr std::uint32_t code_bits = 29;
inline constexpr std::uint32_t most_number = 0xffff;
constexpr std::uint32_t number_in(std::uint32_t code) { return code & most_number; }
constexpr std::uint32_t code_of(std::uint32_t number) {
  return number | ((number ^ number << 3 ^ number >> 7 ^ 0xa5a) & 0x1fff) << 16;
}

// Gives every handler its number, 1.., once; later calls do nothing. Two handlers of one name end the job.
void number_handlers();

// All handlers by number; [0] is null.
std::span<handler_entry* const> handlers();

// A hash of names, numbers and packet sizes: equal exactly when two programs have the same handlers.
std::uint64_t handlers_digest();

// "tsubu::remote::past_call<&(relax(int))>" for a mangled name.
std::string readable_name(const handler_entry& handler);

// What of the program such a handler calls: "relax(int)", "box::add", a lambda by its place. The readable name if it
// calls nothing of a program's.
std::string target_name(const handler_entry& handler);

}  // namespace tsubu::wire
