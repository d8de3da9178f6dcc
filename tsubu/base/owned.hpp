// What belongs to one part and ends with it, in headers that every program includes.
//
// An owned<T> is a std::unique_ptr<T> that is cheap to compile. That one has a deleter, and so a tuple: g++ 12 takes 6
// ms for each class that is owned by one, and 11 ms for an array, in every source that includes its header; here it
// takes 1. Where no program looks, and where something is handed over, it is a std::unique_ptr, which an owned takes
// over.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace tsubu::detail {

template <class T>
class owned {
 public:
  owned() = default;
  owned(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as a pointer does
  // A template, so that no std::unique_ptr is looked at where none is given.
  template <class U>
    requires(!std::is_array_v<U>)
  owned(std::unique_ptr<U>&& from) : at_(from.release()) {}  // NOLINT(google-explicit-constructor): it owns on
  owned(owned&& other) noexcept : at_(std::exchange(other.at_, nullptr)) {}
  owned& operator=(owned&& other) noexcept {
    reset(std::exchange(other.at_, nullptr));
    return *this;
  }
  ~owned() { end(at_); }

  T* get() const { return at_; }
  T& operator*() const { return *at_; }
  T* operator->() const { return at_; }
  bool operator==(std::nullptr_t) const { return at_ == nullptr; }
  void reset(T* to = nullptr) { end(std::exchange(at_, to)); }

 private:
  static void end(T* what) {
    static_assert(sizeof(T) != 0, "a class has to be known where what owns it ends");
    delete what;
  }
  T* at_ = nullptr;
};

// The same for an array, of T itself: an array of a derived class is none of T.
template <class T>
class owned_array {
 public:
  owned_array() = default;
  template <class U>
    requires std::is_same_v<U, T>
  owned_array(std::unique_ptr<U[]>&& from) : at_(from.release()) {}  // NOLINT(google-explicit-constructor): it owns on
  owned_array(owned_array&& other) noexcept : at_(std::exchange(other.at_, nullptr)) {}
  owned_array& operator=(owned_array&& other) noexcept {
    delete[] std::exchange(at_, std::exchange(other.at_, nullptr));
    return *this;
  }
  ~owned_array() { delete[] at_; }

  T* get() const { return at_; }
  T& operator[](std::size_t at) const { return at_[at]; }
  bool operator==(std::nullptr_t) const { return at_ == nullptr; }

 private:
  T* at_ = nullptr;
};

}  // namespace tsubu::detail
