// Where new objects go: `create<node>(anywhere(), ...)`.
#pragma once

#include "tsubu/base/types.hpp"

namespace tsubu {

enum class placement {
  least_loaded,  // here, unless another PE has nothing to do; and objects that have not begun may move there
  round_robin,
  random,
  neighbour,  // the next PE
};

// The PE that a policy, or the program's function, chooses.
// Local; does not block; a function that names no PE of the job ends it.
class [[nodiscard]] anywhere {
 public:
  anywhere() = default;
  explicit anywhere(placement policy) : policy_(policy) {}
  // The program's own.
  explicit anywhere(pe_id (*own)()) : own_(own) {}

  // The PE for one more object. Local.
  pe_id choose() const;
  // Whether the runtime chooses, by load.
  bool balances() const { return own_ == nullptr && policy_ == placement::least_loaded; }

 private:
  placement policy_ = placement::least_loaded;
  pe_id (*own_)() = nullptr;
};

}  // namespace tsubu
