#include "tsubu/message/one_by_one.hpp"

#include <cstdint>
#include <cstring>
#include <exception>

#include "tsubu/message/endpoint.hpp"

namespace tsubu::message {

std::size_t execute_one_by_one(const wire::run& r, const wire::handler_entry& handler, void* around,
                               packet_function execute) {
  const std::size_t tag = r.tag_bytes;
  const std::size_t bytes = tag + handler.packet_bytes;
  delivery d{r.from, r.bulk, r.bulk_bytes};
  const std::byte* packet = r.begin;
  const std::byte* const end = r.end;
  while (packet != end) {
    try {
      for (; packet != end; packet += bytes) {
        if (tag != 0) d.from = r.tag.pe_at(packet);
        execute(around, d, packet + tag);
      }
    } catch (...) {
      packet += bytes;
      escaped_now(handler);
    }
  }
  return static_cast<std::size_t>(end - r.begin) / bytes;
}

std::size_t execute_one_by_one(const wire::run& r, void* around, variable_packet_function execute) {
  delivery d{r.from, r.bulk, r.bulk_bytes};
  std::size_t count = 0;
  for (const std::byte* packet = r.begin; packet != r.end; ++count) {
    if (r.tag_bytes != 0) d.from = r.tag.pe_at(packet);
    packet += r.tag_bytes;
    const auto left = static_cast<std::size_t>(r.end - packet);
    std::uint32_t bytes = 0;
    if (left >= sizeof bytes) std::memcpy(&bytes, packet, sizeof bytes);
    if (left < sizeof bytes || bytes > left - sizeof bytes) {
      bad_run(r, packet, "a packet's length goes past its run");
    }
    packet += sizeof bytes;
    execute(around, r, d, packet, packet + bytes);
    packet += bytes;
  }
  return count;
}

void escaped_now(const wire::handler_entry& handler) { this_endpoint->escaped(handler, std::current_exception()); }

}  // namespace tsubu::message
