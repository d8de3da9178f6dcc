// Where a byte of a CSV file stands: RFC 4180's grammar as a machine of five states.
//
// Whether a line feed ends a record depends on all bytes before it: it may stand between quotes. So what a part of a
// file does is told for every state that it could begin in; these maps are put together like functions, and each PE
// knows the state in which its own part begins, exactly, after it and those before it have looked at their bytes once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tsubu::containers {

enum class csv_state : std::uint8_t {
  record,  // at the begin of a record
  field,   // at that of another field
  plain,   // in a field without quotes
  quoted,  // between quotes
  quote    // behind one within quotes: the field's end, or half of one that belongs to it
};

// By state: that behind some bytes. What has not been read leaves all as they are.
using csv_map = std::array<csv_state, 5>;
inline constexpr csv_map csv_identity = {csv_state::record, csv_state::field, csv_state::plain, csv_state::quoted,
                                         csv_state::quote};

constexpr csv_state after(csv_state before, char c, char delimiter) {
  const bool between_quotes = before == csv_state::quoted;
  if (c == '"') {
    if (between_quotes) return csv_state::quote;
    return before == csv_state::plain ? csv_state::plain : csv_state::quoted;
  }
  if (between_quotes) return csv_state::quoted;
  if (c == delimiter) return csv_state::field;
  if (c == '\n') return csv_state::record;
  return c == '\r' && before == csv_state::quote ? csv_state::quote : csv_state::plain;
}

// What is done by those bytes and, before them, by what `before` tells.
csv_map after(const csv_map& before, std::string_view bytes, char delimiter);

// How many of the bytes belong to the record that `state` is in, its line feed included; npos, and the state behind all
// of them, if it does not end here.
std::size_t csv_record_end(csv_state& state, std::string_view bytes, char delimiter);

}  // namespace tsubu::containers
