// What a handler has computed ahead of a message, until that comes (prediction.hpp).
#pragma once

namespace tsubu::message {

class kept_result {
 public:
  virtual ~kept_result() = default;
};

}  // namespace tsubu::message
