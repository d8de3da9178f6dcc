// Which strong_refs an object holds: an archive that its serialize() is shown to, and that looks at nothing else.
//
// What it overlooks counts as held by somebody unknown, so it keeps its target alive. That is why it does not look
// behind a shared_ptr: others may hold the same.
#pragma once

#include <cereal/cereal.hpp>

#include <memory>
#include <vector>

#include "tsubu/collection/held_names.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu::objects {

class edges : public cereal::OutputArchive<edges, cereal::AllowEmptyClassElision> {
 public:
  enum class purpose : std::uint8_t { count, fetch, mark };
  edges(collection::held_names& names, purpose what);
  ~edges() override;
  // As the archive's own, which reads where it is once more for each value that it is shown.
  template <class... V>
  edges& operator()(V&&... values) {
    (show(values), ...);
    return *this;
  }
  [[gnu::always_inline]] void saw(const collection::hold& h) {
    if (h.at() != nullptr) saw_one(h);
  }
  // It looks for who holds what, so it must not be shown a strong_ref that others have, too; else it marks.
  bool counts() const { return purpose_ == purpose::count; }

 private:
  using archive = cereal::OutputArchive<edges, cereal::AllowEmptyClassElision>;
  template <class V>
  void show(V& value) {
    if constexpr (requires { value.tsubu_hold(); }) {
      saw(value.tsubu_hold());
    } else {
      archive::operator()(value);
    }
  }
  void saw_one(const collection::hold& h);

  collection::held_names& names_;
  purpose purpose_;
};

template <wire::arithmetic T>
void CEREAL_SAVE_FUNCTION_NAME(edges&, const T&) {}
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(edges& out, cereal::NameValuePair<T>& pair) {
  out(pair.value);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(edges&, const cereal::SizeTag<T>&) {}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(edges&, const cereal::BinaryData<T>&) {}
template <std::same_as<edges> E, class T>
  requires wire::plain_within<T>
void CEREAL_SAVE_FUNCTION_NAME(E&, const T&) {}
template <class T, class A>
  requires(wire::fixed_size<T> && !wire::arithmetic<T>)
void CEREAL_SAVE_FUNCTION_NAME(edges&, const std::vector<T, A>&) {}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(edges&, const std::shared_ptr<T>&) {}

}  // namespace tsubu::objects
