// Which links a message passes from one PE to another.
//
// Routes are minimal and do not change: the same two PEs always take the same links. Nothing is stored for a PE or a
// link, so a topology of 100,000 PEs costs no more than one of 10.
//
//   full       every node has a way of its own to every other: no links that are shared, and a distance of 1
//   bus        one link that all share
//   omega      circular; shape [G, S]: S stages of G nodes. Node (g, s) has the number S g + s, and its outputs 0 and 1
//              go to (2g mod G, s + 1 mod S) and (2g + 1 mod G, s + 1 mod S). (Sakai et al. 1989, EM-4.) With `fill`
//              F, PEs are numbered over the first F nodes of each group first, then over the others; with `first_group`
//              f, from group f on.
//   mesh       shape [x, y, ...], the first counts fastest; routes go along the first dimension, then the second, ...
//   torus      a mesh whose ends are joined; routes go the shorter way round, upwards if both are as long
//   fat_tree   shape [nodes of a leaf switch, leaf switches below one of the next level, ...]; as many links go up
//              from a switch as go down. Up to the lowest switch above both nodes, down again; the upward port is
//              chosen by the destination's number (D-mod-k, Zahavi 2012), so that no two messages of a shift meet.
//   dragonfly  shape [routers of a group, nodes of a router, groups]: the routers of a group are all connected, and
//              so are the groups, each two by one link. To the router that has it, over it, to the router of the node.
//              (Kim et al. 2008.)
//
// PEs of one node use no link. Jobs smaller than the shape have its first PEs; a mesh or torus without a shape is as
// cubic as the number of nodes lets it be, in three dimensions.
#pragma once

#include <string>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/sim/machine.hpp"

namespace tsubu::sim {

class topology {
 public:
  // The machine can have so many PEs (check_pes).
  topology(const machine& on, int pes);

  // Links are numbered from 0.
  int links() const;

  // The links from one PE to another, in order. Time: in proportion to their number.
  void route(pe_id from, pe_id to, std::vector<int>& links) const;

  // What people call it: "the cable into node 3", or "link 17" where it has no better name.
  std::string name(int link) const;

  // Where a link is in an order in which most routes go: they seldom pass one that is not later than the last.
  int order(int link) const;

  // How many links a message passes; 1 where links are not shared.
  int distance(pe_id from, pe_id to) const;

  // A PE one link away, where the topology has such: the k-th, k = 0, 1, ..; else the PE k + 1 further on. Always one
  // of the job's `pes` PEs, so a job smaller than the machine may get another.
  pe_id neighbour(pe_id of, int k, int pes) const;

  const std::vector<int>& shape() const { return shape_; }

 private:
  void along_dimensions(int from, int to, std::vector<int>& links) const;
  void through_omega(int from, int to, std::vector<int>& links) const;
  void up_and_down(int from, int to, std::vector<int>& links) const;
  void by_groups(int from, int to, std::vector<int>& links) const;

  int node_of(pe_id pe) const;
  int number_of(int node) const;  // node_of's inverse, for nodes that have one PE

  const topology_kind kind_;
  const int node_pes_;
  const int fill_, first_group_;
  std::vector<int> shape_;
  int nodes_ = 0;  // that the shape has room for
};

}  // namespace tsubu::sim
