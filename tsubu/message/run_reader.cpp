#include "tsubu/message/run_reader.hpp"

namespace tsubu::message {

arrived_run run_reader::first_of(std::span<const std::byte> left, pe_id from, const std::byte* batch_begin) const {
  arrived_run arrived{{left.data(), left.data() + left.size(), from, batch_begin}};
  wire::run& r = arrived.packets;
  if (left.size() < sizeof(format::run_header)) bad_run(r, r.begin, "it ends inside a run's header");
  const format::run_header header = format::read(left.data());
  arrived.in_bulk = (header.handler & format::in_bulk) != 0;
  const std::uint32_t kind = header.handler & format::tag_bits;
  const std::uint32_t code = header.handler & (tagged() ? format::code_bits : ~format::in_bulk);
  const std::uint32_t number = wire::number_in(code);
  if (number == wire::handshake_number || number >= handlers_.size() || code != handlers_[number]->code) {
    bad_run(r, r.begin,
            "the handler's code " + std::to_string(code) + " is that of number " + std::to_string(number) +
                ", damaged or unknown; this PE has 1 to " + std::to_string(handlers_.size() - 1));
  }
  arrived.handler = handlers_[number];
  const wire::handler_entry& handler = *arrived.handler;
  r.begin += sizeof header;
  const std::uint32_t bytes = header.bytes();
  const auto left_bytes = static_cast<std::size_t>(r.end - r.begin);
  const auto bad = [&](const std::string& what) {
    bad_run(r, r.begin,
            "a run of " + std::to_string(bytes) + " bytes for " + wire::readable_name(handler) + ", " + what);
  };
  if (bytes > left_bytes) bad("but " + std::to_string(left_bytes) + " are left");
  r.end = r.begin + bytes;
  r.tag_bytes = static_cast<std::uint32_t>(format::tag_bytes(kind, links_.name_bytes()));
  const std::uint32_t packet = handler.packet_bytes == 0 ? 0 : handler.packet_bytes + r.tag_bytes;
  const auto front = static_cast<std::uint32_t>(format::front_bytes(kind, links_.name_bytes()));
  if (!arrived.in_bulk && (bytes <= front || (packet != 0 && (bytes - front) % packet != 0))) {
    bad("whose packets have " + std::to_string(packet));
  }
  if (header.last() != (bytes == left_bytes)) {
    bad(header.last() ? "the last of its batch, but more bytes follow"
                      : "not the last of its batch, but nothing follows");
  }
  if (kind == format::straight) return arrived;
  if (bytes < r.tag_bytes + front) bad_run(r, r.begin, "it ends inside the name of a PE");
  r.tag = kind == format::arriving ? links_.meaning_behind(from) : links_.meaning_for(from);
  if (front != 0) {
    if (packet == 0 || arrived.in_bulk) bad("which has no packets that go together");
    read_front(arrived);
    return arrived;
  }
  if (kind != format::outward) r.from = read_pe(r, r.begin);
  if (kind != format::arriving) arrived.to = read_pe(r, r.begin + r.tag_bytes - r.tag.bytes);
  return arrived;
}

void run_reader::read_front(arrived_run& arrived) const {
  wire::run& r = arrived.packets;
  const auto which = static_cast<format::together_tag>(*r.begin);
  const bool all_from = which == format::together_tag::all_from;
  if (!all_from && which != format::together_tag::all_for) {
    bad_run(r, r.begin, "its packets go together, but it does not say whether from or for a PE");
  }
  const std::byte* const name = r.begin + sizeof which;
  r.tag = all_from ? links_.meaning_behind(r.from) : links_.meaning_for(r.from);
  const pe_id pe = read_pe(r, name);
  if (all_from) {
    r.from = pe;
  } else if (pe != links_.pe()) {
    arrived.to = pe;
  }
  r.begin = name + r.tag.bytes;
}

const std::byte* run_reader::packet_end(const wire::handler_entry& handler, const wire::run& r, const std::byte* at) {
  if (handler.packet_bytes != 0) return at + handler.packet_bytes;
  std::uint32_t bytes = 0;
  const std::ptrdiff_t left = r.end - at;
  if (left >= std::ptrdiff_t{sizeof bytes}) std::memcpy(&bytes, at, sizeof bytes);
  if (left < std::ptrdiff_t{sizeof bytes} || static_cast<std::size_t>(left) - sizeof bytes < bytes) {
    bad_run(r, at, "a packet's length goes past its run");
  }
  return at + sizeof bytes + bytes;
}

void run_reader::bad_pe(const wire::run& r, const std::byte* at, pe_id pe) const {
  bad_run(r, at, "a packet from or for PE " + std::to_string(pe) + ", of " + std::to_string(links_.pe_count()));
}

}  // namespace tsubu::message
