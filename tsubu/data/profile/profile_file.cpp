#include "tsubu/data/profile/profile_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/data/profile/predicted_gain.hpp"

namespace tsubu::data {
namespace {

using json = nlohmann::ordered_json;

// ---- what a PE says of a site, and the sum over all PEs

struct site_sum {
  protocol declared = protocol::global;
  bool unknown = false;
  std::uint64_t count = 0;
  std::array<std::uint64_t, protocols> present{};
  traffic_by_protocol costs{};
  traffic spent;
  std::map<pe_id, use_by_pe> by_pe;
};
using all_sites = std::map<place, site_sum>;

struct job_sum {
  all_sites sites;
  std::int64_t elapsed_ns = 0;
  std::vector<pe_waits> of_pes;
};

json as_json(const traffic& t) { return json::array({t.messages, t.bytes, t.round_trips}); }
traffic traffic_in(const json& j) {
  return {j.at(0).get<std::uint64_t>(), j.at(1).get<std::uint64_t>(), j.at(2).get<std::uint64_t>()};
}

json as_json(const run_cost::of_kind& c) {
  json j = json::array({as_json(c.spent)});
  for (const traffic& t : c.under) j.push_back(as_json(t));
  return j;
}
void add(run_cost::of_kind& to, const json& j) {
  to.spent += traffic_in(j.at(0));
  for (std::size_t p = 0; p < compared_protocols; ++p) to.under[p] += traffic_in(j.at(1 + p));
}

json as_json(const profile& p) {
  const phases& between = p.phases();
  json j = {{"waited", p.waited_ns()},          {"between_meetings", between.waited_ns()},
            {"shortest", p.shortest_wait_ns()}, {"phases", between.count()},
            {"order", between.order()},         {"kept", json::array()}};
  for (const phase& one : between.kept())
    j["kept"].push_back(json::array({one.number, one.span_ns, one.waited_ns, one.idle_ns}));
  return j;
}
pe_waits waits_in(const json& j) {
  pe_waits w{.waited_ns = j.at("waited").get<waited>(),
             .between_meetings_ns = j.at("between_meetings").get<waited>(),
             .shortest_ns = j.at("shortest").get<std::int64_t>(),
             .phases = j.at("phases").get<std::uint64_t>(),
             .order = j.at("order").get<std::uint64_t>()};
  for (const json& one : j.at("kept")) {
    w.kept.push_back({one.at(0).get<std::uint64_t>(), one.at(1).get<std::int64_t>(), one.at(2).get<waited>(),
                      one.at(3).get<std::int64_t>()});
  }
  return w;
}

json as_json(const site& s) {
  json j = {{"file", s.where.file},
            {"line", s.where.line},
            {"type", s.where.type},
            {"array", s.where.array},
            {"declared", static_cast<int>(s.declared)},
            {"unknown", s.unknown},
            {"count", s.count},
            {"present", s.present},
            {"spent", as_json(s.spent)},
            {"costs", json::array()},
            {"used", json::array()}};
  for (const traffic& t : s.costs) j["costs"].push_back(as_json(t));
  for (const auto& [pe, by] : s.by_pe) {
    j["used"].push_back(json::array(
        {pe, by.used.width_ns, by.used.reads_in, by.used.writes_in, as_json(by.cost.reads), as_json(by.cost.writes)}));
  }
  return j;
}

void add(all_sites& to, const json& j) {
  const place where{j.at("file").get<std::string>(), j.at("line").get<std::uint32_t>(), j.at("type").get<std::string>(),
                    j.at("array").get<bool>()};
  const auto [found, made] = to.try_emplace(where);
  site_sum& s = found->second;
  if (made) s.declared = protocol{j.at("declared").get<std::uint8_t>()};
  s.unknown = s.unknown || j.at("unknown").get<bool>();
  s.count += j.at("count").get<std::uint64_t>();
  for (std::size_t p = 0; p < protocols; ++p) s.present[p] += j.at("present").at(p).get<std::uint64_t>();
  for (std::size_t p = 0; p < compared_protocols; ++p) s.costs[p] += traffic_in(j.at("costs").at(p));
  s.spent += traffic_in(j.at("spent"));
  for (const json& one : j.at("used")) {
    use_by_pe& by = s.by_pe[one.at(0).get<pe_id>()];
    by.used.add(usage{one.at(1).get<std::int64_t>(), one.at(2).get<usage::counts>(), one.at(3).get<usage::counts>()});
    add(by.cost.reads, one.at(4));
    add(by.cost.writes, one.at(5));
  }
}

// The one with the least time. What adds up before it sends stays so; among equals, what was declared.
protocol best_of(const site_sum& s) {
  if (s.declared == protocol::accumulate) return s.declared;
  std::array<double, compared_protocols> times{};
  std::ranges::transform(s.costs, times.begin(), [](const traffic& t) { return t.time_ns(message_figures()); });
  const auto best = static_cast<std::size_t>(std::ranges::min_element(times) - times.begin());
  const auto declared = static_cast<std::size_t>(s.declared);
  return declared < compared_protocols && times[declared] <= times[best] ? s.declared
                                                                         : protocol{static_cast<std::uint8_t>(best)};
}

// What each PE's waits have cost, and would cost with the best protocols.
void add_costs(job_sum& job) {
  for (const auto& [where, s] : job.sites) {
    const auto best = static_cast<std::size_t>(best_of(s));
    for (const auto& [pe, by] : s.by_pe) {
      pe_waits& w = job.of_pes.at(static_cast<std::size_t>(pe));
      const run_cost::of_kind* const kinds[] = {&by.cost.reads, &by.cost.writes};
      for (std::size_t k = 0; k < wait_kinds; ++k) {
        w.spent[k] += kinds[k]->spent;
        w.then[k] += best < compared_protocols ? kinds[k]->under[best] : kinds[k]->spent;
      }
    }
  }
}

std::string name_of(const place& p) {
  return fmt::format("{}:{} ({}{})", p.file, p.line, p.array ? "array of " : "", p.type);
}

// ---- the file

json shown(const traffic& t) {
  return {{"messages", t.messages},
          {"bytes", t.bytes},
          {"round_trips", t.round_trips},
          {"time_ns", t.time_ns(message_figures())}};
}

json shown(const usage::counts& c) {
  const auto last = std::find_if(c.rbegin(), c.rend(), [](std::uint64_t n) { return n != 0; }).base();
  return json(std::vector<std::uint64_t>(c.begin(), last));
}

json shown(const place& where, const site_sum& s) {
  json j = {{"file", where.file},
            {"line", where.line},
            {"type", where.type},
            {"kind", where.array ? "array" : "variable"},
            {"count", s.count},
            {"declared", tsubu::name_of(s.declared)},
            {"best", tsubu::name_of(best_of(s))}};
  j["present"] = json::object();
  for (std::uint8_t p = 0; p < protocols; ++p) {
    if (s.present[p] != 0) j["present"][std::string(tsubu::name_of(protocol{p}))] = s.present[p];
  }
  std::uint64_t reads = 0, writes = 0;
  for (const auto& [pe, by] : s.by_pe) {
    reads += by.used.reads();
    writes += by.used.writes();
  }
  j["reads"] = reads;
  j["writes"] = writes;
  j["spent"] = shown(s.spent);
  for (std::uint8_t p = 0; p < compared_protocols; ++p) {
    j["traffic"][std::string(tsubu::name_of(protocol{p}))] = shown(s.costs[p]);
  }
  j["used"] = json::array();
  for (const auto& [pe, by] : s.by_pe) {
    j["used"].push_back({{"pe", pe},
                         {"reads", by.used.reads()},
                         {"writes", by.used.writes()},
                         {"reads_over_time", shown(by.used.reads_in)},
                         {"writes_over_time", shown(by.used.writes_in)}});
  }
  return j;
}

void write_file(const profile_settings& s, job_sum& job, const std::map<std::string, std::string>& parts) {
  std::int64_t width_ns = 0;
  for (auto& [where, sum] : job.sites) {
    for (auto& [pe, by] : sum.by_pe) width_ns = std::max(width_ns, by.used.width_ns);
  }
  add_costs(job);
  const predicted_gain gain = predict_gain(job.of_pes);
  std::int64_t waited_ns = 0;
  for (const pe_waits& w : job.of_pes) waited_ns += w.waited_ns[0] + w.waited_ns[1];
  const message_figures f;
  json j = {{"format", profile_format},
            {"version", profile_version},
            {"program", s.program},
            {"pes", job.of_pes.size()},
            {"elapsed_ns", job.elapsed_ns},
            {"waited_ns", waited_ns},
            {"predicted_ns", job.elapsed_ns - gain.ns},
            {"predicted_at_least_ns", job.elapsed_ns - gain.at_most_ns},
            {"prediction_doubtful", gain.why_not},
            {"figures", {{"round_trip_ns", f.round_trip_ns}, {"message_ns", f.message_ns}, {"byte_ns", f.byte_ns}}},
            {"slice_ns", width_ns},
            {"sites", json::array()}};
  for (auto& [where, sum] : job.sites) {
    for (auto& [pe, by] : sum.by_pe) by.used.widen(width_ns);
    j["sites"].push_back(shown(where, sum));
  }
  for (const auto& [name, text] : parts) j[name] = json::parse(text);
  const std::string trouble = tsubu::write_file({s.file, profile_begins, s.force}, j.dump(1) + '\n');
  if (!trouble.empty())
    end_job(exit_code::failed,
            one_line(fmt::format("tsubu: --tsubu-profile: {} cannot be written: {}", s.file, trouble)));
}

// ---- at the end, to the standard error

void tell_adaptive(const place& where, const site_sum& s) {
  std::string chosen;
  for (std::uint8_t p = 0; p < protocols; ++p) {
    if (s.present[p] == 0) continue;
    chosen += fmt::format("{}{} {}", chosen.empty() ? "" : ", ", s.present[p], tsubu::name_of(protocol{p}));
  }
  std::string costs;
  for (std::uint8_t p = 0; p < compared_protocols; ++p) {
    costs += fmt::format("{}{} {:.1f} us ({} messages)", p == 0 ? "" : ", ", tsubu::name_of(protocol{p}),
                         s.costs[p].time_ns(message_figures()) / 1e3, s.costs[p].messages);
  }
  fmt::print(stderr,
             "tsubu: adaptive, declared at {}: at the end {}; cost {:.1f} us ({} messages); would have cost: {}\n",
             name_of(where), chosen.empty() ? "not used" : chosen, s.spent.time_ns(message_figures()) / 1e3,
             s.spent.messages, costs);
}

void tell_unknown(const profile_settings& s, const all_sites& all) {
  std::string names;
  for (const auto& [where, sum] : all) {
    if (sum.unknown) {
      names +=
          fmt::format("{}{}, which stays {}", names.empty() ? "" : "; ", name_of(where), tsubu::name_of(sum.declared));
    }
  }
  if (!names.empty()) fmt::print(stderr, "tsubu: the profile {} does not know {}\n", one_line(s.used_file), names);
}

}  // namespace

std::string text_of(const profile& of_pe) {
  json all = json::array();
  of_pe.for_each_site([&](const site& s) { all.push_back(as_json(s)); });
  return json({{"sites", std::move(all)}, {"waits", as_json(of_pe)}}).dump();
}

void take_texts(const profile_settings& s, std::int64_t elapsed_ns, const std::vector<std::string>& of_pes,
                const std::map<std::string, std::string>& parts) {
  job_sum job;
  job.elapsed_ns = elapsed_ns;
  for (const std::string& text : of_pes) {
    const json of_pe = json::parse(text);
    job.of_pes.push_back(waits_in(of_pe.at("waits")));
    for (const json& one : of_pe.at("sites")) add(job.sites, one);
  }
  if (!s.file.empty()) write_file(s, job, parts);
  tell_unknown(s, job.sites);
  if (!s.tell) return;
  for (const auto& [where, sum] : job.sites) {
    if (sum.declared == protocol::adaptive) tell_adaptive(where, sum);
  }
}

void check_writable(const profile_settings& s) {
  const written_file out({s.file, profile_begins, s.force});
  if (!out.trouble().empty())
    end_job(exit_code::usage,
            one_line(fmt::format("tsubu: --tsubu-profile: {} cannot be written: {}", s.file, out.trouble())));
}

[[noreturn]] static void refuse_profile(const profile_settings& s, const std::string& why) {
  end_job(exit_code::usage, one_line(fmt::format("tsubu: --tsubu-use-profile: {} {}", s.used_file, why)));
}

void read_known_sites(profile_settings& s) {
  std::string why;
  const auto text = read_file(s.used_file, why);
  if (!text) refuse_profile(s, "cannot be read: " + why);
  take_known_sites(s, *text);
}

// A whole number of a file that anybody may have written.
template <std::integral T, class Refuse>
static T whole_number(const json& of, const char* name, const Refuse& refuse) {
  const json& j = of.at(name);
  const bool fits = j.is_number_unsigned() ? std::in_range<T>(j.get<std::uint64_t>())
                                           : j.is_number_integer() && std::in_range<T>(j.get<std::int64_t>());
  if (!fits) refuse(fmt::format("is not a profile of Tsubu: its \"{}\" is {}", name, j.dump()));
  return j.get<T>();
}

void take_known_sites(profile_settings& s, std::string_view text) {
  const auto refuse = [&s](const std::string& why) { refuse_profile(s, why); };
  try {
    const json j = json::parse(text);
    if (!j.is_object() || j.value("format", "") != profile_format) refuse("is not a profile of Tsubu");
    const int version = whole_number<int>(j, "version", refuse);
    if (version != profile_version) {
      refuse(fmt::format("has format version {}, and this program reads version {}: record it again", version,
                         profile_version));
    }
    const auto program = j.at("program").get<std::string>();
    if (program != s.program) refuse(fmt::format("is a profile of program {}, not of {}", program, s.program));
    std::map<place, protocol> best;
    for (const json& one : j.at("sites")) {
      const auto chosen = protocol_named(one.at("best").get<std::string>());
      if (!chosen) refuse(fmt::format("names a protocol that there is not: {}", one.at("best").get<std::string>()));
      best[{one.at("file").get<std::string>(), whole_number<std::uint32_t>(one, "line", refuse),
            one.at("type").get<std::string>(), one.at("kind").get<std::string>() == "array"}] = *chosen;
    }
    s.use = std::make_shared<const known_sites>(std::move(best));
  } catch (const json::exception& e) {
    refuse(fmt::format("is not a profile of Tsubu: {}", e.what()));
  }
}

}  // namespace tsubu::data
