#include "tsubu/sim/network.hpp"

#include <algorithm>

namespace tsubu::sim {
namespace {

bool takes(const occupancy& o) { return o.packet_ps != 0 || o.byte_fs != 0; }

}  // namespace

network::network(const machine& of, int pes)
    : machine_(of),
      topology_(of, pes),
      pes_per_node_(of.node.pes),
      packet_bytes_(of.network.packet_bytes),
      least_ps_(of.network.latency),
      stops_on_the_way_(takes(of.network.receiver) || (takes(of.network.wire) && topology_.links() > 0)),
      sender_free_(static_cast<std::size_t>(pes)),
      receiver_free_(takes(of.network.receiver) ? static_cast<std::size_t>(pes) : 0),
      link_free_(static_cast<std::size_t>(takes(of.network.wire) ? topology_.links() : 0)),
      link_taken_(link_free_.size()) {
  if (of.network.tcp.known) tcp_ = std::make_unique<tcp_streams>(of, pes);
  if (pes_per_node_ > 1) least_ps_ = std::min(least_ps_, of.node.latency);
  if (link_free_.empty() || of.network.buffers == 0) return;
  buffers_ = of.network.buffers;
  lines_.resize(static_cast<std::size_t>(pes));
  gates_.resize(link_free_.size() + static_cast<std::size_t>(pes));
}

void network::pass(flight& f, std::int64_t& free_ps, const occupancy& by, std::int64_t behind_ps) const {
  const std::int64_t start = std::max(f.ps, free_ps);
  const std::int64_t taken = occupied(by, f.bytes);
  free_ps = start + taken;
  f.ps = start + behind_ps;
  f.tail_ps = std::max(f.tail_ps, start + taken - by.packet_ps) + behind_ps;
}

bool network::send(flight& f) {
  const auto& net = machine_.network;
  if (same_node(f.from, f.to)) {
    f.ps += machine_.node.latency + occupied(machine_.node.wire, f.bytes);
    return true;
  }
  if (tcp_ != nullptr) {
    tcp_->send(f);
    return false;
  }
  f.tail_ps = f.ps;
  pass(f, sender_free_[static_cast<std::size_t>(f.from)], net.sender, net.latency);
  if (link_free_.empty()) {
    const std::int64_t links_ps = topology_.distance(f.from, f.to) * net.link;
    f.ps += links_ps;
    f.tail_ps += links_ps;
  }
  if (stops_on_the_way_) {
    under_way_.push(f);
    return false;
  }
  f.ps = f.tail_ps;
  return true;
}

bool network::move(flight& arrived) {
  if (tcp_ != nullptr) return tcp_->move(arrived);
  if (buffers_ > 0) return move_with_buffers(arrived);
  const auto& net = machine_.network;
  flight f = under_way_.top();
  under_way_.pop();
  if (!link_free_.empty()) {
    route_of(f);
    if (static_cast<std::size_t>(f.step) < route_.size()) {
      const auto link = static_cast<std::size_t>(route_[static_cast<std::size_t>(f.step++)]);
      const std::int64_t free_before = std::max(link_free_[link], f.ps);
      pass(f, link_free_[link], net.wire, net.link);
      link_taken_[link] += link_free_[link] - free_before;
      under_way_.push(f);
      return false;
    }
  }
  if (!receiver_free_.empty()) pass(f, receiver_free_[static_cast<std::size_t>(f.to)], net.receiver, 0);
  f.ps = f.tail_ps;
  arrived = f;
  return true;
}

void network::route_of(const flight& f) {
  route_.clear();
  topology_.route(f.from, f.to, route_);
}

std::size_t network::line_of(std::size_t link, std::int32_t bank) {
  const std::size_t pes = sender_free_.size(), links = link_free_.size();
  const std::size_t number = pes + static_cast<std::size_t>(bank) * links + link;
  if (number >= lines_.size()) lines_.resize(pes + (static_cast<std::size_t>(bank) + 1) * links);
  return number;
}

// Whoever comes at a time is in its line before anybody passes at that time.
bool network::move_with_buffers(flight& arrived) {
  if (!under_way_.empty() && (looks_.empty() || under_way_.top().ps <= looks_.top().ps)) {
    const flight f = under_way_.top();
    under_way_.pop();
    std::size_t at = static_cast<std::size_t>(f.from);
    if (f.step > 0) {
      route_of(f);
      at = line_of(static_cast<std::size_t>(route_[static_cast<std::size_t>(f.step) - 1]), f.bank);
    }
    lines_[at].waiting.push_back(f);
    if (lines_[at].waiting.size() == 1) ask(at, f.ps);
    return false;
  }
  const look now = looks_.top();
  looks_.pop();
  gate& g = gates_[now.at];
  if (g.look_ps != now.ps) return false;  // it has looked before that, and did what was to do
  g.look_ps = no_time;
  return let_one_pass(now.at, now.ps, arrived);
}

// The first of a line asks for what it needs next.
void network::ask(std::size_t from_line, std::int64_t ps) {
  const flight& f = lines_[from_line].waiting.front();
  route_of(f);
  const auto step = static_cast<std::size_t>(f.step);
  const std::size_t at = step < route_.size() ? static_cast<std::size_t>(route_[step])
                                              : link_free_.size() + static_cast<std::size_t>(f.to);
  gates_[at].asking.push_back(from_line);
  look_later(at, std::max(ps, gates_[at].free_ps));
}

void network::look_later(std::size_t at, std::int64_t ps) {
  if (gates_[at].asking.empty() || gates_[at].look_ps <= ps) return;
  gates_[at].look_ps = ps;
  looks_.push({ps, at});
}

bool network::let_one_pass(std::size_t at, std::int64_t ps, flight& arrived) {
  const std::size_t pes = sender_free_.size(), links = link_free_.size();
  const auto& net = machine_.network;
  const bool is_link = at < links;
  if (gates_[at].free_ps > ps) {
    look_later(at, gates_[at].free_ps);
    return false;
  }
  for (std::size_t i = 0; i < gates_[at].asking.size(); ++i) {
    const std::size_t from = gates_[at].asking[i];
    flight f = lines_[from].waiting.front();
    std::size_t to = 0;
    if (is_link) {
      const bool later =
          from < pes || topology_.order(static_cast<int>(at)) > topology_.order(static_cast<int>((from - pes) % links));
      if (!later) ++f.bank;
      to = line_of(at, f.bank);
      if (lines_[to].taken == buffers_) continue;
      ++lines_[to].taken;
    }
    gate& g = gates_[at];
    g.asking.erase(g.asking.begin() + static_cast<std::ptrdiff_t>(i));
    lines_[from].waiting.pop_front();
    f.ps = ps;
    pass(f, g.free_ps, is_link ? net.wire : net.receiver, is_link ? net.link : 0);
    look_later(at, g.free_ps);
    if (from >= pes) {  // there is room again at the end of the link that it has passed
      --lines_[from].taken;
      look_later((from - pes) % links, ps);
    }
    if (!lines_[from].waiting.empty()) ask(from, ps);
    if (is_link) {
      link_taken_[at] += gates_[at].free_ps - ps;
      ++f.step;
      under_way_.push(f);
      return false;
    }
    f.ps = f.tail_ps;
    arrived = f;
    return true;
  }
  return false;
}

}  // namespace tsubu::sim
