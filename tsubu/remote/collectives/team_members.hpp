// Which PEs a team has, in the order of their ranks.
//
// PEs that are evenly spaced, as the rows and columns of a grid are, take twelve bytes; others are listed.
#pragma once

#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::remote {

class team_members {
 public:
  team_members() = default;  // none
  // By rank; each PE once.
  explicit team_members(std::vector<pe_id> by_rank);
  // All PEs of a job.
  static team_members all(pe_id count);

  pe_id size() const { return size_; }
  // 0 <= rank < size()
  pe_id pe(pe_id rank) const {
    return stride_ != 0 ? first_ + rank * stride_ : listed_[static_cast<std::size_t>(rank)];
  }
  // no_pe for a PE that is not among them. Where they are listed, a search through all.
  pe_id rank_of(pe_id pe) const;

  template <class F>
  void for_each(F f) const {
    for (const pe_id pe : listed_) f(pe);
    if (stride_ == 0) return;
    for (pe_id left = size_, pe = first_; left > 0; --left, pe += stride_) f(pe);
  }

  // Whether they are different PEs of a job of that many.
  bool fit(pe_id count) const;

  bool operator==(const team_members&) const = default;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(first_, stride_, size_, listed_);
  }

 private:
  pe_id first_ = 0;
  pe_id stride_ = 1;  // 0: the PEs are listed
  pe_id size_ = 0;
  std::vector<pe_id> listed_;
};

}  // namespace tsubu::remote
