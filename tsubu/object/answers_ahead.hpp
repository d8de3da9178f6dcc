// Questions to pure methods that are answered before they come (remote/messages/pure.hpp).
#pragma once

#include <optional>

#include "tsubu/object/method.hpp"
#include "tsubu/object/part.hpp"
#include "tsubu/remote/messages/answer.hpp"
#include "tsubu/remote/messages/pure.hpp"

namespace tsubu::objects {

// A question to a pure method, which has been answered before it came, or will be if it comes.
template <class T, auto M, class Name, class Ask>
struct answers_ahead {
  using result = result_of<M>;

  template <class... W>
  static bool answered(remote::reply_address to, typename Name::word name, const W&... w) {
    const std::optional<result> known = remote::computed_ahead<Ask, result>(name, w...);
    if (known.has_value()) remote::answer_value<result>(to, *known);
    return known.has_value();
  }

  // The packet has the name, `reply_bytes` of where the reply goes, and the values.
  template <std::size_t reply_bytes>
  static std::uint64_t key(const std::byte* head) {
    constexpr std::size_t name_bytes = sizeof(typename Name::word);
    return remote::hash_of_packet(head, Ask::layout::packet_bytes, name_bytes, name_bytes + reply_bytes);
  }

  template <class... W>
  static void compute(pe_id from, typename Name::word name, const W&... w) {
    static_assert(shape<M>::how == reply_kind::returned, "a pure method returns its answer");
    object_space& s = this_space();
    object_base* const o = find_object<T>(s, Name::read(name, s.me(), from));
    if (o == nullptr || !o->tsubu_header.dormant()) return;
    const auto& object = part_with_method<T, typename shape<M>::owner>(s, *o);
    const auto call = [&object](typename Name::word, const W&... values) { return (object.*M)(values...); };
    remote::compute_ahead<Ask, result>(call, name, w...);
  }
};

}  // namespace tsubu::objects
