// A variable of which every PE has its own: `pe_local<std::vector<double>> x;` at file scope, `x->...` in use.
//
// Several PEs may share a process, so a plain global would be shared by some of them and not by others.
// A value is made, default or by the given function, when its PE first uses it, and destroyed when the
// PE ends. Declare a pe_local before the job starts (at file scope or as a static member).
#pragma once

#include <atomic>
#include <cstdint>
#include <typeinfo>

#include "tsubu/base/check.hpp"

namespace tsubu {

namespace remote {
inline constexpr std::uint32_t most_locals = 1024;   // variables of a program
inline constexpr std::uint32_t late_locals = 16;     // of them, those that are declared after its first job began
inline constexpr std::uint32_t reserved_locals = 3;  // numbers that floors above have for themselves

inline constinit std::atomic<std::uint32_t> pe_local_count{reserved_locals};
// Numbers below it every PE that was ever made has a place for.
inline constinit std::atomic<std::uint32_t> pe_local_room{most_locals};
// The number of a floor's own pe_local, known to the compiler.
enum class reserved_local : std::uint32_t { objects, data, collection };

// The values of the PE that runs on this thread, by their number; null until first used. A plain array: handlers look
// here a lot. Outside a job all are null.
inline constinit void* no_locals[most_locals] = {};
inline thread_local constinit void** current_locals = no_locals;

// One of that type is used where no PE runs.
[[noreturn, gnu::cold]] void local_outside_a_job(const std::type_info& type);

// The PE that runs keeps the value under that number, and destroys it when it ends.
void keep_local(std::uint32_t number, void* value, void (*destroy)(void*));
}  // namespace remote

// Local; does not block; its use outside a job ends the process, and so do more of them than there is room for.
template <class T>
class pe_local {
 public:
  pe_local() : pe_local(nullptr) {}
  explicit pe_local(T (*maker)()) : number_(remote::pe_local_count++), maker_(maker) {
    require(number_ < remote::pe_local_room,
            "too many pe_local variables: a program can have {}, of which {} are declared after its first job began",
            remote::most_locals, remote::late_locals);
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
  // Not gnu::cold: g++ 12 would put the rest of a loop that uses the value among the cold code, unaligned.
  [[gnu::noinline]] void* make() const {
    if (remote::current_locals == remote::no_locals) remote::local_outside_a_job(typeid(T));
    T* value = maker_ != nullptr ? new T(maker_()) : new T();
    remote::keep_local(number_, value, [](void* v) { delete static_cast<T*>(v); });
    return value;
  }

  std::uint32_t number_;
  T (*maker_)();
};

}  // namespace tsubu
