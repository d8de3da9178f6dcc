#include "tsubu/base/check.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

#include "tsubu/base/leftovers.hpp"
#include "tsubu/base/line_teller.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/program_lines.hpp"
#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/base/standard_output.hpp"

namespace tsubu {
namespace {

constinit thread_local job_ender this_job;

// Here, since this file is part of each program.
[[maybe_unused]] const bool output_is_watched = detail::watch_standard_output();

constinit std::atomic<void*> for_last_words{nullptr};

[[noreturn]] void end_with(int code) {
  const job_ender ender = this_job;
  this_job = {};
  remove_leftovers();
  if (ender.end != nullptr) ender.end(ender.job, code);
  std::_Exit(code);
}

}  // namespace

void set_job_ender(job_ender ender) { this_job = ender; }

// Less than what malloc() maps by itself: the parts of it serve what is small.
void keep_memory_for_last_words() {
  constexpr std::size_t bytes = std::size_t{96} << 10;
  if (for_last_words.load() == nullptr) std::free(for_last_words.exchange(std::malloc(bytes)));
}

void free_memory_for_last_words() { std::free(for_last_words.exchange(nullptr)); }

void end_job(int code, std::string_view message) {
  detail::tell_line(printable_lines(message));
  end_with(code);
}

// One thread at a time, and the first tells: another one's end of the job would take it along.
static void tell_line_of_the_program() {
  // A sanitizer tells more, and its programs take seconds to look through.
  if (sanitizer::has_address() || sanitizer::has_thread()) return;
  static std::mutex telling;
  static bool told = false;
  const std::lock_guard lock(telling);
  if (std::exchange(told, true)) return;
  try {
    const std::string line = line_of_the_program();
    if (!line.empty())
      detail::tell_line(printable_lines("tsubu:   PE " + std::to_string(this_job.pe) + " was " + line));
  } catch (const std::bad_alloc&) {
    // The reason is told; for more there is no memory.
  }
}

[[noreturn]] static void fail_at(std::string_view reason, const char* file, std::uint_least32_t line_number) {
  std::string line = "tsubu: ";
  if (this_job.pe != no_pe) line += "PE " + std::to_string(this_job.pe) + ": ";
  line.append(reason);
  line += " (";
  line += file;
  line += ':' + std::to_string(line_number) + ')';
  detail::tell_line(printable_lines(line));
  if (this_job.pe != no_pe) tell_line_of_the_program();
  end_with(exit_code::failed);
}

void fail(std::string_view reason, std::source_location where) { fail_at(reason, where.file_name(), where.line()); }

std::string detail::late_text::text_of_signed(std::uintptr_t bits) {
  return std::to_string(static_cast<std::intptr_t>(bits));
}
std::string detail::late_text::text_of_unsigned(std::uintptr_t bits) { return std::to_string(bits); }

void detail::fail_with(const char* words, std::size_t size, std::initializer_list<late_text> arguments,
                       const char* file, std::uint_least32_t line) {
  std::string_view message(words, size);
  std::string text;
  for (const late_text& argument : arguments) {
    const std::size_t place = message.find("{}");
    text.append(message.substr(0, place)).append(argument.text());
    message.remove_prefix(place + 2);
  }
  text.append(message);
  fail_at(text, file, line);
}

}  // namespace tsubu
