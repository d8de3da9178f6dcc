// Texts and arrays of a node. Objects of the node share them; what is sent to another object is a copy.
//
// A word that stands for one is a handle. Nobody counts handles: what is in no word of the node's memory, nor in
// another value that is kept, is given back (mark and sweep). A number that happens to look like a handle only keeps
// something longer; it cannot do harm.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/code/code.hpp"
#include "abcl/machine/word.hpp"

namespace abcl::machine {

class heap {
 public:
  struct array {
    int layout = 0;  // of an element
    std::uint32_t width = 1;
    std::vector<word> words;
    std::size_t words_of_each() const { return width == 0 ? 1 : width; }
    std::size_t size() const { return words.size() / words_of_each(); }
  };

  word text(std::string t);
  // That of the program with that number: the same each time.
  word constant(std::size_t number, const std::string& t);
  word make_array(std::size_t size, int layout, std::uint32_t width);
  // An array of them; `layout` is that of its elements.
  word texts(const std::vector<std::string>& all, int layout);
  // A new array of the elements `from` to before `to` of one that has them; 0: there are none.
  word part(word of, std::size_t from, std::size_t to);
  // 0 stands for the empty text, and for an array without elements.
  std::string_view text_of(word handle) const;
  array* array_of(word handle);

  // As bytes, with all that is in it, and back.
  void save(word value, int kind, const std::vector<code::layout>& layouts, std::string& to) const;
  word load(std::string_view& from, int kind, const std::vector<code::layout>& layouts);

  // Whether it is time to collect, now that `words` may have handles: so much has been made that looking at all these,
  // and at what was kept the last time, is little beside it.
  bool is_full(std::size_t words) const { return made_bytes_ > (1U << 20) + words * sizeof(word) + kept_bytes_; }
  void collect(std::initializer_list<std::span<const word>> roots);
  std::size_t size() const { return values_.size() - free_.size(); }

 private:
  struct value {
    enum class kind : std::uint8_t { free, text, array } what = kind::free;
    bool marked = false;
    bool constant = false;
    std::string text;
    array elements;
  };
  word add(value v, std::size_t bytes);
  const value* find(word handle) const;
  void mark(word w, std::vector<std::size_t>& open);

  std::vector<value> values_;
  std::vector<std::size_t> free_;
  std::vector<word> constants_;                  // by their numbers; none yet: no_constant
  std::size_t made_bytes_ = 0, kept_bytes_ = 0;  // since, and at, the last collection
};

}  // namespace abcl::machine
