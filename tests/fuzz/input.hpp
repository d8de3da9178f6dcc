// What every fuzzer promises of its kind of input, whatever the bytes are: they are read, or refused with lines that
// begin as they should and hold no control character; nothing crashes, no sanitizer reports, and reading takes no more
// than 64 MiB and a second.
//
// A refusal ends the job. Here the function that ends the job's other PEs (tsubu::set_job_ender) throws, after the
// line has been printed, so that the process goes on with the next input; the standard error is a file in memory, which
// is looked at after each refusal.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tsubu::fuzz {

using bytes = std::span<const std::uint8_t>;

// Each fuzzer has one: reads the bytes as its kind of input is read.
void read_input(bytes input);

// Thrown in the place of the end of the job, whose line has been printed.
struct job_ended {};

// From now on the job ends by that exception, on this thread, as PE `pe` (no_pe: as no PE).
void throw_at_the_end(int pe);

// A refusal that is an exception: its text must be one line that begins so.
void check_refusal(std::string_view text, std::string_view beginning);

// What was read is not what was promised.
[[noreturn]] void finding(std::string_view what);
inline void expect(bool holds, std::string_view what) {
  if (!holds) finding(what);
}

inline std::string_view text_of(bytes input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

}  // namespace tsubu::fuzz

// What libFuzzer calls, and replay.cpp.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
