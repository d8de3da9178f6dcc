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
inline constinit std::atomic<std::uint32_t> pe_local_count{0};
}

template <class T>
class pe_local {
 public:
  pe_local() : pe_local(nullptr) {}
  explicit pe_local(T (*maker)()) : number_(remote::pe_local_count++), maker_(maker) {
    TSUBU_CHECK(number_ < remote::pe::most_locals,
                "a program can have " + std::to_string(remote::pe::most_locals) + " pe_local variables at most");
  }
  pe_local(const pe_local&) = delete;
  pe_local& operator=(const pe_local&) = delete;

  [[gnu::always_inline]] T& operator*() const {
    remote::pe* const pe = remote::current_pe;
    TSUBU_CHECK(pe != nullptr, "a pe_local is used outside a job");
    void* value = pe->locals[number_];
    if (value == nullptr) [[unlikely]]
      value = make(*pe);
    return *static_cast<T*>(value);
  }
  T* operator->() const { return &**this; }

 private:
  [[gnu::noinline, gnu::cold]] void* make(remote::pe& pe) const {
    T* value = maker_ != nullptr ? new T(maker_()) : new T();
    pe.destroy_at_end(value, [](void* v) { delete static_cast<T*>(v); });
    return pe.locals[number_] = value;
  }

  std::uint32_t number_;
  T (*maker_)();
};

}  // namespace tsubu
