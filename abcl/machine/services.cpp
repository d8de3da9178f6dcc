// What the machine does for a program itself: arrays and texts, output, memory for its handlers.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "abcl/machine/parts.hpp"
#include "abcl/machine/processor.hpp"
#include "abcl/machine/recorder.hpp"
#include "abcl/runtime/digits.hpp"

namespace abcl::machine {

namespace words = code::words;

heap::array& processor::array_at(const instruction& i, word array, word index) {
  heap::array* const a = heap_.array_of(array);
  const std::size_t size = a == nullptr ? 0 : a->size();
  if (index >= size) [[unlikely]]
    fail(i, fmt::format("index {} of an array of {}", number(index), size));
  return *a;
}

std::string processor::text_of(word name, word box, bool destination) const {
  if (name == 0) return "nil";
  if (destination && box != 0) return fmt::format("destination {} on PE {}", address_of(box), node_of(name));
  return fmt::format("object {} on PE {}", address_of(name), node_of(name));
}

// A message to an object that has ended. Who waits for a reply to it is told.
void processor::refuse(const instruction& i, word message) {
  const std::uint32_t box = address_of(message);
  const code::selector_info& s = image_->selectors[selector_of(message)];
  if (s.asks) {
    const auto last = box + static_cast<std::uint32_t>(words::first + s.words);
    const word asker = memory_[last - 2], reply = memory_[last - 1];
    if (asker != 0 && reply != 0) fail(i, "a question " + s.name + " to an object that has ended");
  }
  memory_[box + words::next] = memory_[words::free_boxes];
  give_first(box);
}

word processor::service(const instruction& i, word a, word b, word c, std::uint32_t object) {
  using code::service;
  switch (static_cast<service>(i.k)) {
    case service::make_array: {
      if (number(a) < 0) fail(i, fmt::format("an array of {} elements", number(a)));
      const code::layout& l = image_->layouts[static_cast<std::size_t>(i.u)];
      if (a > most_array_words / std::max<std::size_t>(l.size(), 1))
        fail(i, fmt::format("no memory for an array of {} elements", a));
      return heap_.make_array(a, i.u, static_cast<std::uint32_t>(l.size()));
    }
    case service::set_all: {
      heap::array& all = *heap_.array_of(a);
      for (std::size_t at = static_cast<std::size_t>(i.u); at < all.words.size(); at += all.width) all.words[at] = c;
      return 0;
    }
    case service::element: {
      const heap::array& all = array_at(i, a, b);
      return all.words[b * all.width + static_cast<std::size_t>(i.u)];
    }
    case service::set_element: {
      heap::array& all = array_at(i, a, b);
      all.words[b * all.width + static_cast<std::size_t>(i.u)] = c;
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
      line_ += text_of(a, b, i.b != no_register);
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
      stopped_ = true;
      outside_.exit(number(a));
      return 0;
    case service::refill:
      return chain_of_boxes();
    case service::large_box:
      return large_box(static_cast<std::uint32_t>(a));
    case service::fill_stock: {
      std::uint32_t chain = 0;
      for (std::uint32_t k = 0; k < segments_at_a_time; ++k) {
        const std::uint32_t at = new_segment(static_cast<int>(a));
        memory_[at + words::tail] = chain;
        chain = at;
      }
      return chain;
    }
    case service::no_reply:
      if (a != 0 && b != 0 && (b & future_bit) == 0)
        fail(i, "the clause has ended without a reply, which " + text_of(a, 0, false) + " waits for");
      return 0;
    case service::ended:
      // So are those that wait. (The words of express messages are there in classes that have clauses for them.)
      for (const int queue : {words::head, words::early_head}) {
        if (queue == words::early_head && memory_[object + words::interruptible] == 0) break;
        for (auto box = static_cast<std::uint32_t>(memory_[object + static_cast<std::uint32_t>(queue)]); box != 0;) {
          const auto behind = static_cast<std::uint32_t>(memory_[box + words::next]);
          refuse(i, memory_[box + words::message]);
          box = behind;
        }
        memory_[object + static_cast<std::uint32_t>(queue)] = 0;
      }
      return 0;
    case service::refuse:
      refuse(i, a);
      return 0;
    case service::library:
      return outside_.library(i.u, a, b, c, i.site);
    case service::ask_outside:
      outside_.ask_outside(i.u, name_of(node_, object), i.site);
      return 0;
  }
  return 0;
}

}  // namespace abcl::machine
