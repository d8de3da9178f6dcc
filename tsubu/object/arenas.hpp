// What a PE knows of arenas (arena.hpp has what programs call): which objects it has made in them, and who else has
// made some.
//
// An object is noted with the epoch whose code made it; the number of an epoch says whether that is an arena, or lies
// within one. The first time that a PE makes an object in such an epoch it tells the epoch's opener, by a message of
// that epoch, which so has come before the epoch ends; and where the opener's epoch lies within another, the opener
// tells that one's, too. So an arena knows a tree of PEs, and its end goes down that tree: one message to each.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tsubu/object/identity.hpp"
#include "tsubu/remote/termination/epochs.hpp"

namespace tsubu::objects {

class object_space;

class arenas {
 public:
  // An object here was made by code of this epoch, which lies in an arena.
  void made(const identity& id, remote::epoch_part& in);
  // That PE has made objects in this epoch, which was opened here.
  void made_elsewhere(remote::epoch_id in, pe_id by);
  // The objects of this epoch end, here and wherever they were made. Their messages belong to the epoch that runs now.
  void end(object_space& space, remote::epoch_id of);

  // How many epochs are known here, and objects noted.
  std::size_t size() const { return of_.size(); }
  std::size_t noted() const;

 private:
  struct branch {
    pe_id pe;
    remote::epoch_id of;
  };
  struct record {
    std::vector<identity> objects;
    std::size_t looks_at = 16;  // with so many objects, those that have ended are forgotten
    std::vector<branch> branches;
  };
  struct id_hash {
    std::size_t operator()(const remote::epoch_id& id) const { return id.word() * 0x9e3779b97f4a7c15U >> 8; }
  };

  record& record_of(remote::epoch_part& in);
  static void tell_opener(remote::epoch_part& in);

  std::unordered_map<remote::epoch_id, record, id_hash> of_;
  // The epoch of the last object: most are made in the same one.
  remote::epoch_id last_id_;
  record* last_ = nullptr;
};

}  // namespace tsubu::objects
