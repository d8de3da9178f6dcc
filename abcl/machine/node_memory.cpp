#include "abcl/machine/node_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace abcl::machine {

using code::reactive;
namespace words = code::words;

namespace {

constexpr std::uint32_t boxes_at_a_time = 16;

}  // namespace

node_memory::node_memory(int node, surroundings& outside)
    : node_(node), outside_(outside), words_(words::stock + most_classes), used_(words::stock + most_classes) {
  const std::uint32_t boxes = chain_of_boxes();
  words_[words::free_boxes] = boxes;
}

std::uint32_t node_memory::allocate(std::uint32_t count, std::uint32_t in_front) {
  const std::uint64_t at = (std::uint64_t{used_} + in_front + 7) & ~std::uint64_t{7};
  if (at + count > most_words_ - 64) outside_.fail(-1, fmt::format("node {} has no memory left", node_));
  used_ = static_cast<std::uint32_t>(at + count);
  if (used_ > words_.size()) words_.resize(std::max<std::size_t>(used_, words_.size() + words_.size() / 2));
  return static_cast<std::uint32_t>(at);
}

std::uint32_t node_memory::new_segment(const registers::image::class_code& of, int class_number) {
  const bool collects = of.at_mark >= 0;
  const std::uint32_t at = allocate(static_cast<std::uint32_t>(std::max(of.words, words::leaving_object)),
                                    collects ? std::uint32_t{words::of_header} : 0);
  if (collects) {
    const auto in_front = [&](int k) -> word& { return words_[at + static_cast<std::uint32_t>(k)]; };
    in_front(words::segment_behind) = std::exchange(words_[words::segments], at);
    in_front(words::at_mark) = static_cast<word>(of.at_mark);
    in_front(words::at_free) = static_cast<word>(of.at_free);
  }
  words_[at + words::reactive] = static_cast<word>(reactive::busy);
  words_[at + words::place] = static_cast<word>(of.begin);
  words_[at + words::at_message] = static_cast<word>(of.at_message);
  if (of.at_express >= 0) {
    words_[at + words::interruptible] = 1;
    words_[at + words::at_express] = static_cast<word>(of.at_express);
  }
  segment_numbers_.resize(used_ / 8 + 1);
  segment_numbers_[at / 8] = static_cast<std::uint32_t>(segments_.size());
  segments_.push_back({at, class_number});
  return at;
}

std::uint32_t node_memory::segment_or_0(std::uint32_t address) const {
  if (!may_be_segment(address) || address / 8 >= segment_numbers_.size()) return 0;
  return segments_[segment_numbers_[address / 8]].at == address ? address : 0;
}

std::uint32_t node_memory::chain_of_segments(const registers::image::class_code& of, int class_number,
                                             std::uint32_t length) {
  std::uint32_t chain = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::uint32_t at = new_segment(of, class_number);
    words_[at + words::tail] = chain;
    chain = at;
  }
  return chain;
}

std::uint32_t node_memory::new_box(std::uint32_t count) {
  constexpr std::uint32_t of_box = words::of_box;
  const std::uint32_t free = allocate(of_box - 1 + (count + of_box - 1) / of_box * of_box);
  const std::uint32_t at = (free + of_box - 1) & ~(of_box - 1);
  generations_.resize(used_ / of_box + 1);
  answered_.resize(used_ / of_box + 1);
  sites_.resize(used_ / of_box + 1, -1);
  generations_[at / of_box] = 1;
  words_[at + words::message] = 1;  // to a collector 0 says that it is free
  return at;
}

std::uint32_t node_memory::next_box(std::uint32_t box) const {
  std::size_t i = box / words::of_box + 1;
  while (i < generations_.size() && generations_[i] == 0) ++i;
  return i < generations_.size() ? static_cast<std::uint32_t>(i * words::of_box) : 0;
}

std::uint32_t node_memory::box_end(std::uint32_t box) const {
  const auto large = large_boxes_.find(box);
  return box + (large == large_boxes_.end() ? std::uint32_t{words::of_box} : large->second);
}

std::uint32_t node_memory::chain_of_boxes() {
  std::uint32_t chain = 0;
  for (std::uint32_t i = 0; i < boxes_at_a_time; ++i) {
    const std::uint32_t box = new_box(words::of_box);
    words_[box + words::next] = chain;
    chain = box;
  }
  return chain;
}

std::uint32_t node_memory::large_box(std::uint32_t count) {
  std::vector<std::uint32_t>& free = free_large_boxes_[count];
  if (free.empty()) {
    free.push_back(new_box(count));
    large_boxes_.emplace(free.back(), count);
  }
  const std::uint32_t box = free.back();
  free.pop_back();
  words_[box + words::next] = 0;
  return box;
}

void node_memory::give_first(std::uint32_t box) {
  const auto large = large_boxes_.empty() ? large_boxes_.end() : large_boxes_.find(box);
  if (large == large_boxes_.end()) {
    words_[words::free_boxes] = box;
  } else {
    free_large_boxes_[large->second].push_back(box);
  }
  std::uint16_t& generation = generations_[box / words::of_box];
  generation = static_cast<std::uint16_t>(generation == most_generation ? 1 : generation + 1);
  answered_[box / words::of_box] = false;
}

void node_memory::give_back(std::uint32_t box) {
  words_[box + words::next] = words_[words::free_boxes];
  give_first(box);
}

word node_memory::name(std::uint32_t address) const {
  const std::uint32_t box = address / words::of_box;
  const bool is_box = address % words::of_box == 0 && box < generations_.size();
  return name_of(node_, address, is_box ? generations_[box] : 0);
}

bool node_memory::is_open(word name) const {
  if (generation_of(name) == 0 || (name & future_bit) != 0) return true;
  const std::uint32_t box = address_of(name) / words::of_box;
  return generations_[box] == generation_of(name) && !answered_[box];
}

}  // namespace abcl::machine
