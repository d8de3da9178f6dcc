#include "apps/bounded_buffer/people.hpp"

#include <optional>

namespace bounded_buffer {

using namespace tsubu;

task<void> producer::produce(std::int64_t items) {
  for (std::int64_t i = 0; i < items; ++i) {
    const item next{number_, i};
    co_await to_.now<&buffer::put>(next);
  }
}

consumer::consumer(ref<buffer> from, std::int32_t producers)
    : from_(from), last_(static_cast<std::size_t>(producers), -1) {}

task<taken> consumer::consume() {
  taken all;
  while (const std::optional<item> got = co_await from_.now<&buffer::get>()) {
    ++all.items;
    all.numbers += got->number;
    std::int64_t& last = last_[static_cast<std::size_t>(got->producer)];
    if (got->number <= last) ++all.out_of_order;
    last = got->number;
  }
  co_return all;
}

}  // namespace bounded_buffer
