// Printing whole lines, from any PE, at any time: also in a handler, for nobody waits.
//
//   say("{} of {} edges are here", mine, all);       // a line, at once
//   say_once("{} PEs", pe_count());                  // on PE 0 only
//   say_in_order("PE {} has {:.3f}", this_pe(), x);  // kept; printed at the end of the job, PE by PE
//   co_await lines_printed();                        // or here, by all PEs together
//   say_info("step {}", i);                          // to the standard error, with time and PE, if --tsubu-log=info
//
// What a line may have in it: line_text.hpp; how lines stay whole, docs/printing.md.
#pragma once

#include <cstdint>
#include <string>

#include "tsubu/remote/printing/line_text.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// How much of what is said with a level is printed: this level and those above it.
enum class log_level : std::uint8_t { debug, info, warning, off };

namespace remote {

// The least level of the lines that are printed.
inline thread_local constinit log_level least_level = log_level::warning;

void say_line(std::string line);
void say_level(log_level level, std::string line);
void keep_line(std::string line);
bool is_first_pe();

}  // namespace remote

// The line, to the standard output, whole: by one write(2), or, on a PE that is in another process than PE 0, by a
// message to that, which prints it. What the printing process has printed before through stdio goes first.
// --tsubu-lines=pe,time puts these in front of it. Ends the job if it cannot be written.
// Local; does not block a task; a line that cannot be written ends the job.
template <class... A>
void say(detail::line_format<std::type_identity_t<A>...> line, const A&... arguments) {
  remote::say_line(detail::line_text(line.text, {detail::line_value(arguments)...}, line.where));
}

// The same on PE 0; nothing on the others.
// Local; does not block a task; as say().
template <class... A>
void say_once(detail::line_format<std::type_identity_t<A>...> line, const A&... arguments) {
  if (remote::is_first_pe())
    remote::say_line(detail::line_text(line.text, {detail::line_value(arguments)...}, line.where));
}

// Keeps the line on this PE, until the job has come to its end, in a deadlock too, or to lines_printed(): those of PE 0
// are printed first, each PE's in the order in which it has said them. A PE keeps up to 16 MiB; how many lines more
// there were is said behind them. A job that fails prints none of them.
// Local; does not block; throws nothing: lines beyond the bound are counted.
template <class... A>
void say_in_order(detail::line_format<std::type_identity_t<A>...> line, const A&... arguments) {
  remote::keep_line(detail::line_text(line.text, {detail::line_value(arguments)...}, line.where));
}

// Prints what is kept on all PEs, and returns when it is printed.
// Collective; blocks until all is printed; PEs that differ in what they call end the job.
task<void> lines_printed();

// To the standard error, "0.125 ms PE 3 info: ...", by one write(2), if --tsubu-log is that level or a lower one; by
// default warnings are. The time is that since the job began; a simulated job's is its own. An argument that is dear to
// make is given as a function, which is called only if the line is printed.
// Local; does not block a task; a line that cannot be written ends the job.
template <class... A>
void say_debug(detail::line_format<std::type_identity_t<A>...> line, const A&... arguments) {
  if (remote::least_level <= log_level::debug) [[unlikely]]
    remote::say_level(log_level::debug, detail::line_text(line.text, {detail::line_value(arguments)...}, line.where));
}
// As say_debug().
// Local; does not block a task; as say_debug().
template <class... A>
void say_info(detail::line_format<std::type_identity_t<A>...> line, const A&... arguments) {
  if (remote::least_level <= log_level::info) [[unlikely]]
    remote::say_level(log_level::info, detail::line_text(line.text, {detail::line_value(arguments)...}, line.where));
}
// As say_debug().
// Local; does not block a task; as say_debug().
template <class... A>
void say_warning(detail::line_format<std::type_identity_t<A>...> line, const A&... arguments) {
  if (remote::least_level <= log_level::warning) [[unlikely]]
    remote::say_level(log_level::warning, detail::line_text(line.text, {detail::line_value(arguments)...}, line.where));
}

}  // namespace tsubu
