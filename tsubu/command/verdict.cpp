#include "tsubu/command/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tsubu::command {
namespace {

constexpr double link_is_it = 0.6, pe_is_it = 0.7, rests = 0.5;

int percent(double share) { return static_cast<int>(100 * share + 0.5); }

// "the critical path (the busiest part is the cable into node 3)": the cable.
std::string busiest_of(const std::string& bound) {
  constexpr std::string_view begins = "(the busiest part is ";
  const std::size_t at = bound.find(begins);
  return at == bound.npos ? bound : bound.substr(at + begins.size(), bound.size() - at - begins.size() - 1);
}

}  // namespace

verdict verdict_of(const nlohmann::ordered_json& run, const sim::machine& on) {
  const auto share = [&](const char* part) { return run.at("shares").at(part).get<double>(); };
  const double all_ps = run.at("time_ps").get<double>() * run.at("pes").get<double>();
  const double of_batch = static_cast<double>(on.cost.batch_send + on.cost.batch_receive);
  verdict v;
  v.batches = std::min(run.at("batches").get<double>() * of_batch / std::max(all_ps, 1.0),
                       share("sending") + share("receiving"));
  v.messages = share("handlers") + share("sending") + share("receiving") - v.batches;

  const std::string part = busiest_of(run.at("bound").get<std::string>());
  const double busy = run.at("bound_share").get<double>();
  if (!part.starts_with("PE ") && busy >= link_is_it) {
    v.by = part.starts_with("the cable") ? "the node's cable" : part == "the bus" ? part : "a link between switches";
    v.reason = fmt::format("busy {} %", percent(busy));
    return v;
  }
  if (share("idle") < rests) {
    std::pair<double, std::string_view> most{share("work"), "computing"};
    for (const auto& [of, name] :
         {std::pair{v.messages, std::string_view("messages")}, std::pair{v.batches, std::string_view("batches' cost")},
          std::pair{share("switching"), std::string_view("switching tasks")}}) {
      if (of > most.first) most = {of, name};
    }
    v.by = most.second;
    v.reason = fmt::format("{} %", percent(most.first));
    return v;
  }
  const double busiest = run.at("busiest").get<double>();
  if (busiest >= pe_is_it) {
    v.by = "one PE";
    v.reason = fmt::format("busy {} %, all {} %", percent(busiest), percent(1 - share("idle")));
    return v;
  }
  v.by = "waiting";
  v.reason = fmt::format("idle {} %", percent(share("idle")));
  return v;
}

}  // namespace tsubu::command
