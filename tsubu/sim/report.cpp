#include "tsubu/sim/report.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <numeric>
#include <vector>

namespace tsubu::sim {
namespace {

[[gnu::format(printf, 2, 3)]] void append(std::string& text, const char* format, ...) {
  char line[512];
  std::va_list values;
  va_start(values, format);
  const int n = std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  text.append(line, static_cast<std::size_t>(std::clamp<int>(n, 0, sizeof line - 1)));
}

struct column {
  const char* name;
  std::int64_t breakdown::* of;
};
constexpr column columns[] = {{"work", &breakdown::working},        {"handlers", &breakdown::executing},
                              {"sending", &breakdown::sending},     {"receiving", &breakdown::receiving},
                              {"switching", &breakdown::switching}, {"idle", &breakdown::idle}};

// "1.23 us": three digits that count.
std::string duration(double ps) {
  constexpr const char* units[] = {"ps", "ns", "us", "ms", "s"};
  int unit = 0;
  for (; unit < 4 && ps >= 1000; ++unit) ps /= 1000;
  std::string text;
  append(text, ps < 10 ? "%.2f %s" : (ps < 100 ? "%.1f %s" : "%.0f %s"), ps, units[unit]);
  return text;
}

// Hits and misses of what some PEs have and others may not; nothing where none has it.
struct hit_counts {
  std::uint64_t hits = 0, misses = 0;
};
template <class OfPe>
std::vector<hit_counts> hits_of_pes(int pes, OfPe of_pe) {
  std::vector<hit_counts> of;
  for (pe_id pe = 0; pe < pes; ++pe) {
    const auto* const one = of_pe(pe);
    if (one == nullptr) continue;
    of.resize(static_cast<std::size_t>(pes));
    of[static_cast<std::size_t>(pe)] = {one->hits(), one->misses()};
  }
  return of;
}
template <class OfPe>
void append_hits(std::string& text, const char* what, int pes, OfPe of_pe) {
  hit_counts all;
  const std::vector<hit_counts> of = hits_of_pes(pes, of_pe);
  for (const hit_counts& one : of) all = {all.hits + one.hits, all.misses + one.misses};
  if (of.empty()) return;
  append(text, "  %s %llu: hits %llu, misses %llu\n", what, static_cast<unsigned long long>(all.hits + all.misses),
         static_cast<unsigned long long>(all.hits), static_cast<unsigned long long>(all.misses));
}
template <class OfPe>
void append_hits_of_pes(std::string& text, const char* key, int pes, OfPe of_pe) {
  const std::vector<hit_counts> of = hits_of_pes(pes, of_pe);
  if (of.empty()) return;
  append(text, ",\n \"%s\": {\"columns\": [\"hits\", \"misses\"], \"of_pes\": [", key);
  for (const hit_counts& one : of) {
    append(text, "%s[%llu, %llu]", &one == of.data() ? "" : ", ", static_cast<unsigned long long>(one.hits),
           static_cast<unsigned long long>(one.misses));
  }
  text += "]}";
}

// What keeps the job from being faster, as far as the sums tell.
struct bound {
  std::string by;
  double share = 0;  // of the job's time that it was busy
};

// of_pe(pe): its account.
template <class OfPe>
bound bound_of(const engine& e, std::int64_t time_ps, OfPe of_pe, const std::vector<std::int64_t>& links) {
  const auto whole = static_cast<double>(std::max<std::int64_t>(time_ps, 1));
  bound b{"the critical path", 0};
  for (pe_id pe = 0; pe < e.pe_count(); ++pe) {
    const double share = static_cast<double>(of_pe(pe).time.busy()) / whole;
    if (share > b.share) b = {"PE " + std::to_string(pe), share};
  }
  for (std::size_t link = 0; link < links.size(); ++link) {
    const double share = static_cast<double>(links[link]) / whole;
    if (share > b.share) b = {e.wires().shape().name(static_cast<int>(link)), share};
  }
  // Where even the busiest part rests often, the time goes to waiting for one thing after another.
  if (b.share < 0.7) b.by = "the critical path (the busiest part is " + b.by + ")";
  return b;
}

bound bound_of(const engine& e) {
  return bound_of(e, e.time_ps(), [&](pe_id pe) { return e.of(pe); }, e.wires().taken_ps());
}

// What bounds it, and a row for each PE.
template <class OfPe>
void append_rows(std::string& text, const engine& e, const bound& by, OfPe of_pe) {
  append(text, "\"bound\": \"%s\", \"bound_share\": %.6f,\n \"columns\": [", by.by.c_str(), by.share);
  for (const column& c : columns) append(text, "\"%s_ps\", ", c.name);
  text += "\"messages\", \"batches\", \"bytes\"],\n \"of_pes\": [";
  for (pe_id pe = 0; pe < e.pe_count(); ++pe) {
    const account a = of_pe(pe);
    text += pe == 0 ? "\n  [" : ",\n  [";
    for (const column& c : columns) append(text, "%lld, ", static_cast<long long>(a.time.*c.of));
    append(text, "%llu, %llu, %llu]", static_cast<unsigned long long>(a.packets_executed),
           static_cast<unsigned long long>(a.batches_sent), static_cast<unsigned long long>(a.bytes_sent));
  }
  text += "]";
}

}  // namespace

std::string table(const engine& e, const machine& m, const host_cost& host) {
  const int pes = e.pe_count();
  const double whole = static_cast<double>(std::max<std::int64_t>(e.time_ps(), 1));
  account all;
  for (pe_id pe = 0; pe < pes; ++pe) {
    const account a = e.of(pe);
    all.time += a.time;
    all.packets_executed += a.packets_executed;
    all.batches_sent += a.batches_sent;
    all.bytes_sent += a.bytes_sent;
  }
  std::string text;
  append(text, "simulated: %s on %d PEs of %s", duration(whole).c_str(), pes, m.name.c_str());
  append(text, " (%.0f clocks)\n", whole / static_cast<double>(m.clock_ps));
  append(text, "  messages %llu, batches over the network %llu, bytes %llu\n",
         static_cast<unsigned long long>(all.packets_executed), static_cast<unsigned long long>(all.batches_sent),
         static_cast<unsigned long long>(all.bytes_sent));
  const bound by = bound_of(e);
  append(text, "  bound by %s, busy %.0f %% of the time\n", by.by.c_str(), 100 * by.share);
  append(text, "  where time went, %% of each PE's:\n  %8s", "PE");
  for (const column& c : columns) append(text, " %9s", c.name);
  append(text, " %10s\n", "messages");
  const auto row = [&](const std::string& name, const account& a, double of) {
    append(text, "  %8s", name.c_str());
    for (const column& c : columns) append(text, " %9.1f", 100 * static_cast<double>(a.time.*c.of) / of);
    append(text, " %10llu\n", static_cast<unsigned long long>(a.packets_executed));
  };
  // All of a few; of many those that worked most and least.
  std::vector<pe_id> shown(static_cast<std::size_t>(pes));
  std::iota(shown.begin(), shown.end(), 0);
  constexpr int most_rows = 128;
  if (pes > most_rows) {
    std::stable_sort(shown.begin(), shown.end(),
                     [&](pe_id a, pe_id b) { return e.of(a).time.busy() > e.of(b).time.busy(); });
    constexpr int ends = 8;
    shown.erase(shown.begin() + ends, shown.end() - ends);
  }
  for (const pe_id pe : shown) row(std::to_string(pe), e.of(pe), whole);
  if (pes > most_rows) append(text, "  (the 8 busiest PEs and the 8 least busy of %d)\n", pes);
  row("all", all, whole * pes);
  append_hits(text, "messages that were predicted", pes, [&](pe_id pe) { return e.expected(pe); });
  append_hits(text, "addresses that were translated", pes, [&](pe_id pe) { return e.translations(pe); });
  append(text, "  simulated in %.2f s of this computer's time: %llu events, %.2f million a second\n", host.seconds,
         static_cast<unsigned long long>(e.events()),
         static_cast<double>(e.events()) * 1e-6 / std::max(host.seconds, 1e-9));
  return text;
}

std::string json(const engine& e, const machine& m, const host_cost& host) {
  std::string text;
  const bound by = bound_of(e);
  append(text, "%s\"%s\", \"pes\": %d, \"time_ps\": %lld, \"clock_ps\": %lld, \"events\": %llu, ", json_begins,
         m.name.c_str(), e.pe_count(), static_cast<long long>(e.time_ps()), static_cast<long long>(m.clock_ps),
         static_cast<unsigned long long>(e.events()));
  append(text, "\"host_seconds\": %.6f, ", host.seconds);
  append_rows(text, e, by, [&](pe_id pe) { return e.of(pe); });
  if (const timed_stretch& timed = e.timed(); timed.there()) {
    const auto of_pe = [&](pe_id pe) { return timed.of(static_cast<std::size_t>(pe)); };
    append(text, ",\n \"timed\": {\"time_ps\": %lld, ", static_cast<long long>(timed.time_ps()));
    append_rows(text, e, bound_of(e, timed.time_ps(), of_pe, timed.links_taken_ps()), of_pe);
    text += "}";
  }
  append_hits_of_pes(text, "predictions", e.pe_count(), [&](pe_id pe) { return e.expected(pe); });
  append_hits_of_pes(text, "translations", e.pe_count(), [&](pe_id pe) { return e.translations(pe); });
  return text + "}\n";
}

}  // namespace tsubu::sim
