// Memory and objects that other PEs reach, made and ended on any PE; and methods of such objects, called through a
// global_ptr:
//
//   global_ptr<particle> object = co_await allocate<particle>(3);
//   co_await at(object).now<&particle::move>(dt);                 // runs where the object is
//
// Each runs on the PE that holds the object, one after the other: no lock is needed, and none is there.
#pragma once

#include <concepts>
#include <cstdint>
#include <tuple>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/memory/global_ptr.hpp"
#include "tsubu/remote/memory/segment_memory.hpp"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu {

namespace remote {

template <auto M, class T>
struct past_method : fetched {
  using layout = typename signature_of<decltype(M)>::template apply<wire::layout, segment_id, std::uint64_t>;
  template <class... V>
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset, V&&... values) {
    T* object = object_at<T>(id, offset, d.from);
    run_past([object](auto&&... v) { return (object->*M)(std::move(v)...); }, std::forward<V>(values)...);
  }
};

template <auto M, class T>
struct ask_method : fetched {
  using layout =
      typename signature_of<decltype(M)>::template apply<wire::layout, reply_address, segment_id, std::uint64_t>;
  template <class... V>
  static void call(const message::delivery& d, reply_address to, segment_id id, std::uint64_t offset, V&&... values) {
    T* object = object_at<T>(id, offset, d.from);
    answer(to, [object](auto&&... v) { return (object->*M)(std::move(v)...); }, std::forward<V>(values)...);
  }
};

}  // namespace remote

// `co_await allocate<T>(pe, n)`: an array of n value-initialised T on that PE.
// Local; blocks until the array is there; throws remote_error where it cannot be made, as with std::bad_alloc, and
// a PE that is not there ends the job.
template <class T>
task<global_ptr<T>> allocate(pe_id pe, std::uint64_t count = 1) {
  const remote::segment_id id = co_await at(pe).template now<&remote::make_segment<T>>(count);
  co_return global_ptr<T>(pe, id, 0);
}

// The same for a PE by a number of another integral type.
template <class T, std::integral I>
  requires(!std::same_as<I, pe_id>)
task<global_ptr<T>> allocate(I pe, std::uint64_t count = 1) {
  return allocate<T>(remote::pe_of(pe), count);
}

// `co_await deallocate(p)`: p is what allocate() gave.
// Local; blocks until it has ended; a pointer that names no segment, or is not to its beginning, ends the job.
template <class T>
auto deallocate(global_ptr<T> p) {
  require(p.offset() == 0, "deallocate() of a pointer {} bytes into what allocate() gave", p.offset());
  return at(p.pe()).template now<&remote::drop_segment>(p.segment(), this_pe());
}

// An object in shared memory: its methods run on the PE where it is, one after the other.
// Local; now() blocks until the reply is there, past() only at a co_await and while the network is full, future()
// never; now() and an awaited future throw remote_error where the method threw, and an object that is not there
// ends the job.
template <class T>
class [[nodiscard]] object_destination {
 public:
  explicit object_destination(global_ptr<T> object) : object_(object) {}

  // Calls M(arguments...) of the object. No reply.
  template <auto M, class... A>
  remote::sent past(A&&... arguments) const {
    using s = remote::method_call<decltype(M), A...>;
    remote::send_as<remote::past_method<M, T>, s>(object_.pe(), std::tuple(object_.segment(), object_.offset()),
                                                  std::forward<A>(arguments)...);
    return remote::sent(object_.pe());
  }

  // Awaited: the result.
  template <auto M, class... A>
  auto now(A&&... arguments) const {
    using s = remote::method_call<decltype(M), A...>;
    using handler = remote::ask_method<M, T>;
    return remote::now_reply<typename s::result>(
        object_.pe(), message::registered<handler>::entry, [&](remote::reply_address slot) {
          remote::send_as<handler, s>(object_.pe(), std::tuple(slot, object_.segment(), object_.offset()),
                                      std::forward<A>(arguments)...);
        });
  }

  // The result as a future.
  template <auto M, class... A>
  auto future(A&&... arguments) const {
    using s = remote::method_call<decltype(M), A...>;
    using handler = remote::ask_method<M, T>;
    promise<typename s::result> result;
    auto later = result.get_future();
    const auto slot =
        remote::open_slot<typename s::result>(remote::future_reply<typename s::result>::make(std::move(result)),
                                              object_.pe(), message::registered<handler>::entry);
    remote::send_as<handler, s>(object_.pe(), std::tuple(slot, object_.segment(), object_.offset()),
                                std::forward<A>(arguments)...);
    return later;
  }

 private:
  global_ptr<T> object_;
};

// Where messages to the object go.
// Local; does not block; throws nothing.
template <class T>
object_destination<T> at(global_ptr<T> object) {
  return object_destination<T>(object);
}

}  // namespace tsubu
