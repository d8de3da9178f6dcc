// The file in which a PE leaves what messages it got, in order, for the prediction of a later run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tsubu/message/noted_message.hpp"

namespace tsubu::message {

// Messages that a trace has at most: 48 MiB of them. A run that has more is foreseen as far as it goes.
inline constexpr std::size_t most_traced = std::size_t{1} << 20;

// The trace of that PE, of a run whose files begin with `name`. Ends the job if it cannot be read, or is of a program
// with other handlers.
std::vector<noted_message> read_trace(const std::string& name, pe_id pe);

// Ends the job if it cannot be written.
void write_trace(const std::string& name, pe_id pe, const std::vector<noted_message>& messages, bool force);

}  // namespace tsubu::message
