#include "tsubu/containers/files/csv_states.hpp"

#include <algorithm>
#include <utility>

namespace tsubu::containers {

csv_map after(const csv_map& before, std::string_view bytes, char delimiter) {
  // Most bytes take all states to the same one or leave two, so only the different ones are followed.
  std::array<csv_state, 5> now{};
  std::array<std::size_t, 5> follows{};
  std::size_t different = 0;
  const auto add = [&](csv_state s) {
    const auto end = now.begin() + static_cast<std::ptrdiff_t>(different);
    const auto place = static_cast<std::size_t>(std::find(now.begin(), end, s) - now.begin());
    if (place == different) now[different++] = s;
    return place;
  };
  for (std::size_t i = 0; i < before.size(); ++i) follows[i] = add(before[i]);
  for (const char c : bytes) {
    bool some_met = false;
    for (std::size_t i = 0; i < different; ++i) {
      now[i] = after(now[i], c, delimiter);
      some_met = some_met || (i > 0 && now[i] == now[i - 1]);
    }
    if (!some_met) continue;
    const std::array<csv_state, 5> all = now;
    std::array<std::size_t, 5> to{};
    const std::size_t had = std::exchange(different, 0);
    for (std::size_t i = 0; i < had; ++i) to[i] = add(all[i]);
    for (std::size_t& f : follows) f = to[f];
  }
  csv_map behind{};
  for (std::size_t i = 0; i < behind.size(); ++i) behind[i] = now[follows[i]];
  return behind;
}

std::size_t csv_record_end(csv_state& state, std::string_view bytes, char delimiter) {
  if (state != csv_state::quoted && state != csv_state::quote) {
    // Most lines have no quotes, and are records.
    const std::size_t newline = bytes.find('\n');
    if (newline != std::string_view::npos && bytes.substr(0, newline).find('"') == std::string_view::npos) {
      state = csv_state::record;
      return newline + 1;
    }
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    state = after(state, bytes[i], delimiter);
    if (state == csv_state::record) return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace tsubu::containers
