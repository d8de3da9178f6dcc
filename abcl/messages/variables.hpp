// Where the words of each variable of a text are: values, or words of the object's segment; and the reply boxes.
#pragma once

#include <map>
#include <vector>

#include "abcl/messages/text_builder.hpp"

namespace abcl::messages {

using values = std::vector<value>;

class variables {
 public:
  explicit variables(text_builder& out) : out_(out) {}

  // A state variable or creation argument is in the segment from word `first` on, of `count`.
  void keep(const variable& v, int first, int count) { kept_[&v] = {first, count}; }
  // A local one is in these values.
  void bind(const variable& v, values to);
  void open(const variable& box, value at) { boxes_[&box] = at; }

  // Its words, as they are now.
  values read(const variable& v) const;
  void assign(const variable& v, const values& to) const;
  value box(const variable& v) const { return boxes_.at(&v); }

 private:
  struct words {
    int first, count;
  };

  text_builder& out_;
  std::map<const variable*, values> locals_;
  std::map<const variable*, words> kept_;
  std::map<const variable*, value> boxes_;
};

}  // namespace abcl::messages
