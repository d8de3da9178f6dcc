#include "tsubu/message/outbox.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/message/batch_format.hpp"
#include "tsubu/message/by_destination.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/message/tuning.hpp"

namespace tsubu::message {

static_assert(outbox::sure_to_fit == format::smallest_packet_limit);

outbox::outbox(transport::transport& below, const limits& most)
    : links_(below),
      straight_(links_.routed() ? nullptr : std::make_unique<open_batch[]>(static_cast<std::size_t>(links_.size()))),
      transport_(below),
      count_(std::make_unique<ledger>(below.pe_count(), !below.has_other_threads())),
      packet_limit_(format::packet_limit(below.batch_bytes(), links_.routed())),
      oldest_ticks_(static_cast<std::uint64_t>(most.oldest_us * 1e3 * ticks_per_ns())),
      each_alone_(below.each_packet_alone()),
      on_grid_(links_.routed() ? static_cast<std::size_t>(links_.size()) : 0),
      // PEs that share cores are idle for want of one: that says nothing about their traffic.
      tuning_(std::make_unique<tuning>(
          links_.size(),
          static_cast<std::uint32_t>(below.spin_polls() > 2 ? most.least_batch_bytes : below.batch_bytes()),
          static_cast<std::uint32_t>(below.batch_bytes()))),
      run_began_(most.time_waiting ? static_cast<std::size_t>(links_.size()) : 0),
      window_(below, most) {
  require(below.batch_bytes() >= format::least_batch_bytes, "a batch holds 256 bytes at least");
  require(!each_alone_ || !links_.routed(), "packets that leave alone go straight to their PE");
}

outbox::~outbox() = default;

// ---- packets

// Every lone packet goes through here, and then through flush(), and so does a packet whose handler is not that of the
// one before: kept short, without a call where the batch has place.
std::byte* outbox::append_slowly(int link, const wire::handler_entry& handler, std::size_t bytes) {
  open_batch& o = of(link);
  const std::size_t needed = bytes + (o.handler == &handler ? 0 : sizeof(format::run_header));
  if (!has_place(o, needed)) make_place(link, o, needed);
  if (o.handler != &handler) {
    begin_run(link, o, handler);
    o.handler = &handler;
  }
  std::byte* const place = o.cursor;
  o.cursor += bytes;
  if (each_alone_) [[unlikely]]
    o.limit = o.cursor;
  return place;
}

// A packet for the PE in the corner, behind packets that go round it: with a tag as these it leaves the run whole.
bool outbox::goes_with_others(const open_batch& o, const wire::handler_entry& handler) const {
  return o.open == &handler && o.kind == format::outward && !format::names_are_numbers(links_.name_bytes());
}

std::byte* outbox::append_towards(pe_id to, const wire::handler_entry& handler, std::size_t bytes) {
  if (!links_.exists(to)) [[unlikely]]
    check_exists(to);
  const transport::grid::hop hop = links_.hop_towards(to);
  const int link = hop.link;
  if (hop.pe == to && !goes_with_others(of(link), handler)) return append_on(link, of(link), handler, bytes);
  const std::uint32_t tag_bytes = links_.name_bytes();
  std::byte* const tag = append_tagged(link, handler, format::outward, tag_bytes + bytes);
  wire::pe_tag::write(tag, links_.name_for(to, hop), tag_bytes);
  count_->sent_to(to, handler, 1);
  return tag + tag_bytes;
}

void outbox::make_place_for_tagged(int link, open_batch& o, const wire::handler_entry& handler, format::tag_kind kind,
                                   std::size_t bytes) {
  const bool same_run = o.open == &handler && o.kind == kind;
  const std::size_t needed = bytes + (same_run ? 0 : sizeof(format::run_header));
  if (!has_place(o, needed)) make_place(link, o, needed);
  if (same_run && o.open != nullptr) return;
  begin_run(link, o, handler);
  o.kind = kind;
}

[[gnu::always_inline]] inline void outbox::begin_run(int link, open_batch& o, const wire::handler_entry& handler) {
  if (o.open != nullptr) close_run(link, o, format::another_follows);
  o.run = o.cursor;
  o.cursor += sizeof(format::run_header);
  o.open = &handler;
  if (!run_began_.empty()) [[unlikely]]
    run_began_[static_cast<std::size_t>(link)] = ticks();
}

[[gnu::always_inline]] inline void outbox::close_run(int link, open_batch& o, std::uint32_t follows) {
  const wire::handler_entry& handler = *o.open;
  const auto bytes = static_cast<std::uint32_t>(o.cursor - o.run - std::ptrdiff_t{sizeof(format::run_header)});
  if (o.kind != format::outward || !close_run_by_destination(o, follows)) {
    format::write(o.run, {handler.code | o.kind, bytes | follows});
  }
  const std::uint32_t packets = bytes == handler.packet_bytes ? 1 : packets_in_run(o, bytes);
  if (straight_ != nullptr) [[likely]] {
    count_->sent(handler, packets, bytes);
    count_->sent_to(link, handler, packets);
  } else {
    count_run_on_grid(link, o, packets, bytes);
  }
  // They have come one after the other while it was open.
  if (!run_began_.empty()) [[unlikely]]
    count_->waited(handler, (ticks() - run_began_[static_cast<std::size_t>(link)]) / 2 * packets);
  o.handler = o.open = nullptr;
  o.kind = format::straight;
}

// The run has more than one packet, or packets with a tag, or such as tell their own length.
inline std::uint32_t outbox::packets_in_run(open_batch& o, std::uint32_t bytes) const {
  const std::uint32_t each = o.open->packet_bytes;
  if (each == 0) return std::exchange(o.variable_packets, 0);
  bytes -= static_cast<std::uint32_t>(format::front_bytes(o.kind, links_.name_bytes()));
  return bytes / (each + static_cast<std::uint32_t>(format::tag_bytes(o.kind, links_.name_bytes())));
}

bool outbox::close_run_by_destination(open_batch& o, std::uint32_t follows) {
  const std::uint32_t each = o.open->packet_bytes;
  if (each == 0 || links_.name_bytes() != 1) return false;
  std::byte* const begin = o.run + sizeof(format::run_header);
  static thread_local by_destination sorter;  // for all PEs of the thread: it holds nothing between two runs
  if (!sorter.sort({begin, o.cursor}, each)) return false;
  std::byte* at = o.run;
  std::byte* last = at;
  sorter.for_each([&](std::uint32_t name, std::span<const std::byte> packets) {
    last = at;
    const auto bytes = static_cast<std::uint32_t>(format::front_bytes(format::together, 1) + packets.size());
    format::write(at, {o.open->code | format::together, bytes | format::another_follows});
    at += sizeof(format::run_header);
    *at++ = static_cast<std::byte>(format::together_tag::all_for);
    *at++ = static_cast<std::byte>(name);
    std::memcpy(at, packets.data(), packets.size());
    at += packets.size();
  });
  format::run_header of_last = format::read(last);
  of_last.length = of_last.bytes() | follows;
  format::write(last, of_last);
  o.cursor = at;
  return true;
}

std::span<std::byte> outbox::append_together(int link, const wire::handler_entry& handler, std::uint32_t name_of_origin,
                                             std::size_t bytes) {
  open_batch& o = of(link);
  const std::size_t front = format::front_bytes(format::together, links_.name_bytes());
  const std::size_t least = sizeof(format::run_header) + front + handler.packet_bytes;
  if (!has_place(o, least)) make_place(link, o, least);
  if (const std::size_t all = least - handler.packet_bytes + bytes; !has_place(o, all)) grow(link, o, least, all);
  begin_run(link, o, handler);
  o.kind = format::together;
  *o.cursor = static_cast<std::byte>(format::together_tag::all_from);
  wire::pe_tag::write(o.cursor + sizeof(format::together_tag), name_of_origin, links_.name_bytes());
  std::byte* const place = o.cursor += front;
  const auto room = static_cast<std::size_t>(o.limit - place) / handler.packet_bytes * handler.packet_bytes;
  o.cursor += std::min(bytes, room);
  return {place, o.cursor};
}

void outbox::count_run_on_grid(int link, const open_batch& o, std::uint32_t packets, std::uint32_t bytes) {
  const wire::handler_entry& handler = *o.open;
  if (o.kind == format::straight) {
    count_->sent(handler, packets, bytes);
    count_->sent_to(links_.pe_at(link), handler, packets);
  } else if (o.kind == format::outward) {
    count_->sent(handler, packets, bytes - packets * links_.name_bytes());
  } else {
    count_->passed_on(handler, packets);
  }
}

void outbox::send_scratch(pe_id to, const wire::handler_entry& handler) {
  const std::size_t packet = sizeof(std::uint32_t) + scratch_.size();
  if (!fits(packet)) {
    send_in_bulk(to, handler, std::exchange(scratch_, {}));
    return;
  }
  std::byte* place = append(to, handler, packet);
  const auto length = static_cast<std::uint32_t>(scratch_.size());
  std::memcpy(place, &length, sizeof length);
  std::memcpy(place + sizeof length, scratch_.data(), scratch_.size());
  last_was_variable(links_.towards(to));
}

// ---- batches

// There is none. `bytes`: with a run's header, if there has to be a new one.
void outbox::make_place(int link, open_batch& o, std::size_t bytes) {
  if (o.batch != nullptr) {
    if (grow(link, o, bytes, bytes)) return;
    post_full(link, o);
  }
  start_batch(link, o, bytes);
}

// Where batches begin with less room than they may have: makes place for `least` bytes more, and for `wanted` if the
// batch may become so large. False if it may not become large enough for `least`.
bool outbox::grow(int link, open_batch& o, std::size_t least, std::size_t wanted) {
  const std::size_t room = o.batch->capacity;
  const std::size_t most = std::min<std::size_t>(tuning_->bytes(link), transport_.batch_bytes());
  if (room >= most || each_alone_) [[likely]]
    return false;
  std::byte* const before = o.batch->data();
  const auto used = static_cast<std::size_t>(o.cursor - before);
  if (used + least > most) return false;
  o.batch = transport_.with_room_for(std::min(std::max(used + wanted, 2 * room), most), o.batch, used);
  std::byte* const now = o.batch->data();
  o.cursor = now + used;
  if (o.open != nullptr) o.run = now + (o.run - before);
  o.limit = now + std::min<std::size_t>(o.batch->capacity, most);
  return true;
}

// `first_bytes`: of its first run, so far.
inline void outbox::start_batch(int link, open_batch& o, std::size_t first_bytes) {
  if (each_alone_) [[unlikely]]
    flush(flush_reason::full);  // the packet before, whose PE may be another
  first_bytes += sizeof(format::run_header);
  o.batch = transport_.acquire_for(std::min(first_bytes, transport_.batch_bytes()));
  o.cursor = o.batch->data();
  const std::size_t wanted = std::max<std::size_t>(tuning_->bytes(link), first_bytes);
  // A batch may have more room than this floor may fill: a checksum's.
  o.limit = o.cursor + std::min<std::size_t>({wanted, o.batch->capacity, transport_.batch_bytes()});
  if (!o.dirty) {
    o.dirty = true;
    dirty_.push_back(link);
  }
}

void outbox::post_full(int link, open_batch& o) {
  if (tuning_->fixed()) return close_and_post(link, o, flush_reason::full);
  const std::uint64_t now = ticks();
  close_and_post(link, o, flush_reason::full);
  tuning_->left_full(link, now, ticks() - now, dirty_.size());
}

void outbox::close_and_post(int link, open_batch& o, flush_reason reason) {
  transport::batch* b = o.batch;
  if (b == nullptr) return;
  close_run(link, o, 0);
  b->size = static_cast<std::uint32_t>(o.cursor - b->data());
  o.batch = nullptr;
  o.cursor = o.limit = nullptr;
  count_->batch_left(reason, b->size);
  window_.post(link, b, {});
}

detail::owned<open_batch> outbox::spare() {
  if (spares_.empty()) return std::make_unique<open_batch>();
  detail::owned<open_batch> one = std::move(spares_.back());
  spares_.pop_back();
  return one;
}

bool outbox::flush(flush_reason reason) {
  if (dirty_.empty()) return false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < dirty_.size(); ++i) {
    const int link = dirty_[i];
    if (window_.holds(link)) [[unlikely]] {
      dirty_[kept++] = link;  // it would only wait, and may as well get full
      continue;
    }
    open_batch& o = of(link);
    o.dirty = false;
    if (o.batch != nullptr && !tuning_->fixed()) {
      tuning_->left_early(link, static_cast<std::uint32_t>(o.cursor - o.batch->data()));
    }
    close_and_post(link, o, reason);
    if (straight_ == nullptr) spares_.push_back(std::move(on_grid_.use(static_cast<std::uint32_t>(link))));
  }
  const bool any = kept != dirty_.size();
  dirty_.resize(kept);
  return any;
}

bool outbox::cheap_to_flush() const {
  constexpr std::size_t few_links = 4;
  return !tuning_->fixed() && dirty_.size() <= few_links;
}

std::uint64_t outbox::oldest_ticks() const {
  constexpr std::ptrdiff_t trickle_bytes = 1024;
  if (!cheap_to_flush()) return oldest_ticks_;
  for (const int link : dirty_) {
    const open_batch& o = *of_if_any(link);
    if (o.batch != nullptr && o.cursor - o.batch->data() > trickle_bytes) return oldest_ticks_;
  }
  return std::clamp(tuning_->cost() * tuning::filling * dirty_.size(), oldest_ticks_ / 10, oldest_ticks_);
}

// ---- bulks

void outbox::send_in_bulk(pe_id to, const wire::handler_entry& handler, std::vector<std::byte> packet) {
  const transport::bulk_source bytes = window_.keep(std::move(packet));
  const bulk_head head = start_bulk(to, handler.code | format::in_bulk, 0);
  send_bulk(to, handler, head, bytes);
}

outbox::bulk_head outbox::start_bulk(pe_id to, std::uint32_t handler, std::size_t bytes) {
  check_exists(to);
  const int link = links_.towards(to);
  if (links_.pe_at(link) == to) return start_bulk(link, format::straight, handler, bytes);
  const bulk_head head = start_bulk(link, format::outward, handler, bytes);
  wire::pe_tag::write(head.packet - links_.name_bytes(), links_.name_for(to, links_.pe_at(link)), links_.name_bytes());
  return head;
}

// The caller writes the tag, in front of the packet.
outbox::bulk_head outbox::start_bulk(int link, format::tag_kind kind, std::uint32_t handler, std::size_t bytes) {
  if (!empty(link)) close_and_post(link, of(link), flush_reason::order);
  const std::size_t tag_bytes = format::tag_bytes(kind, links_.name_bytes());
  const format::run_header header{handler | kind, static_cast<std::uint32_t>(tag_bytes + bytes)};
  transport::batch* head = transport_.acquire_for(sizeof header + header.bytes());
  format::write(head->data(), header);
  head->size = static_cast<std::uint32_t>(sizeof header) + header.bytes();
  return {link, head, head->data() + sizeof header + tag_bytes, bytes};
}

void outbox::post_bulk(const bulk_head& head, transport::bulk_source source) {
  count_->bulk_left(head.batch->size + source.bytes.size());
  window_.post(head.link, head.batch, source);
}

void outbox::send_bulk(pe_id to, const wire::handler_entry& handler, const bulk_head& head,
                       transport::bulk_source source) {
  count_->sent(handler, 1, head.bytes + source.bytes.size());
  count_->sent_to(to, handler, 1);
  post_bulk(head, source);
}

void outbox::check_exists(pe_id to) const {
  require(links_.exists(to), "a message for PE {}, but the job's PEs are 0 to {}{}", to, links_.pe_count() - 1,
          to == no_pe ? " (a global_ptr that points to nothing names PE -1)" : "");
}

}  // namespace tsubu::message
