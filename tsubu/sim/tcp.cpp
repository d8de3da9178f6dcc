#include "tsubu/sim/tcp.hpp"

#include <algorithm>

namespace tsubu::sim {
namespace {

constexpr std::size_t first_window = 2;  // segments
constexpr int duplicates_of_a_loss = 3;  // acknowledgements of later segments
constexpr int most_doublings = 6;        // of the timeout

}  // namespace

tcp_streams::tcp_streams(const machine& of, int pes)
    : sender_(of.network.sender),
      receiver_(of.network.receiver),
      latency_(of.network.latency),
      tcp_(of.network.tcp),
      pes_(static_cast<std::size_t>(pes)),
      ways_in_(pes_),
      port_free_ps_(pes_) {}

std::int64_t tcp_streams::taken(const occupancy& by, std::size_t bytes) const {
  return by.packet_ps + static_cast<std::int64_t>(bytes) * by.byte_fs / 1000;
}

std::size_t tcp_streams::halved(std::size_t window) const {
  return std::max(window / 2, first_window * tcp_.segment_bytes);
}

void tcp_streams::add(event e) {
  e.number = ++number_;
  events_.push(e);
}

tcp_streams::stream& tcp_streams::between(pe_id from, pe_id to) {
  stream& s = streams_[static_cast<std::uint64_t>(from) * pes_ + static_cast<std::uint64_t>(to)];
  if (s.from == no_pe) {
    s.from = from;
    s.to = to;
    s.window = std::min(first_window * tcp_.segment_bytes, tcp_.window_bytes);
    s.threshold = tcp_.window_bytes;
  }
  return s;
}

void tcp_streams::send(const flight& f) {
  stream& s = between(f.from, f.to);
  const std::size_t bytes = std::max<std::size_t>(f.bytes, 1);
  const std::uint64_t end = (s.messages.empty() ? std::max(s.given, s.highest) : s.messages.back().end) + bytes;
  s.messages.push_back({f, end});
  add({f.ps + latency_, 0, event::given, {&s, end, bytes}, 0});
}

bool tcp_streams::move(flight& arrived) {
  if (there_.empty()) {
    const event e = events_.top();
    events_.pop();
    stream& s = *e.of.of;
    switch (e.what) {
      case event::given:
        s.given = e.of.begin;
        ask(s, e.ps - latency_);
        break;
      case event::way_free:
        let_one_in(s.from, e.ps - latency_);
        break;
      case event::at_port:
        reach_port(e.of, e.ps);
        break;
      case event::through_port:
        arrive(e.of, e.ps);
        break;
      case event::acknowledged:
        acknowledge(e.of, e.ps - latency_);
        break;
      case event::timed_out:
        time_out(s, e.timer, e.ps - latency_);
        break;
    }
  }
  if (there_.empty()) return false;
  arrived = there_.front().what;
  there_.pop_front();
  return true;
}

// ---- the sender, in its own time

void tcp_streams::ask(stream& s, std::int64_t ps) {
  if (s.asks || !s.may_send(tcp_.segment_bytes)) return;
  s.asks = true;
  way_in& way = ways_in_[static_cast<std::size_t>(s.from)];
  way.asking.push_back(&s);
  if (way.looks) return;
  way.looks = true;
  add({std::max(ps, way.free_ps) + latency_, 0, event::way_free, {&s, 0, 0}, 0});
}

void tcp_streams::let_one_in(pe_id from, std::int64_t ps) {
  way_in& way = ways_in_[static_cast<std::size_t>(from)];
  way.looks = false;
  stream& s = *way.asking.front();
  way.asking.pop_front();
  s.asks = false;
  if (s.may_send(tcp_.segment_bytes)) {
    segment next{&s, s.sent, 0};
    if (hole* const again = s.next_to_send_again()) {
      again->to_send = false;
      next.begin = again->begin;
      next.bytes = again->bytes;
    } else {
      next.bytes = static_cast<std::size_t>(std::min<std::uint64_t>(tcp_.segment_bytes, s.given - s.sent));
      s.sent += next.bytes;
    }
    s.on_the_way += next.bytes;
    way.free_ps = ps + taken(sender_, next.bytes);
    add({ps + latency_, 0, event::at_port, next, 0});
    if (s.may_send(tcp_.segment_bytes)) {
      s.asks = true;
      way.asking.push_front(&s);
    }
  }
  if (way.looks || way.asking.empty()) return;
  way.looks = true;
  add({std::max(ps, way.free_ps) + latency_, 0, event::way_free, {way.asking.front(), 0, 0}, 0});
}

void tcp_streams::acknowledge(const segment& of, std::int64_t ps) {
  stream& s = *of.of;
  s.on_the_way -= std::min(s.on_the_way, of.bytes);
  if (s.holes.empty()) {
    s.duplicates = 0;
    s.doublings = 0;
    s.timed = false;
  }
  if (s.holes.empty() || of.begin < s.holes.front().begin) {
    const std::size_t more =
        s.window < s.threshold ? tcp_.segment_bytes : tcp_.segment_bytes * tcp_.segment_bytes / s.window;
    s.window = std::min(s.window + more, tcp_.window_bytes);
  } else if (++s.duplicates == duplicates_of_a_loss && s.holes.size() == 1) {
    hole& lost = s.holes.front();
    lost.to_send = true;
    s.on_the_way -= std::min(s.on_the_way, lost.bytes);
    s.threshold = halved(s.window);
    s.window = s.threshold;
  }
  ask(s, ps);
}

void tcp_streams::wait_for_timeout(stream& s, std::int64_t ps) {
  s.timed = true;
  add({ps + (tcp_.timeout << s.doublings) + latency_, 0, event::timed_out, {&s, 0, 0}, ++s.timer});
}

void tcp_streams::time_out(stream& s, std::uint64_t timer, std::int64_t ps) {
  if (!s.timed || timer != s.timer || s.holes.empty()) return;
  ++timeouts_;
  s.timed = false;
  s.doublings = std::min(s.doublings + 1, most_doublings);
  s.duplicates = 0;
  s.threshold = halved(s.window);
  s.window = tcp_.segment_bytes;
  for (hole& lost : s.holes) {
    if (!lost.to_send) s.on_the_way -= std::min(s.on_the_way, lost.bytes);
    lost.to_send = true;
  }
  ask(s, ps);
}

// ---- the switch and the receiver

void tcp_streams::reach_port(const segment& of, std::int64_t ps) {
  stream& s = *of.of;
  std::int64_t& free_ps = port_free_ps_[static_cast<std::size_t>(s.to)];
  const std::int64_t waits_ps = std::max<std::int64_t>(free_ps - ps, 0);
  const std::int64_t full_ps = taken(receiver_, tcp_.port_bytes);
  if (waits_ps + taken(receiver_, of.bytes) > full_ps) {
    ++dropped_;
    const auto at = std::find_if(s.holes.begin(), s.holes.end(), [&](const hole& h) { return h.begin >= of.begin; });
    if (at == s.holes.end() || at->begin != of.begin) s.holes.insert(at, {of.begin, of.bytes, false});
    if (!s.timed) wait_for_timeout(s, ps);
    return;
  }
  free_ps = std::max(free_ps, ps) + taken(receiver_, of.bytes);
  add({free_ps, 0, event::through_port, of, 0});
}

void tcp_streams::arrive(const segment& of, std::int64_t ps) {
  stream& s = *of.of;
  s.highest = std::max(s.highest, of.begin + of.bytes);
  std::erase_if(s.holes, [&](const hole& h) { return h.begin == of.begin; });
  // Acknowledged a latency later, and looked at another latency after that.
  add({ps + 2 * latency_, 0, event::acknowledged, of, 0});
  while (!s.messages.empty() && s.messages.front().end <= s.in_order()) {
    there_.push_back(s.messages.front());
    there_.back().what.ps = ps;
    there_.back().what.tail_ps = ps;
    s.messages.pop_front();
  }
}

}  // namespace tsubu::sim
