#include "abcl/machine/heap.hpp"

#include <cstring>
#include <utility>

namespace abcl::machine {
namespace {

// No number that a program is likely to have: a signalling NaN.
constexpr word mark_of_handles = word{0x7ff4} << 48;
constexpr word mask_of_marks = word{0xffff} << 48;
constexpr word no_constant = ~word{0};

void put_number(std::uint64_t n, std::string& to) {
  char bytes[sizeof n];
  std::memcpy(bytes, &n, sizeof n);
  to.append(bytes, sizeof n);
}

std::uint64_t take_number(std::string_view& from) {
  std::uint64_t n = 0;
  std::memcpy(&n, from.data(), sizeof n);
  from.remove_prefix(sizeof n);
  return n;
}

}  // namespace

word heap::add(value v, std::size_t bytes) {
  made_bytes_ += bytes + sizeof(value);
  std::size_t at = 0;
  if (free_.empty()) {
    at = values_.size();
    values_.push_back(std::move(v));
  } else {
    at = free_.back();
    free_.pop_back();
    values_[at] = std::move(v);
  }
  return mark_of_handles | at;
}

const heap::value* heap::find(word handle) const {
  if ((handle & mask_of_marks) != mark_of_handles) return nullptr;
  const word at = handle & ~mask_of_marks;
  return at < values_.size() ? &values_[at] : nullptr;
}

word heap::text(std::string t) {
  if (t.empty()) return 0;
  const std::size_t bytes = t.size();
  value v;
  v.what = value::kind::text;
  v.text = std::move(t);
  return add(std::move(v), bytes);
}

word heap::constant(std::size_t number, const std::string& t) {
  if (number >= constants_.size()) constants_.resize(number + 1, no_constant);
  if (constants_[number] == no_constant) {
    constants_[number] = text(t);
    if (constants_[number] != 0) values_[constants_[number] & ~mask_of_marks].constant = true;
  }
  return constants_[number];
}

word heap::make_array(std::size_t size, int layout, std::uint32_t width) {
  value v;
  v.what = value::kind::array;
  v.elements.layout = layout;
  v.elements.width = width;
  v.elements.words.assign(size * v.elements.words_of_each(), 0);
  return add(std::move(v), size * width * sizeof(word));
}

word heap::part(word of, std::size_t from, std::size_t to) {
  const array* const all = array_of(of);
  if (all == nullptr || from == to) return 0;
  const auto word_at = [&](std::size_t element) {
    return all->words.begin() + static_cast<std::ptrdiff_t>(element * all->words_of_each());
  };
  value v;
  v.what = value::kind::array;
  v.elements.layout = all->layout;
  v.elements.width = all->width;
  v.elements.words.assign(word_at(from), word_at(to));
  const std::size_t bytes = v.elements.words.size() * sizeof(word);
  return add(std::move(v), bytes);
}

word heap::texts(const std::vector<std::string>& all, int layout) {
  const word made = make_array(all.size(), layout, 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const word t = text(all[i]);
    array_of(made)->words[i] = t;
  }
  return made;
}

std::string_view heap::text_of(word handle) const {
  const value* const v = find(handle);
  return v == nullptr ? std::string_view() : std::string_view(v->text);
}

heap::array* heap::array_of(word handle) {
  const value* const v = find(handle);
  return v == nullptr || v->what != value::kind::array ? nullptr : &const_cast<value*>(v)->elements;
}

void heap::save(word value_of, int kind, const std::vector<code::layout>& layouts, std::string& to) const {
  if (kind == 0) return put_number(value_of, to);
  if (kind == 1) {
    const std::string_view t = text_of(value_of);
    put_number(t.size(), to);
    to += t;
    return;
  }
  const value* const v = find(value_of);
  const code::layout& l = layouts[static_cast<std::size_t>(kind - 2)];
  const std::size_t size = v == nullptr ? 0 : v->elements.size();
  put_number(size, to);
  for (std::size_t i = 0; i < size * l.size(); ++i) save(v->elements.words[i], l[i % l.size()], layouts, to);
}

word heap::load(std::string_view& from, int kind, const std::vector<code::layout>& layouts) {
  const std::uint64_t n = take_number(from);
  if (kind == 0) return n;
  if (kind == 1) {
    std::string t(from.substr(0, n));
    from.remove_prefix(n);
    return text(std::move(t));
  }
  const code::layout& l = layouts[static_cast<std::size_t>(kind - 2)];
  const word made = make_array(n, kind - 2, static_cast<std::uint32_t>(l.size()));
  for (std::size_t i = 0; i < n * l.size(); ++i) {
    const word element = load(from, l[i % l.size()], layouts);
    array_of(made)->words[i] = element;
  }
  return made;
}

void heap::mark(word w, std::vector<std::size_t>& open) {
  const value* const v = find(w);
  if (v == nullptr || v->what == value::kind::free || v->marked) return;
  const_cast<value*>(v)->marked = true;
  if (v->what == value::kind::array) open.push_back(static_cast<std::size_t>(v - values_.data()));
}

void heap::collect(std::initializer_list<std::span<const word>> roots) {
  std::vector<std::size_t> open;
  for (const std::span<const word> all : roots) {
    for (const word w : all) mark(w, open);
  }
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const word w : values_[at].elements.words) mark(w, open);
  }
  made_bytes_ = kept_bytes_ = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    value& v = values_[i];
    if (v.what == value::kind::free) continue;
    if (v.marked || v.constant) {
      v.marked = false;
      kept_bytes_ += sizeof(value) + v.text.size() + v.elements.words.size() * sizeof(word);
      continue;
    }
    v = value();
    free_.push_back(i);
  }
}

}  // namespace abcl::machine
