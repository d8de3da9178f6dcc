#include "abcl/server/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

namespace abcl {
namespace {

using json = nlohmann::json;

constexpr std::size_t longest_message = std::size_t{256} << 20;
constexpr std::size_t longest_line = 8192;
// Values are copied, written and destroyed by functions that call themselves for each level.
constexpr int deepest = 100;

// Where the header begins in a line: behind what is left of a message whose length was not known.
std::size_t place_of_header(const std::string& line) {
  constexpr std::string_view name = "content-length:";
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const auto found = std::find_end(line.begin(), line.end(), name.begin(), name.end(), same);
  return found == line.end() ? std::string::npos : static_cast<std::size_t>(found - line.begin()) + name.size();
}

}  // namespace

// Keeps the end of a long line, which is no header.
bool message_stream::next_line(std::string& line) {
  line.clear();
  for (int c = 0; (c = in_.get()) != std::istream::traits_type::eof();) {
    if (c == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return true;
    }
    if (line.size() == longest_line) line.erase(0, longest_line / 2);
    line += static_cast<char>(c);
  }
  return false;
}

// Memory is taken as bytes come, not as they are announced.
bool message_stream::read_body(std::size_t length, std::string& body) {
  constexpr std::size_t piece = 1 << 20;
  body.clear();
  while (body.size() < length) {
    const std::size_t begin = body.size();
    body.resize(std::min(length, begin + piece));
    if (!in_.read(body.data() + begin, static_cast<std::streamsize>(body.size() - begin))) return false;
  }
  return true;
}

// 0 in a line that says nothing of it; nothing, and an error is sent, if what it says is no length.
std::optional<std::size_t> message_stream::length_in(const std::string& line) {
  const std::size_t place = place_of_header(line);
  if (place == std::string::npos) return 0;
  std::string_view digits = std::string_view(line).substr(place);
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  const bool good = error == std::errc{} && end == digits.data() + digits.size() && length <= longest_message;
  if (good) return length;
  send_error(nullptr, no_json,
             fmt::format("Content-Length: expected 0 to {} bytes, got '{}'", longest_message, digits));
  return std::nullopt;
}

std::optional<json> message_stream::parse(const std::string& body) {
  bool too_deep = false;
  const auto look = [&](int depth, json::parse_event_t, json&) {
    too_deep |= depth > deepest;
    return !too_deep;
  };
  json message = json::parse(body, look, false);
  if (too_deep) {
    send_error(nullptr, no_json, fmt::format("this JSON is nested deeper than {}", deepest));
  } else if (message.is_discarded()) {
    send_error(nullptr, no_json, "this is no JSON");
  } else if (!message.is_object()) {
    send_error(nullptr, no_request, "a message is an object");
  } else {
    return message;
  }
  return std::nullopt;
}

std::optional<json> message_stream::receive() {
  std::size_t length = 0;
  for (std::string line, body; next_line(line);) {
    if (!line.empty()) {
      const std::optional<std::size_t> said = length_in(line);
      length = said ? std::max(*said, length) : 0;
      continue;
    }
    if (length == 0) continue;
    if (!read_body(std::exchange(length, 0), body)) return std::nullopt;
    if (std::optional<json> message = parse(body)) return message;
  }
  return std::nullopt;
}

void message_stream::send(const json& message) {
  const std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace);
  out_ << "Content-Length: " << text.size() << "\r\n\r\n" << text << std::flush;
}

void message_stream::send_error(const json& id, int code, const std::string& why) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", why}}}});
}

}  // namespace abcl
