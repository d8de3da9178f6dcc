// A sequence chart of a run: who sent what to whom, and when each object ran, waited, and was dormant.
//
// The chart is an SVG text that needs nothing but itself: a lifeline for each object, time from top to bottom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abcl {

struct chart_event {
  enum class kind {
    created,
    message_sent,
    message_taken,  // a clause begins
    clause_ended,
    waits,
    goes_on,
    reply_sent,
    reply_taken,
    ended
  };
  kind what{};
  double at = 0;              // in `unit`s of the chart
  std::uint64_t object = 0;   // to which this happens; 0: the start of the program
  int node = 0;               // on which it is
  std::uint64_t other = 0;    // created: the creator; message_sent, reply_sent: the receiver
  std::uint64_t message = 0;  // pairs sent and taken
  std::string text;           // created: the class; message_sent: as shown; waits: for what
  bool asks = false;          // message_sent: it wants a reply
  bool express = false;
  bool within = false;  // message_taken: by a clause that runs, as in a wait-for
  bool operator==(const chart_event&) const = default;
};

struct chart_options {
  std::string title;
  std::string unit = "ns";
  std::size_t most_objects = 40;      // more are left out, and the chart says so
  std::size_t most_events = 2000;     // of the objects that are shown
  std::vector<std::string> left_out;  // what is not in the events, either: sentences that the chart says, too
};

// The events may come in any order; what is unpaired or unknown is drawn as far as it goes.
std::string sequence_chart(std::vector<chart_event> events, const chart_options& how);

// One event a line as JSON, for what runs elsewhere. What says nothing is not written; no line end.
std::string to_line(const chart_event& e);
// Nothing if it is no such line.
std::optional<chart_event> from_line(std::string_view line);

}  // namespace abcl
