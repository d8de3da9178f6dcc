#include "tsubu/sim/steps.hpp"

#include <charconv>
#include <cmath>

#include "tsubu/sim/words.hpp"

namespace tsubu::sim {

using what = step::what;

const char* const step_expected =
    "\"sender N clocks\", \"receiver N clocks\", \"interface N clocks\", \"packet\", \"packet back\", \"message N "
    "words\", \"leave N clocks\", \"resume N clocks\" or \"each word: sender N clocks, packet, memory N clocks\"";

namespace {

constexpr int most_header_words = 1024;

std::optional<wrong_step> wrong_because(std::string_view words, const char* why) {
  return wrong_step{"\"" + std::string(words) + "\"" + why, step_expected};
}

}  // namespace

std::optional<wrong_step> step_reader::read(std::string_view text) {
  text = trimmed(text);
  constexpr std::string_view each = "each word:";
  if (!text.starts_with(each)) return read_one(text, false);
  text.remove_prefix(each.size());
  for (;;) {
    const std::size_t comma = text.find(',');
    if (const wrong w = read_one(trimmed(text.substr(0, comma)), true)) return w;
    if (comma == text.npos) return std::nullopt;
    text.remove_prefix(comma + 1);
  }
}

bool step_reader::last_is(what does, std::size_t from_end) const {
  return steps_.size() > from_end && steps_.rbegin()[static_cast<std::ptrdiff_t>(from_end)].does == does;
}

const char* step_reader::misplaced() const {
  return at_sender_ ? ", before a packet to the receiver" : ", after a packet to the receiver";
}

step_reader::wrong step_reader::read_one(std::string_view words, bool each_word) {
  const std::size_t space = words.find(' ');
  const std::string_view verb = words.substr(0, space);
  const std::string_view rest = space == words.npos ? "" : trimmed(words.substr(space));
  const bool interface_answered = last_is(what::packet_back) && last_is(what::interface, 1);
  if ((last_is(what::interface) && words != "packet back") || interface_answered)
    return wrong_because(words, ", after an interface has executed it");
  if (last_is(what::leave)) return wrong_because(words, ", after the sender has left");
  if (last_is(what::resume)) return wrong_because(words, ", after a task has gone on");
  if (verb == "packet" && (rest.empty() || rest == "back")) return read_packet(words, !rest.empty(), each_word);
  if (verb == "message") return read_message(words, rest, each_word);
  return read_busy(words, verb, rest, each_word);
}

step_reader::wrong step_reader::read_packet(std::string_view words, bool back, bool each_word) {
  if (back && each_word) return wrong_because(words, " for each word");
  if (back == at_sender_) return wrong_because(words, misplaced());
  at_sender_ = each_word || back;
  packets_ = true;
  steps_.push_back({back ? what::packet_back : what::packet, 0, each_word});
  return std::nullopt;
}

step_reader::wrong step_reader::read_message(std::string_view words, std::string_view rest, bool each_word) {
  int header_words = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), header_words);
  const std::string_view unit = trimmed(rest.substr(static_cast<std::size_t>(end - rest.data())));
  if (error != std::errc{} || header_words < 0 || header_words > most_header_words) return wrong_because(words, "");
  if (unit != "word" && unit != "words") return wrong_because(words, "");
  if (each_word) return wrong_because(words, " for each word");
  if (!at_sender_) return wrong_because(words, misplaced());
  at_sender_ = false;
  packets_ = true;
  steps_.push_back({what::packet, 0, false, header_words});
  return std::nullopt;
}

// A step that keeps somebody busy for a while.
step_reader::wrong step_reader::read_busy(std::string_view words, std::string_view verb, std::string_view rest,
                                          bool each_word) {
  what does{};
  if (verb == "sender") {
    does = what::sender;
  } else if (verb == "leave") {
    does = what::leave;
  } else if (verb == "resume") {
    does = what::resume;
  } else if (verb == "memory") {
    does = what::memory;
  } else if (verb == "receiver") {
    does = what::receiver;
  } else if (verb == "interface") {
    does = what::interface;
  } else {
    return wrong_because(words, "");
  }
  if (const char* const why = why_not(does, each_word)) return wrong_because(words, why);
  const quantity takes = read_quantity(rest, durations_);
  if (!takes.value) return wrong_step{takes.wrong, durations_.expected};
  steps_.push_back({does, std::llround(*takes.value), each_word});
  return std::nullopt;
}

// Why there cannot be such a step here; null: there can.
const char* step_reader::why_not(what does, bool each_word) const {
  switch (does) {
    case what::sender:
      return at_sender_ ? nullptr : misplaced();
    case what::leave:
    case what::resume:
      if (each_word) return " for each word";
      return at_sender_ ? misplaced() : nullptr;
    case what::memory:
      return each_word ? nullptr : ", not in \"each word:\"";
    case what::receiver:
      if (each_word) return " for each word";
      return at_sender_ ? misplaced() : nullptr;
    default: {  // interface
      if (each_word) return " for each word";
      // Behind the words it executes the message when the last is there.
      const bool direct = last_is(what::packet);
      const bool behind_words = direct && steps_.back().each_word;
      if (at_sender_ && !behind_words) return misplaced();
      return direct ? nullptr : ", not behind a packet";
    }
  }
}

}  // namespace tsubu::sim
