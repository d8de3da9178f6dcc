#include "abcl/machine/services.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "abcl/machine/parts.hpp"
#include "abcl/runtime/digits.hpp"

namespace abcl::machine {

namespace words = code::words;

namespace {

constexpr std::size_t most_array_words = std::size_t{1} << 36;

std::string text_of(word name, word box, bool destination) {
  if (name == 0) return "nil";
  return fmt::format("{} on PE {}", destination && box != 0 ? "destination" : "object", node_of(name));
}

}  // namespace

void services::fail(const request& r, const std::string& what) {
  outside_.fail(r.site, what);
  std::abort();  // not reached
}

// ---- arrays

word services::make_array(const request& r, const code::layout& of) {
  const auto no_memory = [&] { return fmt::format("no memory for an array of {} elements", r.a); };
  if (number(r.a) < 0) fail(r, fmt::format("an array of {} elements", number(r.a)));
  if (r.a > most_array_words / std::max<std::size_t>(of.size(), 1)) fail(r, no_memory());
  try {
    return heap_.make_array(r.a, r.u, static_cast<std::uint32_t>(of.size()));
  } catch (const std::bad_alloc&) {
    fail(r, no_memory());
  }
}

word services::length(word array) {
  const heap::array* const all = heap_.array_of(array);
  return all == nullptr ? 0 : all->size();
}

// A word of the element at index b.
word& services::element(const request& r) {
  heap::array* const all = heap_.array_of(r.a);
  const std::size_t size = all == nullptr ? 0 : all->size();
  if (r.b >= size) [[unlikely]]
    fail(r, fmt::format("index {} of an array of {}", number(r.b), size));
  return all->words[r.b * all->width + static_cast<std::size_t>(r.u)];
}

void services::set_all(const request& r) {
  heap::array& all = *heap_.array_of(r.a);
  for (std::size_t at = static_cast<std::size_t>(r.u); at < all.words.size(); at += all.width) all.words[at] = r.c;
}

// Its elements b to before c are there.
void services::require_subarray(const request& r) {
  const word size = length(r.a);
  if (r.b > r.c || r.c > size) [[unlikely]]  // what is negative is a large word
    fail(r, fmt::format("elements {} to {} of an array of {}", number(r.b), number(r.c), size));
}

word services::subarray(const request& r) {
  require_subarray(r);
  try {
    return heap_.part(r.a, r.b, r.c);
  } catch (const std::bad_alloc&) {
    fail(r, fmt::format("no memory for an array of {} elements", r.c - r.b));
  }
}

void services::require_length(const request& r) {
  const word size = length(r.a);
  if (size != r.c - r.b) [[unlikely]]
    fail(r, fmt::format("an array of {} for elements {} to {}", size, number(r.b), number(r.c)));
}

void services::set_subarray(const request& r) {
  const heap::array* const from = heap_.array_of(r.c);
  if (from == nullptr || r.a == r.c) return;
  heap::array& all = *heap_.array_of(r.a);
  std::copy(from->words.begin(), from->words.end(),
            all.words.begin() + static_cast<std::ptrdiff_t>(r.b * all.words_of_each()));
}

// ---- texts

word services::of_texts(const request& r) {
  using code::service;
  switch (r.what) {
    case service::text_length:
      return heap_.text_of(r.a).size();
    case service::compare_texts: {
      const int order = heap_.text_of(r.a).compare(heap_.text_of(r.b));
      return bits(std::int64_t{order < 0 ? -1 : order > 0 ? 1 : 0});
    }
    case service::begin_text:
      line_.clear();
      return 0;
    case service::append_int:
      append_text(line_, number(r.a));
      return 0;
    case service::append_real:
      append_text(line_, real(r.a));
      return 0;
    case service::append_bool:
      append_text(line_, r.a != 0);
      return 0;
    case service::append_text:
      line_ += heap_.text_of(r.a);
      return 0;
    case service::append_name:
      line_ += text_of(r.a, r.b, r.has_b);
      return 0;
    case service::append_array:
      line_ += fmt::format("(array of {})", length(r.a));
      return 0;
    case service::end_text:
      return heap_.text(std::exchange(line_, {}));
    default:
      return 0;
  }
}

// ---- messages to objects that have ended

void services::refuse(word message, const registers::image& of) {
  const std::uint32_t box = address_of(message);
  const code::selector_info& s = of.selectors[selector_of(message)];
  if (s.asks) {
    const auto last = box + static_cast<std::uint32_t>(words::first + s.words);
    const word asker = memory_[last - 2], reply = memory_[last - 1];
    if (asker != 0 && reply != 0) outside_.fail(memory_.site_of(box), asked_an_ended_object(s.name));
  }
  late_.count(node_, s.name);
  memory_.give_back(box);
}

// So are those that wait. (The words of express messages are there in classes that have clauses for them.)
void services::refuse_all(std::uint32_t object, const registers::image& of) {
  for (const int queue : {words::head, words::early_head}) {
    if (queue == words::early_head && memory_[object + words::interruptible] == 0) break;
    for (auto box = static_cast<std::uint32_t>(memory_[object + static_cast<std::uint32_t>(queue)]); box != 0;) {
      const auto behind = static_cast<std::uint32_t>(memory_[box + words::next]);
      refuse(memory_[box + words::message], of);
      box = behind;
    }
    memory_[object + static_cast<std::uint32_t>(queue)] = 0;
  }
}

// ---- the collector

// A name is sent to its node, which knows whether there is such an object.
word services::refers(word w) {
  const int node = node_of(w);
  if (heap_.array_of(w) != nullptr) return name_of(node_, 1);
  const bool is_name = node >= 0 && node < outside_.nodes() && w == name_of(node, address_of(w));
  return is_name && node_memory::may_be_segment(address_of(w)) ? w : 0;
}

word services::of_collector(const request& r) {
  using code::service;
  switch (r.what) {
    case service::hold:
      held_.hold();
      return 0;
    case service::release_held:
      held_.release();
      return 0;
    case service::held_words:
      return held_.words().size();
    case service::held_word:
      return held_.words()[r.a];
    case service::refers:
      return refers(r.a);
    case service::segment_of:
      return refers(r.a) == r.a && node_of(r.a) == node_ ? memory_.segment_or_0(address_of(r.a)) : 0;
    case service::array_words:
      return heap_.array_of(r.a) == nullptr ? 0 : heap_.array_of(r.a)->words.size();
    case service::array_word:
      return heap_.array_of(r.a)->words[r.b];
    case service::next_box:
      return memory_.next_box(static_cast<std::uint32_t>(r.a));
    case service::box_end:
      return memory_.box_end(static_cast<std::uint32_t>(r.a));
    default:
      return 0;
  }
}

// ---- all

word services::call(const request& r, const registers::image& of) {
  using code::service;
  switch (r.what) {
    case service::make_array:
      return make_array(r, of.layouts[static_cast<std::size_t>(r.u)]);
    case service::set_all:
      set_all(r);
      return 0;
    case service::element:
      return element(r);
    case service::set_element:
      element(r) = r.c;
      return 0;
    case service::length:
      return length(r.a);
    case service::subarray:
      return subarray(r);
    case service::require_subarray:
      require_subarray(r);
      return 0;
    case service::require_length:
      require_length(r);
      return 0;
    case service::set_subarray:
      set_subarray(r);
      return 0;
    case service::say:
      outside_.say(line_);
      return 0;
    case service::my_node:
      return static_cast<word>(node_);
    case service::node_count:
      return static_cast<word>(outside_.nodes());
    case service::exit:
      outside_.exit(number(r.a));
      return 0;
    case service::refill:
      return memory_.chain_of_boxes();
    case service::large_box:
      return memory_.large_box(static_cast<std::uint32_t>(r.a));
    case service::fill_stock:
      return memory_.chain_of_segments(of.classes[r.a], static_cast<int>(r.a), segments_at_a_time(of));
    case service::no_reply:
      if (r.a != 0 && r.b != 0 && (r.b & future_bit) == 0)
        fail(r, "the clause has ended without a reply that is waited for");
      return 0;
    case service::ended:
      refuse_all(r.object, of);
      return 0;
    case service::refuse:
      refuse(r.a, of);
      return 0;
    case service::library:
      return outside_.library(r.u, r.a, r.b, r.c, r.site);
    case service::ask_outside:
      outside_.ask_outside(r.u, name_of(node_, r.object), r.site);
      return 0;
    default:
      return r.what < service::hold ? of_texts(r) : of_collector(r);
  }
}

}  // namespace abcl::machine
