// A message whose arguments leave as they are computed, each by itself:
//
//   auto m = b.stream<&board::place>();             // a message box is begun on the other PE; nothing is waited for
//   m.put<0>(n - 1);                                // leaves at once
//   m.put<2>(co_await other.now<&dice::throw_it>());
//   m.put<1>(picture);
//   m.past();                                       // or: long r = co_await m.now();
//
// The message takes its place among those to the object when it is completed. (The pipelined send of ABCL/EM-4: the
// argument is in the receiver's message box while the next one is computed, and is stored nowhere else.)
#pragma once

#include <optional>
#include <unordered_map>

#include "tsubu/object/packets.hpp"
#include "tsubu/object/ref.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu {

namespace objects {

template <class Values>
struct boxed;
template <class... V>
struct boxed<std::tuple<V...>> {
  using type = std::tuple<std::optional<V>...>;
};
template <auto M>
using box_of = typename boxed<values_of<M>>::type;

// The boxes that are being filled on this PE, for one method.
template <class T, auto M>
inline pe_local<std::unordered_map<std::uint64_t, box_of<M>>> boxes;

inline std::uint64_t box_key(pe_id from, std::uint32_t number) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 | number;
}

template <class T, auto M, std::size_t I>
struct stream_part {
  using V = std::tuple_element_t<I, values_of<M>>;
  using layout = wire::layout<std::uint32_t, travelling_type<V>>;
  static constexpr message_kind kind = message_kind::write;  // into the box
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, std::uint32_t number, travelling_type<V> value) {
    std::get<I>((*boxes<T, M>)[box_key(d.from, number)]).emplace(travelling<V>::in(value));
  }
};

template <class T, auto M>
struct stream_end {
  using layout = wire::layout<std::uint32_t, std::uint64_t, remote::reply_address>;
  static constexpr std::size_t words = 0;  // the parts carry them
  static void call(const message::delivery& d, std::uint32_t number, std::uint64_t name, remote::reply_address to) {
    const auto node = boxes<T, M>->extract(box_key(d.from, number));
    box_of<M> box;
    if (!node.empty()) box = std::move(node.mapped());
    object_space& s = this_space();
    const identity id = read_name<full_name>(s, d.from, name);
    deliver_box(s, id, to.pe == no_pe ? destination() : destination(to), box);
  }
  static void deliver_box(object_space& s, const identity& id, const destination& to, box_of<M>& box) {
    std::apply(
        [&](auto&... v) {
          if (!(v.has_value() && ...))
            fail("a streamed " + method_name(method_info_of<T, M>::value) + " lacks an argument");
          deliver<T, M>(s, id, no_pe, to, false, std::move(*v)...);
        },
        box);
  }
};

// The number of the next stream that this PE begins.
std::uint32_t next_stream();

}  // namespace objects

// Move-only; to be completed by past(), now() or future(), or dropped: then the arguments go nowhere.
// Local; now() blocks until the answer is there; an argument that is put twice or missing ends the job.
template <class T, auto M>
class [[nodiscard]] streamed {
 public:
  using R = objects::result_of<M>;
  explicit streamed(ref<T> to) : to_(to.id()), number_(objects::next_stream()) {
    objects::object_space& s = objects::this_space();
    stays_ = to_.home == s.me() || (s.knows_routes() && s.has_moved(to_));
  }
  streamed(streamed&&) = default;
  streamed& operator=(streamed&&) = default;

  // Argument I of the method, once. To another PE it leaves at once.
  template <std::size_t I, class A>
  void put(A&& a) {
    static_assert(objects::takes_argument<T, M, I, A>());
    using V = std::tuple_element_t<I, objects::values_of<M>>;
    if ((put_ >> I & 1U) != 0) fail("argument " + std::to_string(I + 1) + " of a streamed message is put twice");
    put_ |= std::uint64_t{1} << I;
    if (stays_) {
      std::get<I>(box_).emplace(std::forward<A>(a));
    } else {
      remote::send<objects::stream_part<T, M, I>>(to_.home, number_,
                                                  objects::travelling<V>::out(static_cast<V>(std::forward<A>(a))));
    }
  }

  // Each completes it: without a reply, with a future, or awaited.
  void past() { complete(objects::destination()); }
  tsubu::future<R> future() {
    promise<R> given;
    auto later = given.get_future();
    complete(objects::destination(remote::future_reply<R>::make(std::move(given))));
    return later;
  }
  task<R> now() { return wait_for(future()); }

 private:
  static task<R> wait_for(tsubu::future<R> later) { co_return co_await std::move(later); }
  void complete(objects::destination to) {
    if (put_ != (std::uint64_t{1} << std::tuple_size_v<objects::values_of<M>>)-1) {
      fail("a streamed " + method_name(objects::method_info_of<T, M>::value) +
           " is completed before all its arguments are put");
    }
    if (stays_) {
      std::apply([&](auto&... v) { objects::send_delegated<T, M>(to_, to, std::move(*v)...); }, box_);
      return;
    }
    const wire::handler_entry& entry = message::registered<objects::stream_end<T, M>>::entry;
    if constexpr (objects::may_move<T>) objects::this_space().sends_home(to_.home);
    remote::send<objects::stream_end<T, M>>(
        to_.home, number_, to_.word(),
        to.wanted() ? to.template address<R>(&entry, to_.home) : remote::reply_address{no_pe, 0, 0});
  }

  objects::identity to_;
  std::uint32_t number_;
  std::uint64_t put_ = 0;
  bool stays_ = false;  // here until it is completed: the object is here, or has moved
  objects::box_of<M> box_;
};

template <class T>
template <auto M>
streamed<T, M> ref<T>::stream() const {
  check();
  return streamed<T, M>(*this);
}

}  // namespace tsubu
