// Events of a chart as lines of JSON.
#include <nlohmann/json.hpp>

#include <array>
#include <limits>

#include "abcl/chart/chart.hpp"

namespace abcl {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 9> kinds{"created", "message_sent", "message_taken", "clause_ended", "waits",
                                           "goes_on", "reply_sent",   "reply_taken",   "ended"};

// False if the member is there and of another type.
template <class T>
bool read(const json& from, const char* name, T& to) {
  const auto found = from.find(name);
  if (found == from.end()) return true;
  if constexpr (std::is_same_v<T, bool>) {
    if (!found->is_boolean()) return false;
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!found->is_string()) return false;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (!found->is_number_unsigned()) return false;
  } else if constexpr (std::is_same_v<T, int>) {
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > std::numeric_limits<int>::max()) return false;
  } else {
    if (!found->is_number()) return false;
  }
  to = found->get<T>();
  return true;
}

}  // namespace

std::string to_line(const chart_event& e) {
  json j{{"what", kinds[static_cast<std::size_t>(e.what)]}, {"at", e.at}, {"object", e.object}};
  if (e.node != 0) j["node"] = e.node;
  if (e.other != 0) j["other"] = e.other;
  if (e.message != 0) j["message"] = e.message;
  if (!e.text.empty()) j["text"] = e.text;
  if (e.asks) j["asks"] = true;
  if (e.express) j["express"] = true;
  if (e.within) j["within"] = true;
  // A text may hold any bytes.
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<chart_event> from_line(std::string_view line) {
  const json j = json::parse(line, nullptr, false);
  if (!j.is_object()) return std::nullopt;
  std::string what;
  if (!read(j, "what", what)) return std::nullopt;
  chart_event e;
  std::size_t kind = 0;
  while (kind < kinds.size() && what != kinds[kind]) ++kind;
  if (kind == kinds.size()) return std::nullopt;
  e.what = static_cast<chart_event::kind>(kind);
  const bool good = read(j, "at", e.at) && read(j, "object", e.object) && read(j, "node", e.node) &&
                    read(j, "other", e.other) && read(j, "message", e.message) && read(j, "text", e.text) &&
                    read(j, "asks", e.asks) && read(j, "express", e.express) && read(j, "within", e.within);
  return good ? std::optional(std::move(e)) : std::nullopt;
}

}  // namespace abcl
