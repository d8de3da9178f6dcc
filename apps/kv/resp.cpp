#include "apps/kv/resp.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace kv {

namespace {
constexpr std::size_t most_inline = 65536;
constexpr std::size_t most_header = 32;             // of "*123\r\n" and "$123\r\n"
constexpr std::size_t most_kept_words = 1024;       // whose places stay from one request to the next
constexpr std::string_view blanks = " \t\n\v\f\r";  // between the words of a line
}  // namespace

request_reader::found request_reader::broken(std::string trouble) {
  trouble_ = "Protocol error: " + std::move(trouble);
  return found::broken;
}

request_reader::found request_reader::read(std::string_view bytes) {
  bytes_ = bytes;
  if (!begun_) {
    if (bytes.empty()) return found::more_is_needed;
    at_ = 0;
    places_.clear();
    words_.clear();
    if (places_.capacity() > most_kept_words) {
      places_.shrink_to_fit();
      words_.shrink_to_fit();
    }
    if (bytes.front() != '*') return read_inline();
    const found header = read_number(words_left_, "invalid multibulk length");
    if (header != found::request) return header;
    if (words_left_ > static_cast<std::int64_t>(most_.words)) return broken("invalid multibulk length");
    begun_ = true;
    word_bytes_ = -1;
  }
  return read_words();
}

request_reader::found request_reader::read_words() {
  while (words_left_ > 0) {
    if (word_bytes_ < 0) {
      if (at_ == bytes_.size()) return found::more_is_needed;
      if (bytes_[at_] != '$') return broken(std::string("expected '$', got '") + bytes_[at_] + "'");
      std::int64_t length = 0;
      const found header = read_number(length, "invalid bulk length");
      if (header != found::request) return header;
      if (length < 0 || length > static_cast<std::int64_t>(most_.word_bytes)) return broken("invalid bulk length");
      word_bytes_ = length;
      if (at_ + static_cast<std::size_t>(length) > most_.request_bytes) return broken("too big request");
    }
    const auto bytes = static_cast<std::size_t>(word_bytes_);
    if (bytes_.size() - at_ < bytes + 2) return found::more_is_needed;
    if (bytes_.substr(at_ + bytes, 2) != "\r\n") return broken("expected the end of a bulk");
    places_.push_back({at_, bytes});
    at_ += bytes + 2;
    word_bytes_ = -1;
    --words_left_;
  }
  return finish(bytes_);
}

request_reader::found request_reader::read_number(std::int64_t& number, std::string_view what) {
  const std::string_view line = bytes_.substr(at_, most_header);
  const std::size_t end = line.find('\n');
  if (end == line.npos) return line.size() < most_header ? found::more_is_needed : broken(std::string(what));
  const char* const last = line.data() + (end > 0 ? end - 1 : 0);
  const auto [stopped, error] = std::from_chars(line.data() + 1, std::max(last, line.data() + 1), number);
  if (error != std::errc() || stopped != last || *last != '\r') return broken(std::string(what));
  at_ += end + 1;
  return found::request;
}

request_reader::found request_reader::read_inline() {
  const std::size_t end = bytes_.substr(0, most_inline).find('\n');
  if (end == bytes_.npos) return bytes_.size() < most_inline ? found::more_is_needed : broken("too big inline request");
  const std::string_view line = bytes_.substr(0, end);
  inline_.clear();
  for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != line.npos;) {
    const std::size_t from = inline_.size();
    if (!read_inline_word(line, at)) return broken("unbalanced quotes in request");
    if (inline_.size() - from > most_.word_bytes) return broken("invalid word length");
    places_.push_back({from, inline_.size() - from});
  }
  at_ = end + 1;
  return finish(inline_);
}

namespace {

int hex_digit(char c) {
  if ('0' <= c && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return 'a' <= small && small <= 'f' ? small - 'a' + 10 : -1;
}

// What stands at `at`, behind a backslash between double quotes, of which there is at least one character.
char escaped(std::string_view line, std::size_t& at) {
  if (line[at] == 'x' && line.size() - at > 2 && hex_digit(line[at + 1]) >= 0 && hex_digit(line[at + 2]) >= 0) {
    at += 3;
    return static_cast<char>(hex_digit(line[at - 2]) * 16 + hex_digit(line[at - 1]));
  }
  constexpr std::string_view names = "nrtba", meant = "\n\r\t\b\a";
  const char c = line[at++];
  const std::size_t which = names.find(c);
  return which == names.npos ? c : meant[which];
}

}  // namespace

bool request_reader::read_inline_word(std::string_view line, std::size_t& at) {
  for (char quote = '\0'; at < line.size();) {
    const char c = line[at];
    if (quote == '\0') {
      if (blanks.find(c) != blanks.npos) return true;
      ++at;
      if (c == '"' || c == '\'') {
        quote = c;
      } else {
        inline_ += c;
      }
    } else if (c == quote) {
      // Behind it the word ends, too.
      ++at;
      return at == line.size() || blanks.find(line[at]) != blanks.npos;
    } else if (c == '\\' && quote == '"' && at + 1 < line.size()) {
      inline_ += escaped(line, ++at);
    } else {
      const bool is_quote = c == '\\' && line.substr(at + 1, 1) == "'";
      inline_ += is_quote ? '\'' : c;
      at += is_quote ? 2 : 1;
    }
    if (quote != '\0' && at == line.size()) return false;  // nothing ends it
  }
  return true;
}

request_reader::found request_reader::finish(std::string_view in) {
  begun_ = false;
  words_.clear();
  for (const place& p : places_) words_.push_back(in.substr(p.at, p.bytes));
  return found::request;
}

namespace {

void add_line(std::string& to, char kind, std::int64_t number) {
  std::array<char, 24> text;
  text[0] = kind;
  char* const end = std::to_chars(text.data() + 1, text.data() + text.size(), number).ptr;
  to.append(text.data(), end);
  to += "\r\n";
}

}  // namespace

void add_status(std::string& to, std::string_view text) {
  to += '+';
  to += text;
  to += "\r\n";
}

void add_error(std::string& to, std::string_view text) {
  const std::size_t from = to.size();
  to += '-';
  to += text;
  std::replace_if(
      to.begin() + static_cast<std::ptrdiff_t>(from), to.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
  to += "\r\n";
}

void add_number(std::string& to, std::int64_t number) { add_line(to, ':', number); }

void add_bulk(std::string& to, std::string_view bytes) {
  add_line(to, '$', static_cast<std::int64_t>(bytes.size()));
  to += bytes;
  to += "\r\n";
}

void add_null(std::string& to, protocol as) { to += as == protocol::resp3 ? "_\r\n" : "$-1\r\n"; }

void add_null_array(std::string& to, protocol as) { to += as == protocol::resp3 ? "_\r\n" : "*-1\r\n"; }

void add_array(std::string& to, std::size_t elements) { add_line(to, '*', static_cast<std::int64_t>(elements)); }

void add_map(std::string& to, std::size_t pairs, protocol as) {
  const bool map = as == protocol::resp3;
  add_line(to, map ? '%' : '*', static_cast<std::int64_t>(map ? pairs : 2 * pairs));
}

void add_text(std::string& to, std::string_view text, protocol as) {
  if (as == protocol::resp2) return add_bulk(to, text);
  add_line(to, '=', static_cast<std::int64_t>(text.size() + 4));
  to += "txt:";
  to += text;
  to += "\r\n";
}

std::string as_request(std::span<const std::string_view> words) {
  std::string text;
  add_array(text, words.size());
  for (const std::string_view word : words) add_bulk(text, word);
  return text;
}

}  // namespace kv
