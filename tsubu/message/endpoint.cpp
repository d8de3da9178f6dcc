#include "tsubu/message/endpoint.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/base/clock.hpp"
#include "tsubu/message/overflow.hpp"

namespace tsubu::message {
namespace {

[[noreturn]] void end_on_escape(const wire::handler_entry& handler, std::exception_ptr e) {
  std::string what = "an exception";
  try {
    std::rethrow_exception(e);
  } catch (const std::exception& known) {
    what = known.what();
  } catch (...) {
  }
  fail(wire::readable_name(handler) + " threw, and nobody waits for its reply: " + what);
}

}  // namespace

endpoint::endpoint(transport::transport& below) : endpoint(below, limits()) {}

endpoint::endpoint(transport::transport& below, limits most)
    : transport_(below),
      pe_(below.pe()),
      pe_count_(below.pe_count()),
      grid_(below.pe_count(), below.pe(), below.hops()),
      straight_pes_(below.hops() == 1 ? below.pe_count() : 0),
      own_link_(grid_.own_link()),
      packet_limit_(below.batch_bytes() - sizeof(run_header) - (routed() ? most_tag_bytes : 0)),
      stall_limit_(below.each_packet_alone() ? 1 << 30 : stall_limit(below.batch_bytes(), grid_.links())),
      // PEs that share cores are idle for want of one: that says nothing about their traffic.
      tuning_(grid_.links(),
              static_cast<std::uint32_t>(below.spin_polls() > 2 ? most.least_batch_bytes : below.batch_bytes()),
              static_cast<std::uint32_t>(below.batch_bytes())),
      oldest_ticks_(static_cast<std::uint64_t>(most.oldest_us * 1e3 * ticks_per_ns())),
      out_(routed() ? nullptr : std::make_unique<outgoing[]>(static_cast<std::size_t>(grid_.links()))),
      sparse_out_(routed() ? static_cast<std::size_t>(grid_.links()) : 0),
      most_(most),
      keep_in_memory_(most.memory_bytes -
                      std::min(most.memory_bytes / 2, static_cast<std::size_t>(grid_.links()) * below.batch_bytes() *
                                                          static_cast<std::size_t>(stall_limit_ + 1))),
      overflow_(std::make_unique<overflow>(below)),
      escape_hook_(end_on_escape),
      passage_(routed() ? std::make_unique<passage>(below) : nullptr) {
  require(below.batch_bytes() >= 256, "a batch holds 256 bytes at least");
  require(!below.each_packet_alone() || !routed(), "packets that leave alone go straight to their PE");
  if (most.memory_bytes < below.batch_bytes()) {
    end_job(exit_code::usage, "tsubu: --tsubu-memory=" + std::to_string(most.memory_bytes) +
                                  " is less than a batch of " + std::to_string(below.batch_bytes()) +
                                  " bytes (--tsubu-batch)");
  }
  wire::number_handlers();
  handlers_ = wire::handlers();
  by_handler_.resize(handlers_.size());
  if (most.time_waiting) run_began_.resize(static_cast<std::size_t>(grid_.links()));
  if (pe_count_ <= most_counted_pairs) by_pe_.resize(static_cast<std::size_t>(pe_count_));
  transport_.set_receiver(this);
}

endpoint::~endpoint() = default;

void endpoint::set_escape_hook(escape_hook hook) { escape_hook_ = hook != nullptr ? hook : end_on_escape; }

// ---- sending

// Every lone packet goes through here, and then through flush(): both are kept short.
std::byte* endpoint::append_slowly(int link, const wire::handler_entry& handler, std::size_t bytes) {
  outgoing& o = out(link);
  make_room(link, o, bytes + (o.handler == &handler ? 0 : sizeof(run_header)));
  if (o.handler != &handler) {
    begin_run(link, o, handler);
    o.handler = &handler;
  }
  std::byte* place = o.cursor;
  o.cursor += bytes;
  if (transport_.each_packet_alone()) [[unlikely]]
    o.limit = o.cursor;
  return place;
}

void endpoint::begin_run(int link, outgoing& o, const wire::handler_entry& handler) {
  if (o.open != nullptr) close_run(link, o);
  o.run = o.cursor;
  o.cursor += sizeof(run_header);
  o.open = &handler;
  if (!run_began_.empty()) [[unlikely]]
    run_began_[static_cast<std::size_t>(link)] = ticks();
}

// `bytes`: with a run's header, if there has to be a new one.
void endpoint::make_room(int link, outgoing& o, std::size_t bytes) {
  if (o.batch != nullptr && static_cast<std::size_t>(o.limit - o.cursor) < bytes) post_full(link, o);
  if (o.batch == nullptr) start_batch(link, o, bytes);
}

void endpoint::post_full(int link, outgoing& o) {
  if (tuning_.fixed()) return close_and_post(link, o, flush_reason::full);
  const std::uint64_t now = ticks();
  close_and_post(link, o, flush_reason::full);
  tuning_.left_full(link, now, ticks() - now, dirty_.size());
}

// `first_bytes`: of its first run, so far.
inline void endpoint::start_batch(int link, outgoing& o, std::size_t first_bytes) {
  if (transport_.each_packet_alone()) [[unlikely]]
    flush(flush_reason::full);  // the packet before, whose PE may be another
  o.batch = transport_.acquire();
  o.cursor = o.batch->data();
  const std::size_t wanted = std::max<std::size_t>(tuning_.bytes(link), first_bytes + sizeof(run_header));
  o.limit = o.cursor + std::min<std::size_t>(wanted, o.batch->capacity);
  if (!o.dirty) {
    o.dirty = true;
    dirty_.push_back(link);
  }
}

void endpoint::close_run(int link, outgoing& o) {
  const wire::handler_entry& handler = *o.open;
  const run_header header{handler.number | o.kind,
                          static_cast<std::uint32_t>(o.cursor - o.run - std::ptrdiff_t{sizeof(run_header)})};
  std::memcpy(o.run, &header, sizeof header);
  std::uint32_t packets = 1;
  if (header.bytes != handler.packet_bytes) {
    const auto each = handler.packet_bytes + static_cast<std::uint32_t>(tag_bytes(o.kind));
    packets = handler.packet_bytes != 0 ? header.bytes / each : o.variable_packets;
    o.variable_packets = 0;
  }
  if (o.kind == straight) [[likely]] {
    count_sent(handler, packets, header.bytes);
    count_sent_to(pe_at(link), handler, packets);
  } else if (o.kind == outward) {
    count_sent(handler, packets, header.bytes - packets * tag_bytes(outward));
  } else {
    by_handler_[handler.number].passed_on += packets;
  }
  // They have come one after the other while it was open.
  if (!run_began_.empty()) [[unlikely]]
    by_handler_[handler.number].waited += (ticks() - run_began_[static_cast<std::size_t>(link)]) / 2 * packets;
  o.handler = o.open = nullptr;
  o.kind = straight;
}

void endpoint::close_and_post(int link, outgoing& o, flush_reason reason) {
  transport::batch* b = o.batch;
  if (b == nullptr) return;
  close_run(link, o);
  b->size = static_cast<std::uint32_t>(o.cursor - b->data());
  o.batch = nullptr;
  o.cursor = o.limit = nullptr;
  ++counters_.flushes[static_cast<int>(reason)];
  ++counters_.batches_sent;
  counters_.bytes_sent += b->size;
  post(link, b, {});
}

inline void endpoint::post(int link, transport::batch* b, const transport::bulk_source& source) {
  if (out(link).full && !room_on_the_way(link)) [[unlikely]]
    return hold_back(link, b, source);
  deliver(link, b, source);
}

inline void endpoint::stall(int link, int on_the_way) {
  outgoing& o = out(link);
  posted_since_run_ = true;
  if (on_the_way >= stall_limit_) o.full = true;
  if (o.stalled) return;
  o.stalled = true;
  stalled_.push_back(link);
}

void endpoint::deliver(int link, transport::batch* b, const transport::bulk_source& source) {
  const bool bulk = !source.bytes.empty();
  int on_the_way = 0;
  if (link == own_link_) {
    b->bulk_bytes = source.bytes.size();
    own_.push(b);
    if (bulk) {
      if (own_bulks_ == nullptr) own_bulks_ = std::make_unique<std::deque<transport::bulk_source>>();
      own_bulks_->push_back(source);
    }
    on_the_way = own_.size();
  } else {
    on_the_way = bulk ? transport_.post_bulk(b, pe_at(link), source) : transport_.post(b, pe_at(link));
  }
  stall(link, on_the_way);
}

// ---- bulks

endpoint::bulk_head endpoint::start_bulk(pe_id to, std::uint32_t handler, std::size_t bytes) {
  require(static_cast<std::uint32_t>(to) < static_cast<std::uint32_t>(pe_count_),
          "a message for PE {}, but the job's PEs are 0 to {}", to, pe_count_ - 1);
  const int link = link_towards(to);
  if (pe_at(link) == to) return start_bulk(link, straight, handler, bytes);
  const bulk_head head = start_bulk(link, outward, handler, bytes);
  std::memcpy(head.packet - tag_bytes(outward), &to, sizeof to);
  return head;
}

// With room for the tag in front of the packet.
endpoint::bulk_head endpoint::start_bulk(int link, tag_kind kind, std::uint32_t handler, std::size_t bytes) {
  close_and_post(link, out(link), flush_reason::order);
  transport::batch* head = transport_.acquire();
  const run_header header{handler | kind, static_cast<std::uint32_t>(tag_bytes(kind) + bytes)};
  std::memcpy(head->data(), &header, sizeof header);
  head->size = static_cast<std::uint32_t>(sizeof header) + header.bytes;
  return {link, head, head->data() + sizeof header + tag_bytes(kind)};
}

void endpoint::post_bulk(const bulk_head& head, transport::bulk_source source) {
  ++counters_.bulks_sent;
  counters_.bytes_sent += head.batch->size + source.bytes.size();
  post(head.link, head.batch, source);
}

message_facts endpoint::facts_of(transport::batch& posted, std::size_t bulk_bytes) const {
  run_header header{};
  std::memcpy(&header, posted.data(), sizeof header);
  const std::uint32_t number = handler_number(header.handler);
  if (number == wire::greeting_number) return {.kind = message_kind::control};
  const wire::handler_entry& handler = *handlers_[number];
  // The values of its layout; of what has no fixed length, and of a bulk, each 8 bytes.
  std::size_t words = handler.words + bulk_bytes / 8;
  if (handler.packet_bytes == 0) {
    words = std::max<std::size_t>(handler.words, (posted.size - sizeof header + bulk_bytes) / 8);
  }
  return {handler.kind, words, number};
}

std::uint64_t endpoint::under_way() const {
  std::uint64_t batches = static_cast<std::uint64_t>(own_.size());
  for (int link = 0; link < grid_.links(); ++link) {
    const pe_id to = pe_at(link);
    if (to != pe_ && to < pe_count_) batches += static_cast<std::uint64_t>(transport_.on_the_way(to));
  }
  return batches + overflow_->destinations().size();
}

std::uint64_t endpoint::oldest_ticks() const {
  constexpr std::ptrdiff_t trickle_bytes = 1024;
  constexpr std::size_t few_links = 4;
  if (tuning_.fixed() || dirty_.size() > few_links) return oldest_ticks_;
  for (const int link : dirty_) {
    const outgoing& o = *out_if_any(link);
    if (o.batch != nullptr && o.cursor - o.batch->data() > trickle_bytes) return oldest_ticks_;
  }
  return std::clamp(tuning_.cost() * tuning::filling * dirty_.size(), oldest_ticks_ / 10, oldest_ticks_);
}

bool endpoint::flush(flush_reason reason) {
  if (dirty_.empty()) return false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < dirty_.size(); ++i) {
    const int link = dirty_[i];
    outgoing& o = out(link);
    if (o.waits) [[unlikely]] {
      dirty_[kept++] = link;  // it would only wait, and may as well get full
      continue;
    }
    o.dirty = false;
    if (o.batch != nullptr && !tuning_.fixed()) {
      tuning_.left_early(link, static_cast<std::uint32_t>(o.cursor - o.batch->data()));
    }
    close_and_post(link, o, reason);
  }
  const bool any = kept != dirty_.size();
  dirty_.resize(kept);
  return any;
}

void endpoint::send_scratch(pe_id to, const wire::handler_entry& handler) {
  const std::size_t packet = sizeof(std::uint32_t) + scratch_.size();
  if (packet > packet_limit_) {
    send_in_bulk(to, handler, std::exchange(scratch_, {}));
    return;
  }
  std::byte* place = append(to, handler, packet);
  const auto length = static_cast<std::uint32_t>(scratch_.size());
  std::memcpy(place, &length, sizeof length);
  std::memcpy(place + sizeof length, scratch_.data(), scratch_.size());
  ++out(link_towards(to)).variable_packets;
}

void endpoint::send_in_bulk(pe_id to, const wire::handler_entry& handler, std::vector<std::byte> packet) {
  const bulk_head head = start_bulk(to, handler.number | in_bulk, 0);
  count_sent(handler, 1, packet.size());
  count_sent_to(to, handler, 1);
  post_bulk(head, overflow_->keep(std::move(packet)));
}

// ---- receiving

bool endpoint::run_arrived() {
  posted_since_run_ = false;
  if (!overflow_->empty()) [[unlikely]]
    send_held_back();
  pe_id from = pe_;
  transport::batch* b = own_.pop();
  if (b != nullptr) {
    executes_own_ = true;
    if (b->is_bulk()) land_own_bulk(b);
  } else {
    b = early_.empty() ? transport_.poll() : early_.pop();
    if (b == nullptr) return false;
    from = b->from;
  }
  if (!routed()) [[likely]] {
    execute(b, from);
    transport_.release(b);
  } else {
    passage_->begin(b);
    execute(b, from);
    passage_->end();
  }
  executes_own_ = false;
  return true;
}

// Only now, so that its bytes keep their place among the packets that this PE sends to itself.
void endpoint::land_own_bulk(transport::batch* head) {
  const transport::bulk_source source = own_bulks_->front();
  own_bulks_->pop_front();
  head->bulk_data = place(pe_, {head->data(), head->size}, head->bulk_bytes);
  std::memcpy(head->bulk_data, source.bytes.data(), head->bulk_bytes);
  if (source.done != nullptr) source.done(source.argument);
}

void endpoint::bad_run(const wire::run& r, const std::byte* at, const std::string& what) {
  std::string where = "in a bulk";
  if (r.batch_begin != nullptr) where = "at offset " + std::to_string(at - r.batch_begin);
  fail("a bad batch came from PE " + std::to_string(r.from) + ": " + where + ": " + what);
}

endpoint::parsed_run endpoint::first_run(pe_id from, std::span<const std::byte> left, const std::byte* batch_begin) {
  parsed_run parsed{{left.data(), left.data() + left.size(), from, batch_begin}};
  wire::run& r = parsed.packets;
  run_header header{};
  if (left.size() < sizeof header) bad_run(r, r.begin, "it ends inside a run's header");
  std::memcpy(&header, left.data(), sizeof header);
  parsed.in_bulk = (header.handler & in_bulk) != 0;
  const std::uint32_t kind = header.handler & tag_bits;
  const std::uint32_t number = header.handler & (routed() ? number_bits : ~in_bulk);
  if (number == wire::greeting_number || number >= handlers_.size()) {
    bad_run(r, r.begin,
            "handler number " + std::to_string(number) + " is unknown; this PE has 1 to " +
                std::to_string(handlers_.size() - 1));
  }
  parsed.handler = handlers_[number];
  const wire::handler_entry& handler = *parsed.handler;
  r.begin += sizeof header;
  if (header.bytes > static_cast<std::size_t>(r.end - r.begin)) {
    bad_run(r, r.begin,
            std::string("a run of ") + std::to_string(header.bytes) + " bytes for " + wire::readable_name(handler) +
                ", but " + std::to_string(r.end - r.begin) + " are left");
  }
  r.end = r.begin + header.bytes;
  r.tag_bytes = static_cast<std::uint32_t>(tag_bytes(kind));
  const std::uint32_t packet = handler.packet_bytes == 0 ? 0 : handler.packet_bytes + r.tag_bytes;
  if (!parsed.in_bulk && (header.bytes == 0 || (packet != 0 && header.bytes % packet != 0))) {
    bad_run(r, r.begin,
            std::string("a run of ") + std::to_string(header.bytes) + " bytes for " + wire::readable_name(handler) +
                ", whose packets have " + std::to_string(packet));
  }
  if (kind == straight) return parsed;
  if (header.bytes < r.tag_bytes) bad_run(r, r.begin, "it ends inside the number of a PE");
  if (kind != outward) r.from = read_pe(r, r.begin);
  if (kind != arriving) parsed.to = read_pe(r, r.begin + r.tag_bytes - sizeof(pe_id));
  return parsed;
}

void endpoint::execute(transport::batch* b, pe_id from) {
  if (b->is_bulk()) [[unlikely]]
    return execute_with_bulk(b, from);
  const std::byte* const begin = b->data();
  const std::byte* const end = begin + b->size;
  for (const std::byte* at = begin; at != end;) {
    if (end - at < std::ptrdiff_t{sizeof(run_header)}) [[unlikely]]
      refuse_run(from, {at, end}, begin);
    run_header header;
    std::memcpy(&header, at, sizeof header);
    at += sizeof header;
    if (header.handler >= handlers_.size() || header.bytes > static_cast<std::size_t>(end - at) || header.bytes == 0)
        [[unlikely]] {
      if (routed() && (header.handler & tag_bits) != 0) {
        at = execute_tagged(from, {at - sizeof header, end}, begin);
        continue;
      }
      refuse_run(from, {at - sizeof header, end}, begin);
    }
    const wire::handler_entry* const handler = handlers_[header.handler];
    if (handler == nullptr || handler->place != nullptr ||
        (header.bytes != handler->packet_bytes && handler->packet_bytes != 0 &&
         header.bytes % handler->packet_bytes != 0)) [[unlikely]] {
      refuse_run(from, {at - sizeof header, end}, begin);
    }
    const wire::run r{at, at + header.bytes, from, begin};
    at += header.bytes;
    const std::size_t packets = handler->execute(r);
    count_executed(*handler, packets);
    count_executed_from(from, *handler, packets);
  }
}

// Something is wrong with the run at the start of `left`, which came in a batch without a bulk.
void endpoint::refuse_run(pe_id from, std::span<const std::byte> left, const std::byte* batch_begin) {
  const parsed_run parsed = first_run(from, left, batch_begin);
  bad_run(parsed.packets, parsed.packets.begin,
          parsed.in_bulk ? "a packet's bulk is missing"
                         : "the bulk for " + wire::readable_name(*parsed.handler) + " is missing");
}

// The head of a bulk: one run, of one packet.
void endpoint::execute_with_bulk(transport::batch* b, pe_id from) {
  const parsed_run parsed = first_run(from, {b->data(), b->size}, b->data());
  if (parsed.to != no_pe) return pass_on_bulk(b, parsed);
  const wire::handler_entry& handler = *parsed.handler;
  wire::run r = parsed.packets;
  r.begin += r.tag_bytes;
  r.tag_bytes = 0;
  std::unique_ptr<std::byte[]> payload;
  if (parsed.in_bulk) {
    payload.reset(std::exchange(b->bulk_data, nullptr));
    if (handler.packet_bytes != 0 && handler.packet_bytes != b->bulk_bytes) {
      bad_run(r, r.begin,
              "a bulk of " + std::to_string(b->bulk_bytes) + " bytes for " + wire::readable_name(handler) +
                  ", whose packets have " + std::to_string(handler.packet_bytes));
    }
    r.begin = payload.get();
    r.end = r.begin + b->bulk_bytes;
    r.batch_begin = nullptr;
  } else {
    r.bulk = b->bulk_data;
    r.bulk_bytes = b->bulk_bytes;
  }
  handler.execute(r);
  count_executed(handler, 1);
  count_executed_from(r.from, handler, 1);
}

std::byte* endpoint::place(pe_id from, std::span<const std::byte> head, std::size_t bytes) {
  const parsed_run parsed = first_run(from, head, head.data());
  const wire::handler_entry& handler = *parsed.handler;
  wire::run r = parsed.packets;
  if (r.end != head.data() + head.size()) bad_run(r, r.end, "the head of a bulk goes on behind its run");
  if ((handler.place != nullptr) == parsed.in_bulk) {
    bad_run(r, r.begin, std::string("a bulk for ") + wire::readable_name(handler) + ", which takes none");
  }
  r.begin += r.tag_bytes;
  r.tag_bytes = 0;
  if (parsed.in_bulk && r.begin != r.end) bad_run(r, r.begin, "a packet stands before its bulk");
  if (!parsed.in_bulk && r.end - r.begin != static_cast<std::ptrdiff_t>(handler.packet_bytes)) {
    bad_run(r, r.begin, "a bulk comes with more than one packet");
  }
  // Freed by execute(), or when it has been passed on.
  if (parsed.in_bulk || parsed.to != no_pe) return new std::byte[bytes];
  r.bulk_bytes = bytes;
  std::byte* landing = handler.place(r);
  if (landing == nullptr) bad_run(r, r.begin, "a bulk with no place to land");
  return landing;
}

}  // namespace tsubu::message
