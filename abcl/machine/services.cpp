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

heap::array& services::array_at(const request& r, word array, word index) {
  heap::array* const a = heap_.array_of(array);
  const std::size_t size = a == nullptr ? 0 : a->size();
  if (index >= size) [[unlikely]]
    fail(r, fmt::format("index {} of an array of {}", number(index), size));
  return *a;
}

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

word services::call(const request& r, const registers::image& of) {
  using code::service;
  const word a = r.a, b = r.b, c = r.c;
  switch (r.what) {
    case service::make_array: {
      if (number(a) < 0) fail(r, fmt::format("an array of {} elements", number(a)));
      const code::layout& l = of.layouts[static_cast<std::size_t>(r.u)];
      if (a > most_array_words / std::max<std::size_t>(l.size(), 1))
        fail(r, fmt::format("no memory for an array of {} elements", a));
      try {
        return heap_.make_array(a, r.u, static_cast<std::uint32_t>(l.size()));
      } catch (const std::bad_alloc&) {
        fail(r, fmt::format("no memory for an array of {} elements", a));
      }
    }
    case service::set_all: {
      heap::array& all = *heap_.array_of(a);
      for (std::size_t at = static_cast<std::size_t>(r.u); at < all.words.size(); at += all.width) all.words[at] = c;
      return 0;
    }
    case service::element: {
      const heap::array& all = array_at(r, a, b);
      return all.words[b * all.width + static_cast<std::size_t>(r.u)];
    }
    case service::set_element: {
      heap::array& all = array_at(r, a, b);
      all.words[b * all.width + static_cast<std::size_t>(r.u)] = c;
      return 0;
    }
    case service::length: {
      const heap::array* const all = heap_.array_of(a);
      return all == nullptr ? 0 : all->size();
    }
    case service::text_length:
      return heap_.text_of(a).size();
    case service::compare_texts: {
      const int order = heap_.text_of(a).compare(heap_.text_of(b));
      return bits(std::int64_t{order < 0 ? -1 : order > 0 ? 1 : 0});
    }
    case service::begin_text:
      line_.clear();
      return 0;
    case service::append_int:
      append_text(line_, number(a));
      return 0;
    case service::append_real:
      append_text(line_, real(a));
      return 0;
    case service::append_bool:
      append_text(line_, a != 0);
      return 0;
    case service::append_text:
      line_ += heap_.text_of(a);
      return 0;
    case service::append_name:
      line_ += text_of(a, b, r.has_b);
      return 0;
    case service::append_array: {
      const heap::array* const all = heap_.array_of(a);
      line_ += fmt::format("(array of {})", all == nullptr ? 0 : all->size());
      return 0;
    }
    case service::end_text:
      return heap_.text(std::exchange(line_, {}));
    case service::say:
      outside_.say(line_);
      return 0;
    case service::my_node:
      return static_cast<word>(node_);
    case service::node_count:
      return static_cast<word>(outside_.nodes());
    case service::exit:
      outside_.exit(number(a));
      return 0;
    case service::refill:
      return memory_.chain_of_boxes();
    case service::large_box:
      return memory_.large_box(static_cast<std::uint32_t>(a));
    case service::fill_stock:
      return memory_.chain_of_segments(of.classes[a], static_cast<int>(a));
    case service::no_reply:
      if (a != 0 && b != 0 && (b & future_bit) == 0) fail(r, "the clause has ended without a reply that is waited for");
      return 0;
    case service::ended:
      // So are those that wait. (The words of express messages are there in classes that have clauses for them.)
      for (const int queue : {words::head, words::early_head}) {
        if (queue == words::early_head && memory_[r.object + words::interruptible] == 0) break;
        for (auto box = static_cast<std::uint32_t>(memory_[r.object + static_cast<std::uint32_t>(queue)]); box != 0;) {
          const auto behind = static_cast<std::uint32_t>(memory_[box + words::next]);
          refuse(memory_[box + words::message], of);
          box = behind;
        }
        memory_[r.object + static_cast<std::uint32_t>(queue)] = 0;
      }
      return 0;
    case service::refuse:
      refuse(a, of);
      return 0;
    case service::library:
      return outside_.library(r.u, a, b, c, r.site);
    case service::ask_outside:
      outside_.ask_outside(r.u, name_of(node_, r.object), r.site);
      return 0;
  }
  return 0;
}

}  // namespace abcl::machine
