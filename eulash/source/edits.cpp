#include "eulash/source/edits.hpp"

#include <algorithm>

namespace eulash {

void edits::wrap(const std::string& file, unsigned begin, unsigned end, std::string before, std::string after) {
  of_file& f = files_[file];
  if (!f.known.emplace(begin, end, before, after).second) return;
  f.wraps.push_back({begin, end, static_cast<int>(f.wraps.size()), std::move(before), std::move(after)});
}

void edits::replace(const std::string& file, unsigned begin, unsigned end, std::string text) {
  files_[file].replacements[begin] = {end, std::move(text)};
}

std::vector<std::string> edits::files() const {
  std::vector<std::string> all;
  for (const auto& [name, changes] : files_) all.push_back(name);
  return all;
}

std::string edits::apply(const std::string& file, const std::string& text) const {
  const auto found = files_.find(file);
  if (found == files_.end()) return text;
  // What stands at an offset: ends of ranges from the inner to the outer one, then beginnings from the outer to the
  // inner.
  std::vector<const around*> begins, ends;
  for (const around& w : found->second.wraps) {
    begins.push_back(&w);
    ends.push_back(&w);
  }
  std::sort(begins.begin(), begins.end(), [](const around* a, const around* b) {
    // What stands between two ranges is in neither.
    const bool around_a = a->end != a->begin, around_b = b->end != b->begin;
    return std::tuple(a->begin, around_a, b->end, a->order) < std::tuple(b->begin, around_b, a->end, b->order);
  });
  std::sort(ends.begin(), ends.end(), [](const around* a, const around* b) {
    return std::tuple(a->end, b->begin, b->order) < std::tuple(b->end, a->begin, a->order);
  });
  std::string made;
  auto begin = begins.begin();
  auto end = ends.begin();
  auto replacement = found->second.replacements.begin();
  for (unsigned at = 0; at <= text.size();) {
    for (; end != ends.end() && (*end)->end <= at; ++end) made += (*end)->after;
    for (; begin != begins.end() && (*begin)->begin <= at; ++begin) made += (*begin)->before;
    if (replacement != found->second.replacements.end() && replacement->first == at) {
      made += replacement->second.second;
      at = std::max(replacement->second.first, at);
      const bool nothing_taken = replacement->second.first == replacement->first;
      ++replacement;
      if (!nothing_taken) continue;
    }
    if (at < text.size()) made += text[at];
    ++at;
  }
  return made;
}

std::string edits::apply_within(const std::string& file, const std::string& text, unsigned begin, unsigned end) const {
  edits within;
  const auto found = files_.find(file);
  if (found != files_.end()) {
    for (const around& w : found->second.wraps)
      if (begin <= w.begin && w.end <= end) within.wrap(file, w.begin - begin, w.end - begin, w.before, w.after);
    for (const auto& [at, r] : found->second.replacements)
      if (begin <= at && r.first <= end) within.replace(file, at - begin, r.first - begin, r.second);
  }
  return within.apply(file, text.substr(begin, end - begin));
}

}  // namespace eulash
