#include "tsubu/sim/trace.hpp"

#include <cstdarg>
#include <cstdio>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"

namespace tsubu::sim {
namespace {

// The format has microseconds, as decimals: exact to the picosecond.
struct microseconds {
  explicit microseconds(std::int64_t ps) : whole(ps / 1'000'000), rest(static_cast<int>(ps % 1'000'000)) {}
  std::int64_t whole;
  int rest;
};

constexpr const char* beginning = "[{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",";

}  // namespace

trace::trace(const std::string& file, bool force, const std::string& machine, int pes)
    : name_(file), file_({file, beginning, force}) {
  if (!file_.trouble().empty()) refuse();
  event("%s\"args\":{\"name\":\"%s\"}}", beginning, machine.c_str());
  for (int pe = 0; pe < pes; ++pe) {
    event(",\n{\"ph\":\"M\",\"pid\":0,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"PE %d\"}}", pe, pe);
  }
}

trace::~trace() {
  event("]\n");
  if (!file_.finish()) refuse();
}

void trace::refuse() const {
  end_job(exit_code::failed, one_line("tsubu: the trace cannot be written to " + name_ + ": " + file_.trouble()));
}

void trace::event(const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  std::vfprintf(file_.stream(), format, values);  // an error shows at the end
  va_end(values);
}

void trace::turn(pe_id pe, std::int64_t from_ps, std::int64_t to_ps, std::uint64_t tasks, std::uint64_t packets) {
  const microseconds from(from_ps), took(to_ps - from_ps);
  event(
      ",\n{\"ph\":\"X\",\"pid\":0,\"tid\":%d,\"ts\":%lld.%06d,\"dur\":%lld.%06d,\"name\":\"turn\","
      "\"args\":{\"tasks\":%llu,\"messages\":%llu}}",
      pe, static_cast<long long>(from.whole), from.rest, static_cast<long long>(took.whole), took.rest,
      static_cast<unsigned long long>(tasks), static_cast<unsigned long long>(packets));
}

void trace::step(pe_id pe, std::int64_t from_ps, std::int64_t to_ps, const char* name) {
  const microseconds from(from_ps), took(to_ps - from_ps);
  event(",\n{\"ph\":\"X\",\"pid\":0,\"tid\":%d,\"ts\":%lld.%06d,\"dur\":%lld.%06d,\"name\":\"%s\"}", pe,
        static_cast<long long>(from.whole), from.rest, static_cast<long long>(took.whole), took.rest, name);
}

void trace::sent(pe_id from, std::uint64_t number, pe_id to, const char* kind, std::size_t bytes, std::int64_t ps) {
  const microseconds at(ps);
  event(
      ",\n{\"ph\":\"s\",\"pid\":0,\"tid\":%d,\"ts\":%lld.%06d,\"id\":\"%d.%llu\",\"cat\":\"message\",\"name\":\"to "
      "%d\","
      "\"args\":{\"kind\":\"%s\",\"bytes\":%zu}}",
      from, static_cast<long long>(at.whole), at.rest, from, static_cast<unsigned long long>(number), to, kind, bytes);
}

void trace::taken(pe_id from, std::uint64_t number, pe_id to, std::int64_t ps) {
  const microseconds at(ps);
  event(
      ",\n{\"ph\":\"f\",\"bp\":\"e\",\"pid\":0,\"tid\":%d,\"ts\":%lld.%06d,\"id\":\"%d.%llu\",\"cat\":\"message\","
      "\"name\":\"to %d\"}",
      to, static_cast<long long>(at.whole), at.rest, from, static_cast<unsigned long long>(number), to);
}

}  // namespace tsubu::sim
