#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "abcl/read/form.hpp"

namespace abcl {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }
// What a symbol ends before.
bool ends_word(char c) {
  return is_space(c) || c == '(' || c == ')' || c == '[' || c == ']' || c == '!' || c == ';' || c == '"' || c == '$';
}

char closing_of(char open) { return open == '(' ? ')' : ']'; }

class reader {
 public:
  reader(const source& from, diagnostics& into) : base_(from.base()), text_(from.text()), into_(into) {}

  forms run() {
    while (true) {
      skip_space();
      if (at_end()) break;
      // Behind a definition whose brackets do not fit, what does not begin one is no error of its own.
      damaged_ = told_ = told_ && !at_definition();
      if (here() == ')' || here() == ']') {
        if (!told_) {
          into_.error(2, one_at(at_), fmt::format("`{}` closes nothing", here()), "no bracket is open here");
          if (!out_.damaged.empty()) out_.damaged.back() = true;  // which was perhaps closed too early
        }
        told_ = true;
        ++at_;
      } else if (next()) {
        out_.damaged.push_back(damaged_);
      }
    }
    out_.all = parts_from(0);
    return std::move(out_);
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char here() const { return text_[at_]; }
  span from(std::uint32_t begin, std::uint32_t end) const { return {base_ + begin, base_ + end}; }
  span one_at(std::uint32_t place) const { return from(place, place + 1); }
  bool starts_line() const { return at_ == 0 || text_[at_ - 1] == '\n'; }

  void skip_space() {
    while (!at_end()) {
      if (here() == ';') {
        const std::uint32_t begin = at_;
        while (!at_end() && here() != '\n') ++at_;
        std::uint32_t end = at_;
        while (end > begin && is_space(text_[end - 1])) --end;
        out_.comments.push_back({from(begin, end), alone_on_line(begin)});
      } else if (is_space(here())) {
        ++at_;
      } else if (text_.substr(at_).starts_with("\xEF\xBB\xBF")) {
        at_ += 3;  // a byte order mark, which some editors put before a text
      } else {
        return;
      }
    }
  }

  bool alone_on_line(std::uint32_t begin) const {
    while (begin > 0 && text_[begin - 1] != '\n') {
      if (!is_space(text_[--begin])) return false;
    }
    return true;
  }

  // A class or a function begins here, at the left margin: where brackets were not closed, what came before ends.
  bool at_definition() const {
    if (!starts_line()) return false;
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view begin : {"[class", "(function", "(type", "(use"}) {
      if (rest.starts_with(begin) && rest.size() > begin.size() && is_space(rest[begin.size()])) return true;
    }
    return false;
  }

  // Puts the next form behind those that have been read. Whether there is one: if not, this has been told.
  bool next() {
    const char c = here();
    if (c == '(' || c == '[') return brackets();
    if (c == '!') return reply();
    if (c == '"') {
      string();
    } else if (c == '$') {
      form& f = read_.emplace_back();
      f.where = one_at(at_);
      f.word = text_.substr(at_, 1);
      ++at_;
    } else if (begins_comment_of_others()) {
      into_.error(8, from(at_, end_of_word()), "a comment begins with `;`", "not so");
      while (!at_end() && here() != '\n') ++at_;
      return false;
    } else {
      word();
    }
    return true;
  }

  std::uint32_t end_of_word() const {
    std::uint32_t end = at_;
    while (end < text_.size() && !ends_word(text_[end])) ++end;
    return end;
  }

  // `// why`, where a line begins or brackets have been closed: what stands there in another language up to the end of
  // the line. Elsewhere it may be meant as an operator.
  bool begins_comment_of_others() const {
    const std::string_view w = text_.substr(at_, end_of_word() - at_);
    const bool like_one = w.starts_with("//") || w == "--" || w == "#" || (open_.empty() && w.starts_with('#'));
    if (!like_one) return false;
    std::uint32_t before = at_;
    while (before > 0 && (text_[before - 1] == ' ' || text_[before - 1] == '\t')) --before;
    if (before == 0 || text_[before - 1] == '\n') return true;
    return before < at_ && (text_[before - 1] == ')' || text_[before - 1] == ']');
  }

  // Takes the forms that have been read since there were `first` of them.
  std::vector<form> parts_from(std::size_t first) {
    const auto begin = read_.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<form> parts(std::make_move_iterator(begin), std::make_move_iterator(read_.end()));
    read_.erase(begin, read_.end());
    return parts;
  }

  void enclose(form::kind what, std::size_t first, span where) {
    std::vector<form> parts = parts_from(first);
    form& f = read_.emplace_back();
    f.what = what;
    f.where = where;
    f.parts = std::move(parts);
  }

  bool brackets() {
    const char open = here();
    const std::uint32_t begin = at_++;
    if (++depth_ > most_nested) {
      nested_too_deep(begin);
      --depth_;
      return false;
    }
    const std::size_t first = read_.size();
    open_.push_back(begin);
    while (true) {
      skip_space();
      if (at_end() || at_definition()) {
        if (!told_) tell_unclosed(begin);
        told_ = damaged_ = true;
        break;
      }
      const char c = here();
      if (c == closing_of(open)) {
        ++at_;
        break;
      }
      if (c == ')' || c == ']') {
        const bool closes_outer =
            std::any_of(open_.begin(), open_.end() - 1, [&](std::uint32_t o) { return closing_of(text_[o]) == c; });
        if (closes_outer) {
          // It closes a bracket around this one, which is not closed.
          if (!told_) {
            diagnostic& d = into_.error(2, one_at(at_), fmt::format("`{}` closes `{}`", c, open),
                                        fmt::format("`{}` was expected", closing_of(open)));
            d.notes.push_back({one_at(begin), "opened here"});
          }
          told_ = damaged_ = true;
          break;
        }
        if (!told_) {
          diagnostic& d = into_.error(2, one_at(at_), fmt::format("`{}` closes nothing", c),
                                      fmt::format("`{}` was expected, or another form", closing_of(open)));
          d.notes.push_back({one_at(begin), "this one is open"});
        }
        told_ = true;
        ++at_;
        skip_space();
        if (open_.size() == 1 && (at_end() || at_definition())) break;  // it was meant to close this one
        damaged_ |= !ends_here();
        continue;
      }
      next();
    }
    open_.pop_back();
    --depth_;
    enclose(open == '(' ? form::kind::round : form::kind::square, first, from(begin, at_));
    return true;
  }

  // Only brackets come before the next definition: the one too many was at the end of this one.
  bool ends_here() {
    const std::uint32_t before = at_;
    const std::size_t comments = out_.comments.size();
    while (!at_end() && (here() == ')' || here() == ']')) {
      ++at_;
      skip_space();
    }
    const bool yes = at_end() || at_definition();
    at_ = before;
    out_.comments.resize(comments);
    return yes;
  }

  void nested_too_deep(std::uint32_t begin) {
    if (!told_)
      into_.error(7, one_at(begin), fmt::format("forms are nested more than {} deep", most_nested), "this one");
    at_ = static_cast<std::uint32_t>(text_.size());
    told_ = damaged_ = true;
  }

  void tell_unclosed(std::uint32_t begin) {
    diagnostic& d = into_.error(1, one_at(begin), fmt::format("`{}` is not closed", text_[begin]),
                                fmt::format("no `{}` belongs to it", closing_of(text_[begin])));
    if (!at_end()) d.notes.push_back({one_at(at_), "a new definition begins here"});
  }

  bool reply() {
    const std::uint32_t begin = at_++;
    const std::size_t first = read_.size();
    skip_space();
    const bool nothing = at_end() || here() == ')' || here() == ']' || here() == '$' || at_definition();
    bool has_value = false;
    if (!nothing) {
      if (++depth_ > most_nested) {
        nested_too_deep(begin);
      } else {
        has_value = next();
      }
      --depth_;
    }
    if (!has_value) {
      if (nothing) {
        into_.error(6, one_at(begin), "`!` replies with nothing", "a value is expected behind it")
            .help.push_back("`![]` replies with the empty message, and only tells that it is done");
      }
      damaged_ = true;
      return false;
    }
    enclose(form::kind::reply, first, {base_ + begin, read_.back().where.end});
    return true;
  }

  void string() {
    form& f = read_.emplace_back();
    f.what = form::kind::text;
    const std::uint32_t begin = at_++;
    while (!at_end() && here() != '"' && here() != '\n') {
      if (here() == '\\') {
        escape(f.text);
      } else {
        const bool ends_line = text_.substr(at_, 2) == "\r\n";
        if (here() != '\t' && !ends_line) refuse_control_character();
        f.text += here();
        ++at_;
      }
    }
    if (at_end() || here() == '\n') {
      into_.error(4, from(begin, at_), "a string is not closed", "no `\"` before the end of the line")
          .help.push_back("`\\n` in a string stands for the end of a line");
      told_ = damaged_ = true;  // brackets may be in it
    } else {
      ++at_;
    }
    f.where = from(begin, at_);
  }

  void refuse_control_character() {
    if (static_cast<unsigned char>(here()) < 0x20 || here() == 0x7F) {
      into_.error(3, one_at(at_), fmt::format("the text has a control character, {:#04x}", static_cast<int>(here())),
                  "here");
    }
  }

  void escape(std::string& into) {
    const std::uint32_t begin = at_++;
    if (at_end()) return;
    switch (here()) {
      case 'n':
        into += '\n';
        break;
      case 't':
        into += '\t';
        break;
      case '"':
      case '\\':
        into += here();
        break;
      case '\n':
        return;
      default:
        into_.error(4, from(begin, at_ + 1), "a string has an escape that means nothing", "unknown escape")
            .help.push_back("the escapes are \\n, \\t, \\\" and \\\\");
    }
    ++at_;
  }

  void word() {
    form& f = read_.emplace_back();
    const std::uint32_t begin = at_;
    while (!at_end() && !ends_word(here())) {
      refuse_control_character();
      ++at_;
    }
    f.where = from(begin, at_);
    f.word = text_.substr(begin, at_ - begin);
    if (f.word.size() > 1 && f.word[0] == ':' &&
        (is_letter(f.word[1]) || static_cast<unsigned char>(f.word[1]) >= 0x80)) {
      f.what = form::kind::tag;
    } else if (looks_like_number(f.word)) {
      number(f);
    }
  }

  static bool looks_like_number(std::string_view w) {
    if (w[0] == '-' || w[0] == '+') w.remove_prefix(1);
    if (w.empty()) return false;
    return is_digit(w[0]) || (w[0] == '.' && w.size() > 1 && is_digit(w[1]));
  }

  void number(form& f) {
    std::string_view w = f.word;
    if (w[0] == '+') w.remove_prefix(1);
    const char* const end = w.data() + w.size();
    f.what = form::kind::integer;
    const auto whole = std::from_chars(w.data(), end, f.integer);
    if (whole.ptr == end) {
      if (whole.ec == std::errc::result_out_of_range) {
        into_.error(5, f.where, fmt::format("`{}` is no Int", f.word), "an Int has 64 bits")
            .help.push_back("the least is -9223372036854775808, the greatest 9223372036854775807");
      }
      return;
    }
    const auto broken = std::from_chars(w.data(), end, f.real);
    f.what = form::kind::real;
    if (broken.ptr != end) {
      f.what = form::kind::integer;
      into_.error(5, f.where, fmt::format("`{}` begins like a number and is none", f.word), "no number, and no name")
          .help.push_back("names begin with something else than a digit");
    } else if (broken.ec != std::errc() || !std::isfinite(f.real)) {
      into_.error(5, f.where, fmt::format("`{}` is no Float", f.word), "too large or too small for 64 bits");
    }
  }

  const std::uint32_t base_;
  const std::string_view text_;
  diagnostics& into_;
  forms out_;
  std::vector<form> read_;  // what belongs to the brackets that are open, those of the outermost first
  std::uint32_t at_ = 0;
  std::vector<std::uint32_t> open_;
  int depth_ = 0;
  // About the definition at hand:
  bool told_ = false;     // its brackets do not fit, and this has been told
  bool damaged_ = false;  // so that something may be missing, or stand where it does not belong
};

}  // namespace

forms read(const source& from, diagnostics& into) { return reader(from, into).run(); }

}  // namespace abcl
