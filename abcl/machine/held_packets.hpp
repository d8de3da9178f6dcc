// The program's packets that have come to a node while its collector runs, in their order. Texts and arrays have been
// taken out of theirs: they are kept, and looked through, as all that the node has.
#pragma once

#include <utility>
#include <vector>

#include "abcl/machine/word.hpp"

namespace abcl::machine {

class held_packets {
 public:
  bool holds() const { return holds_; }
  void hold() { holds_ = true; }
  void release() { holds_ = false; }

  void add(const packet& p) {
    packets_.push_back(p);
    words_.push_back(p.address);
    words_.push_back(p.datum);
  }
  // Addresses and data, one behind the other.
  const std::vector<word>& words() const { return words_; }
  bool empty() const { return packets_.empty(); }
  std::vector<packet> take() {
    words_.clear();
    return std::exchange(packets_, {});
  }

 private:
  bool holds_ = false;
  std::vector<packet> packets_;
  std::vector<word> words_;
};

}  // namespace abcl::machine
