// How a job ends when something is wrong.
//
// Three kinds of trouble are never mixed: *not now* is a return value, *went wrong* is an exception
// carried by the task that awaits, and a *broken contract* (or bytes that no correct PE sends) ends
// the whole job here: a line that names the PE, the place, what was expected and what came, and a
// second one with the line of the program, if that can be found out.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

#include "tsubu/base/types.hpp"

namespace tsubu {

// Exit codes of a job. A program's own code is passed through.
namespace exit_code {
inline constexpr int failed = 1;        // a contract was broken, or an exception left the program
inline constexpr int usage = 2;         // a bad option or a bad input
inline constexpr int deadlock = 70;     // quiescent, but the program still waits
inline constexpr int unavailable = 69;  // a transport or plug-in that is not there
}  // namespace exit_code

// Prints "tsubu: PE 3: <reason> (file:line)" to the standard error, on a PE then "tsubu:   PE 3 was at work.cpp:9, in
// step" (program_lines.hpp), and ends the job, all PEs of it. May be called by any thread, at any time.
// Local; never returns, but may block for three seconds, and mostly a tenth of one; ends the job, or without one the
// process.
[[noreturn]] void fail(std::string_view reason, std::source_location where = std::source_location::current());

// The same, for a message that is complete in itself: no place in the source is shown.
// Local; never returns, so it does not block; as fail().
[[noreturn]] void end_job(int code, std::string_view message);

// What ends the other PEs of the job this thread belongs to; set by the floor that runs PEs.
// `end` is called after the message is printed; it should not return (if it does, the process exits).
struct job_ender {
  pe_id pe = no_pe;
  void (*end)(void* job, int code) = nullptr;
  void* job = nullptr;
};
void set_job_ender(job_ender ender);

// A job that has run out of memory needs some to say so. It is taken when the job begins, and let go of by who reports
// an exception: the job is about to end.
void keep_memory_for_last_words();
void free_memory_for_last_words();

namespace detail {

// An argument of a message that nobody may ever read, which becomes text in text(). It holds a number, and refers to
// anything else of the caller's: if it referred to a number, its caller could not keep that in a register.
class late_text {
 public:
  template <std::integral N>
    requires(sizeof(N) <= sizeof(std::uintptr_t))
  late_text(N number)
      : word_(static_cast<std::uintptr_t>(number)), make_(std::is_signed_v<N> ? &text_of_signed : &text_of_unsigned) {}
  template <std::convertible_to<std::string_view> S>
  late_text(const S& text)
      : word_(reinterpret_cast<std::uintptr_t>(&text)),
        make_([](std::uintptr_t s) { return std::string(std::string_view(*reinterpret_cast<const S*>(s))); }) {}
  template <std::invocable F>
  late_text(const F& made_by)
      : word_(reinterpret_cast<std::uintptr_t>(&made_by)),
        make_([](std::uintptr_t f) { return std::string((*reinterpret_cast<const F*>(f))()); }) {}

  std::string text() const { return make_(word_); }

 private:
  // All numbers have these two, since they are in every program: as wide as a word, with its sign.
  static std::string text_of_signed(std::uintptr_t bits);
  static std::string text_of_unsigned(std::uintptr_t bits);

  std::uintptr_t word_;
  std::string (*make_)(std::uintptr_t);
};

// A message with a {} for each argument, and the place in the source that it was written at. Its members are plain
// words, so that the compiler takes it apart: one that is a class itself g++ 12 stores before each test.
template <class... A>
struct message_here {
  template <std::size_t n>
  consteval message_here(const char (&message)[n], std::source_location here = std::source_location::current())
      : text(message), size(n - 1), file(here.file_name()), line(here.line()) {
    std::size_t places = 0;
    for (std::size_t i = 0; i + 1 < size; ++i) places += text[i] == '{' && text[i + 1] == '}' ? 1 : 0;
    if (places != sizeof...(A)) throw "the message needs a {} for each of its arguments";
  }
  const char* text;
  std::size_t size;
  const char* file;
  std::uint_least32_t line;
};

[[noreturn, gnu::cold]] void fail_with(const char* message, std::size_t size,
                                       std::initializer_list<late_text> arguments, const char* file,
                                       std::uint_least32_t line);

}  // namespace detail

// A contract, always checked: where the condition does not hold, the job ends with the message. Each {} in it stands
// for an argument: an integer, a string, or a function without parameters that gives a string. Nothing is formatted,
// and no such function is called, while the condition holds.
//
//   require(0 <= pe && pe < pes, "PE {} is named, but the job has {}", pe, pes);
// Local; does not block; ends the job where the condition does not hold.
template <class... A>
[[gnu::always_inline]] inline void require(bool holds, detail::message_here<std::type_identity_t<A>...> message,
                                           const A&... arguments) {
  if (!holds) [[unlikely]]
    detail::fail_with(message.text, message.size, {detail::late_text(arguments)...}, message.file, message.line);
}

}  // namespace tsubu
