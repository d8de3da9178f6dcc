#include "tsubu/sim/memory.hpp"

#include <algorithm>

namespace tsubu::sim {

using touch = memory_access::what;

std::int64_t calendar::take(std::int64_t ps, std::int64_t duration) {
  if (duration == 0) return ps;
  auto next = taken_.upper_bound(ps);
  if (next != taken_.begin()) ps = std::max(ps, std::prev(next)->second);
  for (; next != taken_.end() && next->first < ps + duration; ++next) ps = next->second;
  // Joined with what it touches.
  std::int64_t from = ps, to = ps + duration;
  if (next != taken_.end() && next->first == to) {
    to = next->second;
    next = taken_.erase(next);
  }
  if (next != taken_.begin() && std::prev(next)->second == from) {
    std::prev(next)->second = to;
  } else {
    taken_.emplace_hint(next, from, to);
  }
  return ps;
}

void calendar::forget_before(std::int64_t ps) {
  while (!taken_.empty() && taken_.begin()->second <= ps) taken_.erase(taken_.begin());
}

memory::memory(const machine& of, int pes)
    : machine_(of),
      pes_(pes),
      lines_(static_cast<std::size_t>(of.memory.cache_bytes / of.memory.line_bytes)),
      cached_(lines_ * static_cast<std::size_t>(pes), no_line),
      translations_(static_cast<std::size_t>(pes)) {}

bool memory::is_described(const machine& m) {
  const auto& t = m.memory;
  return t.local != 0 || t.shared_hit != 0 || t.shared_miss != 0 || t.shared_write != 0 || t.synchronizer_read != 0 ||
         t.synchronizer_write != 0 || t.synchronizer_fetch_and_dec != 0 || m.kernel.call != 0 ||
         m.kernel.translations != 0;
}

std::int64_t memory::over_bus(std::int64_t ps, std::int64_t bytes, std::int64_t duration) {
  const occupancy& bus = machine_.memory.bus;
  return bus_.take(ps, bus.packet_ps + bytes * bus.byte_fs / 1000) - ps + duration;
}

std::uint64_t& memory::place_of(pe_id pe, std::uint64_t line) {
  return cached_[static_cast<std::size_t>(pe) * lines_ + static_cast<std::size_t>(line % lines_)];
}

bool memory::has(pe_id pe, std::uint64_t line) { return lines_ != 0 && place_of(pe, line) == line; }

const translation_buffer* memory::translations(pe_id pe) const {
  return translations_[static_cast<std::size_t>(pe)].get();
}

std::int64_t memory::translate(pe_id pe, const memory_access& a) {
  const auto& k = machine_.kernel;
  translation_buffer* const buffer = translations_[static_cast<std::size_t>(pe)].get();
  const bool is_shared = a.does == touch::shared_read || a.does == touch::shared_write;
  if (buffer == nullptr || k.translations == 0 || !(is_shared || a.does == touch::local)) return 0;
  const std::uint64_t page = a.address / static_cast<std::uint64_t>(k.page_bytes);
  return buffer->use(2 * page + (is_shared ? 1 : 0)) ? 0 : k.translation_miss;
}

std::int64_t memory::access(pe_id pe, std::int64_t ps, const memory_access& a, std::int64_t none_before_ps) {
  bus_.forget_before(none_before_ps);
  const std::int64_t translated = translate(pe, a);
  return translated + access_translated(pe, ps + translated, a);
}

std::int64_t memory::access_translated(pe_id pe, std::int64_t ps, const memory_access& a) {
  const auto& t = machine_.memory;
  const std::uint64_t line = a.address / static_cast<std::uint64_t>(t.line_bytes);
  switch (a.does) {
    case touch::local:
      return t.local;
    case touch::shared_read:
      if (has(pe, line)) return t.shared_hit;
      if (lines_ != 0) place_of(pe, line) = line;
      return over_bus(ps, t.line_bytes, t.shared_miss);
    case touch::shared_write:
      for (pe_id other = 0; other < pes_; ++other)
        if (other != pe && has(other, line)) place_of(other, line) = no_line;
      return over_bus(ps, machine_.word_bytes, t.shared_write);
    case touch::synchronizer_read:
    case touch::fetch_and_dec_of_zero:
      return t.synchronizer_read;
    case touch::synchronizer_write:
      return over_bus(ps, machine_.word_bytes, t.synchronizer_write);
    case touch::fetch_and_dec:
      return over_bus(ps, machine_.word_bytes, t.synchronizer_fetch_and_dec);
    case touch::kernel_begins:
      translations_[static_cast<std::size_t>(pe)] = std::make_unique<translation_buffer>(machine_.kernel.translations);
      return 0;
    case touch::kernel_call:
      return translations(pe) != nullptr ? machine_.kernel.call : 0;
  }
  return 0;
}

const addressed_datum* memory::find(std::uint64_t name) const {
  const auto found = data_.find(name);
  return found == data_.end() ? nullptr : &found->second;
}

void memory::place(std::uint64_t name, void* value, std::size_t bytes) {
  data_[name] = {value, next_address_};
  const auto word = static_cast<std::uint64_t>(machine_.word_bytes);
  next_address_ += (bytes + word - 1) / word * word;
}

}  // namespace tsubu::sim
