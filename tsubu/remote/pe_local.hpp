// A variable of which every PE has its own: `pe_local<std::vector<double>> x;` at file scope, `x->...` in use.
//
// Several PEs may share a process, so a plain global would be shared by some of them and not by others.
// A value is made, default or by the given function, when its PE first uses it, and destroyed when the
// PE ends. Declare a pe_local before the job starts (at file scope or as a static member).
#pragma once

#include <atomic>
#include <string>

#include "tsubu/remote/pe.hpp"

namespace tsubu {

namespace remote {
inline constinit std::atomic<std::uint32_t> pe_local_count{pe::reserved_locals};
// Numbers below it every PE that was ever made has a place for.
inline constinit std::atomic<std::uint32_t> pe_local_room{pe::most_locals};
// The number of a floor's own pe_local, known to the compiler.
enum class reserved_local : std::uint32_t { objects };
}  // namespace remote

template <class T>
class pe_local {
 public:
  pe_local() : pe_local(nullptr) {}
  explicit pe_local(T (*maker)()) : number_(remote::pe_local_count++), maker_(maker) {
    require(number_ < remote::pe_local_room,
            "too many pe_local variables: a program can have {}, of which {} are declared after its first job began",
            remote::pe::most_locals, remote::pe::late_locals);
  }
  constexpr explicit pe_local(remote::reserved_local number)
      : number_(static_cast<std::uint32_t>(number)), maker_(nullptr) {}
  pe_local(const pe_local&) = delete;
  pe_local& operator=(const pe_local&) = delete;

  [[gnu::always_inline]] T& operator*() const {
    void* value = remote::current_locals[number_];
    if (value == nullptr) [[unlikely]]
      value = make();
    return *static_cast<T*>(value);
  }
  T* operator->() const { return &**this; }

 private:
  [[gnu::noinline, gnu::cold]] void* make() const {
    require(remote::current_pe != nullptr, "a pe_local is used outside a job");
    remote::pe& pe = *remote::current_pe;
    T* value = maker_ != nullptr ? new T(maker_()) : new T();
    pe.destroy_at_end(value, [](void* v) { delete static_cast<T*>(v); });
    return pe.locals[number_] = value;
  }

  std::uint32_t number_;
  T (*maker_)();
};

}  // namespace tsubu
