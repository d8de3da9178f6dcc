// What Python asks of whole arrays and their slices, as commands: each is one run of all PEs.
//
// The memory of NumPy's arrays is the process's, so PEs that are threads read and write it where it is; for others PE 0
// sends and fetches it (carry.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "python/native/job.hpp"
#include "python/native/kept.hpp"

namespace tsubu::python {

// NumPy's values, or one for all.
template <class T>
struct source {
  const T* values;
  std::size_t stride;  // 1, or 0: values[0] for all
  T operator[](std::size_t k) const { return values[k * stride]; }
};

// Elements first, first + step, .. of an array, in all so many.
struct slice {
  std::size_t first, step, count;
};

// A new array of n elements.
template <class T>
class make_array final : public command {
 public:
  make_array(std::uint64_t id, std::size_t n, source<T> from) : id_(id), n_(n), from_(from) {}
  // Throws std::bad_alloc on all PEs, if one has no memory for its part.
  task<void> run_here() override;
  void ask(pe_id pe) const override;

 private:
  const std::uint64_t id_;
  const std::size_t n_;
  const source<T> from_;
};

// Copies elements to NumPy's memory, in the order of the slice.
template <class T>
class read_slice final : public command {
 public:
  read_slice(std::uint64_t id, slice which, T* to) : id_(id), which_(which), to_(to) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;
  bool run_small(std::size_t most) override;

 private:
  const std::uint64_t id_;
  const slice which_;
  T* const to_;
};

template <class T>
class write_slice final : public command {
 public:
  write_slice(std::uint64_t id, slice which, source<T> from) : id_(id), which_(which), from_(from) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;
  bool run_small(std::size_t most) override;

 private:
  const std::uint64_t id_;
  const slice which_;
  const source<T> from_;
};

enum class arithmetic : std::uint8_t { add, subtract, multiply };

// A new array: left op right, element by element. An operand is an array, or, where its number is 0, one value.
template <class T>
class combine final : public command {
 public:
  struct operand {
    std::uint64_t id;
    T value;
  };
  combine(std::uint64_t id, std::size_t n, operand left, operand right, arithmetic how)
      : id_(id), n_(n), left_(left), right_(right), how_(how) {}
  // As make_array.
  task<void> run_here() override;
  void ask(pe_id pe) const override;

 private:
  const std::uint64_t id_;
  const std::size_t n_;
  const operand left_, right_;
  const arithmetic how_;
};

// A new array of the same elements as floating-point numbers.
class as_floating final : public command {
 public:
  as_floating(std::uint64_t id, std::size_t n, std::uint64_t from) : id_(id), n_(n), from_(from) {}
  // As make_array.
  task<void> run_here() override;
  void ask(pe_id pe) const override;

 private:
  const std::uint64_t id_;
  const std::size_t n_;
  const std::uint64_t from_;
};

enum class reduction : std::uint8_t { sum, least, greatest };

// One value of all elements. Sums of integers wrap around; a floating-point number that is none makes the result none.
template <class T>
class reduce_array final : public command {
 public:
  reduce_array(std::uint64_t id, reduction how) : id_(id), how_(how) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;
  T result() const { return result_; }

 private:
  const std::uint64_t id_;
  const reduction how_;
  T result_ = T();  // written by PE 0
};

}  // namespace tsubu::python
