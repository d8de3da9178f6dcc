// Creations that are kept back for a moment: mostly the first message to the new object follows at once, and then both
// go in one packet (packets.hpp).
//
// While one is kept, whatever else its PE sends asks first (base/send_bound.hpp), and the creation goes before it. So
// the order of what is sent stays as it is, but for creations on other PEs than the message's.
#pragma once

#include <array>

#include "tsubu/base/send_bound.hpp"
#include "tsubu/object/identity.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu::objects {

class kept_creations final : sent_first {
 public:
  // As many as an object has children on other PEs, mostly.
  static constexpr int most = 4;
  // Sends the creation of the object of that name, which has been numbered here.
  using send_function = void (*)(const identity&);

  // Packets go straight to `pes` PEs; 0 if they do not, or if each leaves alone and there is nothing to be gained.
  explicit kept_creations(std::uint32_t pes) : pes_(pes) {}
  kept_creations(const kept_creations&) = delete;
  kept_creations& operator=(const kept_creations&) = delete;

  // Whether one may be kept that is sent now: in an epoch each message is counted when it is sent.
  bool may_keep() const { return this_task_group == nullptr && pes_ != 0; }
  void keep(const identity& id, send_function send) {
    if (count_ == most) [[unlikely]]
      send_all();
    kept_[count_++] = {id, send};
    keep_as_first(*this);
  }

  // True if the creation of that object was kept: then it is not any more, and those on the same PE that were kept
  // before it have been sent. The first message to it must take it along, and goes before the others that are kept.
  [[gnu::always_inline]] bool take(const identity& id) {
    if (count_ == 0 || this_task_group != nullptr) return false;
    if (count_ != 1 || !(kept_[0].id == id)) return take_of_several(id);
    count_ = 0;
    none_is_first(pes_, false);
    return true;
  }

 private:
  struct kept {
    identity id;
    send_function send = nullptr;
  };

  void send_all() override;
  bool take_of_several(const identity& id);

  std::uint32_t pes_;  // constant after construction
  std::uint32_t count_ = 0;
  std::array<kept, most> kept_;  // the first count_ of them, in the order of their creation
};

}  // namespace tsubu::objects
