// GlobalPtr<T>: a pointer that means the same on every node.
//
//   double block[1000];
//   GlobalPtr<double> gp(block, 1000);     // lets others reach it
//   gp.nwrite(data, 1000);                 // elsewhere: returns when `data` may be reused
//   gp.nread(data, 1000);                  // blocks until the data are here
//   double x = gp[7]; gp[7] = 2 * x;
//   invoke(object, &particle::move, 0.5);  // a member of what GlobalPtr<particle> object points to
//
// What nwrite() sent is in place after the next Barrier, on every node.
//
// MTTL's GlobalPtr is a node and an address, and can be made of both. Ours names a registered segment
// and an offset in it, which the node checks before it touches memory; so a wrong pointer ends the job
// with a message, where an address would corrupt it. Hence there is no GlobalPtr(int node, T* address):
// a node's addresses mean nothing elsewhere (each process has its own layout), and no node takes an
// address off the wire. The node that has the memory makes the pointer, and sends it.
#pragma once

#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>

#include "tsubu/base/check.hpp"
#include "tsubu/mpc/node.hpp"
#include "tsubu/remote/memory/segments.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu {
template <class T>
class global_ptr;  // see remote/memory/global_ptr.hpp
}

namespace tsubu::mpc {

namespace memory {

// Bytes of this node that others may reach; the same bytes give the same segment.
remote::segment_id share(void* at, std::size_t bytes);
void withdraw(remote::segment_id segment);
// The address of that many of them, for node `from`. Ends the job if they are not all there.
std::byte* at(remote::segment_id segment, std::uint64_t offset, std::size_t bytes, pe_id from);

void write(int node, remote::segment_id segment, std::uint64_t offset, std::span<const std::byte> from,
           std::source_location where);
void read(int node, remote::segment_id segment, std::uint64_t offset, std::span<std::byte> to,
          std::source_location where);

}  // namespace memory

// An object that another node named. Ends the job if it is not all there.
template <class T>
T* object_at(remote::segment_id segment, std::uint64_t offset, pe_id from) {
  return reinterpret_cast<T*>(memory::at(segment, offset, sizeof(T), from));
}

template <class T>
class GlobalPtr;

// What *p and p[i] give: reads and writes one element.
// Local; each access to memory of another node blocks the thread; as GlobalPtr.
template <class T>
class GlobalRef {
 public:
  explicit GlobalRef(GlobalPtr<T> to) : to_(to) {}
  GlobalRef(const GlobalRef&) = default;

  operator T() const {
    T value;
    to_.nread(&value, 1);
    return value;
  }
  const GlobalRef& operator=(const T& value) const {
    to_.nwrite(&value, 1);
    return *this;
  }
  const GlobalRef& operator=(const GlobalRef& other) const { return *this = static_cast<T>(other); }
  GlobalPtr<T> operator&() const { return to_; }

 private:
  GlobalPtr<T> to_;
};

// 16 bytes, trivially copyable: may be passed, stored in memory that GlobalPtrs reach, and pointed to in turn.
// Arithmetic is in elements and is not checked; accesses are.
// Local; nread() blocks the thread until the data are here, nwrite() until they may be reused; memory that is not
// there ends the job.
template <class T>
class GlobalPtr {
  using element = std::remove_extent_t<T>;

 public:
  GlobalPtr() = default;
  // Elements local[0 .. count) of this node. They stay reachable until withdraw().
  GlobalPtr(T* local, std::int64_t count = 1)
      : node_(myNode), segment_(memory::share(local, static_cast<std::size_t>(count) * sizeof(T))) {}
  // The first byte of a segment of that node.
  GlobalPtr(int node, remote::segment_id segment) : node_(node), segment_(segment) {}
  explicit GlobalPtr(tsubu::global_ptr<T> p) : offset_(p.offset()), node_(p.pe()), segment_(p.segment()) {}
  // The first element of a pointer to an array.
  template <class Array>
    requires(std::is_array_v<Array> && std::is_same_v<std::remove_extent_t<Array>, T>)
  GlobalPtr(GlobalPtr<Array> p) : offset_(p.offset()), node_(p.node()), segment_(p.segment()) {}

  // Where the memory is, and its number there.
  int node() const { return node_; }
  // Only on its node.
  T* addr() const {
    require(node_ == myNode, "addr() of a GlobalPtr to node {}", node_);
    return object_at<T>(segment_, offset_, node_);
  }
  // The memory's owner ends its being reachable.
  void withdraw() const {
    require(node_ == myNode, "withdraw() of a GlobalPtr to node {}", node_);
    memory::withdraw(segment_);
  }

  // Elements from here on. n: elements. In order with this node's other writes to that node.
  void nwrite(const T* from, std::int64_t n, std::source_location where = std::source_location::current()) const {
    check_plain();
    memory::write(node_, segment_, offset_, bytes(from, n), where);
  }
  // Sees the writes that this node made before.
  void nread(T* to, std::int64_t n, std::source_location where = std::source_location::current()) const {
    check_plain();
    memory::read(node_, segment_, offset_, bytes(to, n), where);
  }

  // p[i] of a pointer to arrays is a pointer to the first element of array i, so p[i][j] is an element.
  auto operator[](std::int64_t i) const {
    if constexpr (std::is_array_v<T>)
      return GlobalPtr<element>(*this + i);
    else
      return GlobalRef<T>(*this + i);
  }
  auto operator*() const { return (*this)[0]; }

  GlobalPtr operator+(std::int64_t n) const {
    GlobalPtr p = *this;
    p.offset_ += static_cast<std::uint64_t>(n) * sizeof(T);
    return p;
  }
  GlobalPtr operator-(std::int64_t n) const { return *this + -n; }
  std::int64_t operator-(const GlobalPtr& other) const {
    return static_cast<std::int64_t>(offset_ - other.offset_) / static_cast<std::int64_t>(sizeof(T));
  }
  GlobalPtr& operator+=(std::int64_t n) { return *this = *this + n; }
  GlobalPtr& operator-=(std::int64_t n) { return *this = *this - n; }
  GlobalPtr& operator++() { return *this += 1; }
  GlobalPtr& operator--() { return *this -= 1; }
  GlobalPtr operator++(int) {
    const GlobalPtr before = *this;
    ++*this;
    return before;
  }
  GlobalPtr operator--(int) {
    const GlobalPtr before = *this;
    --*this;
    return before;
  }
  bool operator==(const GlobalPtr&) const = default;
  explicit operator bool() const { return node_ != no_pe; }

  remote::segment_id segment() const { return segment_; }
  std::uint64_t offset() const { return offset_; }  // in bytes

 private:
  static constexpr void check_plain() {
    static_assert(wire::plain<T>,
                  "only trivially copyable values are read and written as bytes; invoke a member instead");
  }
  static std::span<const std::byte> bytes(const T* from, std::int64_t n) {
    return std::as_bytes(std::span<const T>(from, static_cast<std::size_t>(n)));
  }
  static std::span<std::byte> bytes(T* to, std::int64_t n) {
    return std::as_writable_bytes(std::span<T>(to, static_cast<std::size_t>(n)));
  }

  std::uint64_t offset_ = 0;
  std::int32_t node_ = no_pe;
  remote::segment_id segment_ = 0;
};

}  // namespace tsubu::mpc
