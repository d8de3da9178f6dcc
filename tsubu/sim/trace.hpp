// What each simulated PE did, and when, as a file for Perfetto (ui.perfetto.dev) or chrome://tracing: a track for each
// PE with its turns, and an arrow for each message. Two runs with the same seed, machine and input write the same
// bytes.
#pragma once

#include <cstdint>
#include <string>

#include "tsubu/base/files.hpp"
#include "tsubu/base/types.hpp"

namespace tsubu::sim {

class trace {
 public:
  // Ends the process if the file cannot be written. force: it may replace one that is no trace.
  trace(const std::string& file, bool force, const std::string& machine, int pes);
  // The file is whole, and there.
  ~trace();
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;

  // Times in picoseconds. A turn in which nothing was done is left out by the caller.
  void turn(pe_id pe, std::int64_t from_ps, std::int64_t to_ps, std::uint64_t tasks, std::uint64_t packets);
  // A step of a protocol, or work.
  void step(pe_id pe, std::int64_t from_ps, std::int64_t to_ps, const char* name);
  // `number` of those of its sender; kind: of message.
  void sent(pe_id from, std::uint64_t number, pe_id to, const char* kind, std::size_t bytes, std::int64_t ps);
  void taken(pe_id from, std::uint64_t number, pe_id to, std::int64_t ps);

 private:
  [[gnu::format(printf, 2, 3)]] void event(const char* format, ...);

  [[noreturn]] void refuse() const;

  std::string name_;
  written_file file_;
};

}  // namespace tsubu::sim
