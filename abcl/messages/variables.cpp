#include "abcl/messages/variables.hpp"

#include <utility>

namespace abcl::messages {

void variables::bind(const variable& v, values to) {
  for (const value each : to) out_.name(each, v.name);
  locals_[&v] = std::move(to);
}

values variables::read(const variable& v) const {
  values all;
  if (const auto word = kept_.find(&v); word != kept_.end()) {
    for (int i = 0; i < word->second.count; ++i) all.push_back(out_.load(code::segment, word->second.first + i));
    return all;
  }
  for (const value each : locals_.at(&v)) all.push_back(out_.moved(each));
  return all;
}

void variables::assign(const variable& v, const values& to) const {
  if (const auto word = kept_.find(&v); word != kept_.end()) {
    for (std::size_t i = 0; i < to.size(); ++i)
      out_.store(code::segment, word->second.first + static_cast<int>(i), to[i]);
    return;
  }
  const values& places = locals_.at(&v);
  for (std::size_t i = 0; i < to.size(); ++i) out_.emit({.what = code::opcode::move, .d = places[i], .a = to[i]});
}

}  // namespace abcl::messages
