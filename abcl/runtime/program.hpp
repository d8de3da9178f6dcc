// A whole program: its start, its output, its end.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "abcl/runtime/express.hpp"
#include "abcl/runtime/object.hpp"
#include "abcl/runtime/shown_message.hpp"
#include "abcl/runtime/values.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/printing/say.hpp"
#include "tsubu/run/run.hpp"

namespace abcl {

// ---- its end

// PE 0 has it; the program waits for it. The first exit tells the status. A deadlock report does not list this wait, at
// a line of ours, but says at its end what it means.
struct program_end {
  tsubu::oneshot<int> status{nullptr};
};
inline tsubu::pe_local<program_end> the_end;

inline void stop_sending() { ending.store(true, std::memory_order_relaxed); }
inline void exit_has_come(int status) {
  stop_sending();
  if (!the_end->status.ready()) the_end->status.set_value(status);
}

// (exit v): from then on nobody sends, so the job comes to its end, and has that status.
[[noreturn]] inline void exit(integer status) {
  stop_sending();
  for (tsubu::pe_id pe = 1; pe < tsubu::pe_count(); ++pe) tsubu::at(pe).past<stop_sending>();
  tsubu::at(0).past<exit_has_come>(status_of_exit(status));
  throw program_ends();
}

// A question will not be answered, since its duty was dropped or its object has ended, and who has asked cannot go on.
[[noreturn, gnu::cold]] inline void never_answered(const std::string& why) {
  tsubu::end_job(tsubu::exit_code::failed, "a reply that is waited for will not come: " + why);
}

// What nobody has asked for and that has thrown.
inline void thrown_by_past_message(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const program_ends&) {
    return;
  } catch (const not_resumed&) {
    return;
  } catch (const tsubu::remote_error& e) {
    if (!ending.load(std::memory_order_relaxed)) never_answered(e.message());
    return;
  } catch (const std::runtime_error& e) {
    if (!ending.load(std::memory_order_relaxed)) never_answered(e.what());
    return;
  } catch (...) {
    if (ending.load(std::memory_order_relaxed)) return;
  }
  tsubu::task_context::fail_uncaught(std::move(error));
}
inline std::vector<std::string> not_exited() { return {"the program has not exited: no (exit v) was executed"}; }
inline void begin_pe() {
  tsubu::on_past_exception(thrown_by_past_message);
  tsubu::objects::this_space().tell_late_to(comes_too_late);
  tsubu::remote::wait_reports& reports = tsubu::remote::current_pe->waits;
  reports.describe_by(describe_wait);
  reports.report_by(express_gate::clauses_that_are_left);
  if (tsubu::this_pe() == 0) reports.report_by(not_exited);
}

// A program of C++ whose objects say (exit v) awaits the first of these before it creates them, and the second where it
// waits for their end: on PE 0, once. That the program has ended is then no error of those who could not go on.
inline tsubu::task<void> begin() { co_await tsubu::everywhere().now<begin_pe>(); }
inline tsubu::task<int> exit_status() { co_return co_await the_end->status; }

// ---- its output

template <class... V>
void print(const V&... values) {
  std::string line;
  ((append_text(line, values), line += ' '), ...);
  if (!line.empty()) line.pop_back();
  tsubu::say("{}", line);
}

inline integer my_node() { return tsubu::this_pe(); }
inline integer num_node() { return tsubu::pe_count(); }

// ---- its start

// An (array Str), which may be the last argument of Main, takes all words that are left.
template <class T>
inline constexpr bool takes_all = std::is_same_v<T, array<std::string>>;

template <class T>
T argument(const tsubu::arguments& words, std::size_t i) {
  if constexpr (takes_all<T>) {
    return T::of({words.begin() + static_cast<std::ptrdiff_t>(i), words.end()});
  } else if constexpr (std::is_same_v<T, std::string>) {
    return words[i];
  } else {
    return words.number<T>(i, T());
  }
}

// Ends the job, with what the program is called with.
template <class... A>
[[noreturn]] void wrong_arguments(const std::string& program) {
  std::string list;
  ((list += std::is_same_v<A, std::string> ? " TEXT"
            : std::is_same_v<A, double>    ? " FLOAT"
            : takes_all<A>                 ? " TEXT..."
                                           : " INT"),
   ...);
  tsubu::end_job(tsubu::exit_code::usage, "usage: " + program + (list.empty() ? " (no arguments)" : list));
}

template <class Main, class... A, std::size_t... I>
tsubu::task<int> program(tsubu::arguments words, std::index_sequence<I...>) {
  constexpr std::size_t most = sizeof...(A) + 1;
  const bool good = (takes_all<A> || ...) ? words.size() + 1 >= most : words.size() == most;
  if (!good) wrong_arguments<A...>(words[0]);
  co_await begin();
  tsubu::create<Main>(tsubu::here(), argument<A>(words, I + 1)...);
  co_return co_await exit_status();
}
template <class Main, class... A>
tsubu::task<int> program_of(tsubu::arguments words) {
  return program<Main, A...>(std::move(words), std::index_sequence_for<A...>());
}

// What a compiled program's main() returns; A are the arguments of Main, which come from the command line.
template <class Main, class... A>
int run(int argc, char** argv, std::span<const site> sites) {
  add_sites(sites);
  ending.store(false, std::memory_order_relaxed);
  return tsubu::run(argc, argv, program_of<Main, A...>);
}

}  // namespace abcl
