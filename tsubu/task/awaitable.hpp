// What can be awaited, and what awaiting it gives.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

namespace tsubu {

namespace detail {

// What `co_await awaitable` calls; the awaitable itself if it is that.
template <class A>
decltype(auto) awaiter_of(A&& awaitable) {
  if constexpr (requires { std::forward<A>(awaitable).operator co_await(); })
    return std::forward<A>(awaitable).operator co_await();
  else if constexpr (requires { operator co_await(std::forward<A>(awaitable)); })
    return operator co_await(std::forward<A>(awaitable));
  else
    return (awaitable);
}

template <class A>
using awaiter_type = std::remove_reference_t<decltype(awaiter_of(std::declval<A>()))>;

// A result that can be kept; std::monostate for none.
template <class T>
using no_void = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

}  // namespace detail

// `co_await` of an A, as it is: an lvalue if A is a reference, else an rvalue.
template <class A>
concept awaitable = requires(detail::awaiter_type<A>& awaiter) {
  { awaiter.await_ready() } -> std::convertible_to<bool>;
  awaiter.await_resume();
};

// What that gives, as a value of one's own.
template <awaitable A>
using awaited_value = std::decay_t<decltype(std::declval<detail::awaiter_type<A>&>().await_resume())>;

}  // namespace tsubu
