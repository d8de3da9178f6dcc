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
  if (pes_per_node_ > 1) least_ps_ = std::min(least_ps_, of.node.latency);
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
  const auto& net = machine_.network;
  flight f = under_way_.top();
  under_way_.pop();
  if (!link_free_.empty()) {
    route_.clear();
    topology_.route(f.from, f.to, route_);
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

}  // namespace tsubu::sim
