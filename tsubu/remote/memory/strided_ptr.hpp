// Elements of another PE's memory in pieces at equal distances, as a value that may be sent:
//
//   strided_ptr<double> column = p.strided(rows, 1, width);      // p: a global_ptr to the column's first element
//   co_await column.read(values);                                // into a span, or a strided_span
//   co_await column.write(values).notify<column_came>();
//
// All of it is one message each way, and is checked as a whole where the memory is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tsubu/remote/memory/segment_access.hpp"
#include "tsubu/remote/memory/span_write.hpp"
#include "tsubu/remote/memory/strided.hpp"

namespace tsubu {

// Where such elements are.
// Local; what is awaited blocks until the elements are here or the span may be reused; memory that is not there ends
// the job.
template <class T>
class strided_ptr {
 public:
  strided_ptr() = default;
  strided_ptr(pe_id pe, remote::segment_id segment, std::uint64_t offset, const remote::pieces& where)
      : offset_(offset), where_(where), pe_(pe), segment_(segment) {}

  // The PE where the memory is.
  pe_id pe() const { return pe_; }
  // How many elements.
  std::size_t size() const { return where_.size() / sizeof(T); }
  bool operator==(const strided_ptr&) const = default;

  // As global_ptr's of these names. There are as many values as elements, which go into the pieces one after the other.
  remote::span_write write(std::span<const T> values) const {
    return write(values.data(), values.size(), remote::pieces::one(values.size_bytes()));
  }
  remote::span_write write(strided_span<const T> values) const {
    return write(values.first(), values.size(), values.pieces());
  }
  task<void> read(std::span<T> values) const {
    return read(values.data(), values.size(), remote::pieces::one(values.size_bytes()));
  }
  task<void> read(strided_span<T> values) const { return read(values.first(), values.size(), values.pieces()); }

 private:
  remote::span_write write(const T* first, std::size_t count, const remote::pieces& from) const {
    check(count);
    return remote::span_write(pe_, segment_, offset_, where_, first, from);
  }
  task<void> read(T* first, std::size_t count, const remote::pieces& to) const {
    check(count);
    return remote::read_bytes(pe_, segment_, offset_, where_, reinterpret_cast<std::byte*>(first), to);
  }
  void check(std::size_t count) const {
    static_assert(wire::plain<T>,
                  "only trivially copyable values are read and written as bytes; call a method instead");
    require(count == size(), "{} values are read or written as the {} elements of a strided_ptr", count, size());
  }

  std::uint64_t offset_ = 0;
  remote::pieces where_;
  pe_id pe_ = no_pe;
  remote::segment_id segment_ = 0;
};

}  // namespace tsubu
