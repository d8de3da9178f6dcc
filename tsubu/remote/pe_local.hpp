// A variable of which every PE has its own: `pe_local<std::vector<double>> x;` at file scope, `x->...` in use.
//
// Several PEs may share a process, so a plain global would be shared by some of them and not by others.
// A value is made, default or by the given function, when its PE first uses it, and destroyed when the
// PE ends. Declare a pe_local before the job starts (at file scope or as a static member).
#pragma once

#include <atomic>

#include "tsubu/remote/pe.hpp"

namespace tsubu {

namespace remote {
inline constinit std::atomic<std::size_t> pe_local_count{0};
}

template <class T>
class pe_local {
 public:
  pe_local() : number_(remote::pe_local_count++) {}
  explicit pe_local(T (*make)()) : number_(remote::pe_local_count++), make_(make) {}
  pe_local(const pe_local&) = delete;
  pe_local& operator=(const pe_local&) = delete;

  T& operator*() const {
    TSUBU_CHECK(remote::current_pe != nullptr, "a pe_local is used outside a job");
    auto& locals = remote::current_pe->locals;
    if (number_ >= locals.size() || locals[number_].value == nullptr) [[unlikely]] {
      make();
    }
    return *static_cast<T*>(locals[number_].value);
  }
  T* operator->() const { return &**this; }

 private:
  void make() const {
    T* value = make_ != nullptr ? new T(make_()) : new T();
    auto& locals = remote::current_pe->locals;
    if (number_ >= locals.size()) locals.resize(remote::pe_local_count);
    locals[number_] = {value, [](void* v) { delete static_cast<T*>(v); }};
  }

  std::size_t number_;
  T (*make_)() = nullptr;
};

}  // namespace tsubu
