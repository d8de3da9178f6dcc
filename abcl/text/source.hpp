// Source texts, and places in them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace abcl {

// A part of a source. All sources of a program share one count of bytes, so it tells the source, too. The end is not
// part of it.
struct span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool contains(std::uint32_t place) const { return begin <= place && place < end; }
  friend bool operator==(const span&, const span&) = default;
};

inline span joined(span first, span last) { return {first.begin, last.end}; }

// Both count from 1; the column counts characters of UTF-8.
struct place {
  int line = 1;
  int column = 1;
};

class source {
 public:
  // `name` is what errors call it: a path, most often. Its first byte has the number `base`.
  source(std::string name, std::string text, std::uint32_t base = 0);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view text(span s) const { return std::string_view(text_).substr(s.begin - base_, s.end - s.begin); }
  std::uint32_t base() const { return base_; }
  // The number behind its last byte, where an error may stand, too.
  std::uint32_t end() const { return base_ + static_cast<std::uint32_t>(text_.size()); }

  place place_of(std::uint32_t offset) const;
  int lines() const { return static_cast<int>(line_begins_.size()); }
  // Without its end; lines count from 1.
  std::string_view line(int number) const;
  std::uint32_t begin_of_line(int number) const { return line_begins_[static_cast<std::size_t>(number - 1)]; }

 private:
  std::string name_;
  std::string text_;
  std::uint32_t base_;
  // Characters in front of it.
  std::uint32_t characters_before(std::uint32_t offset) const;

  std::vector<std::uint32_t> line_begins_;  // as spans count
  // In front of each block of bytes: a line may be long, and have many places.
  std::vector<std::uint32_t> before_block_;
};

// The texts of one program.
class sources {
 public:
  // Throws std::length_error if all of them together have 2^32 bytes or more.
  const source& add(std::string name, std::string text);
  const source& of(std::uint32_t offset) const;
  const source& of(span s) const { return of(s.begin); }
  const std::deque<source>& all() const { return all_; }

 private:
  std::deque<source> all_;
};

// Characters of UTF-8 in `text`; what is none counts as one a byte.
int width_of(std::string_view text);

}  // namespace abcl
