// What a computation came to: nothing yet, a value, or an exception. Set once, in place.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>

namespace tsubu {

namespace detail {
[[noreturn, gnu::cold, gnu::noinline]] inline void rethrow(const std::exception_ptr& error) {
  std::rethrow_exception(error);
}
}  // namespace detail

// T is a value, a reference (kept as a pointer), or void.
//
// While it is unset its place may hold the line that waits for it, at its beginning, whatever T is.
template <class T>
class outcome {
  struct nothing {};
  using stored = std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*,
                                    std::conditional_t<std::is_void_v<T>, nothing, std::remove_const_t<T>>>;

 public:
  outcome() noexcept {}
  outcome(const outcome&) = delete;
  outcome& operator=(const outcome&) = delete;
  ~outcome() {
    if (state_ == has_value)
      std::destroy_at(&value_);
    else if (state_ == has_error) [[unlikely]]
      std::destroy_at(&error_);
  }

  bool ready() const { return state_ != unset; }
  bool failed() const { return state_ == has_error; }

  void awaited_at(std::source_location line) { std::construct_at(&awaited_at_, line); }

  template <class U>
  void set_value(U&& value) {
    if constexpr (std::is_reference_v<T>)
      std::construct_at(&value_, std::addressof(value));
    else
      std::construct_at(&value_, std::forward<U>(value));
    state_ = has_value;
  }
  void set_value()
    requires std::is_void_v<T>
  {
    state_ = has_value;
  }
  void set_exception(std::exception_ptr error) noexcept {
    std::construct_at(&error_, std::move(error));
    state_ = has_error;
  }

  // Moves the value out, or throws the exception. Once; the outcome must be ready.
  T take() {
    if (state_ == has_error) [[unlikely]]
      detail::rethrow(error_);
    if constexpr (std::is_reference_v<T>)
      return static_cast<T>(*value_);
    else if constexpr (!std::is_void_v<T>)
      return std::move(value_);
  }

  // Looks at the value, or throws the exception.
  std::add_lvalue_reference_t<const T> get() const {
    if (state_ == has_error) [[unlikely]]
      detail::rethrow(error_);
    if constexpr (std::is_reference_v<T>)
      return *value_;
    else if constexpr (!std::is_void_v<T>)
      return value_;
  }

  std::exception_ptr error() const { return state_ == has_error ? error_ : nullptr; }

 private:
  enum : std::uint8_t { unset, has_value, has_error };
  union {
    stored value_;
    std::exception_ptr error_;
    std::source_location awaited_at_;
  };
  std::uint8_t state_ = unset;
};

namespace detail {
// The line that an unset outcome, of whatever type, was told of.
inline std::source_location line_kept_in(const void* outcome) {
  return *static_cast<const std::source_location*>(outcome);
}
}  // namespace detail

}  // namespace tsubu
