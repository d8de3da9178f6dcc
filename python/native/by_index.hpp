// Elements by their indices, as commands: gathered into NumPy's memory, and assigned or added to from there.
//
// Where PEs are threads of the process, nobody changes an array while it is read: so a gather loads the elements of
// other PEs where they are. Of other processes the first, which alone has the indices, asks (carry.hpp). An update is
// done by the PE that has the element, in the order of the indices. Few PEs look each at all indices for their own
// (own_places.hpp); many deal out each its share of them, in messages of a piece each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "python/native/arrays.hpp"
#include "python/native/job.hpp"
#include "python/native/kept.hpp"

namespace tsubu::python {

// Indices into an array of n elements, as Python has them: those below 0 count from its end. Each PE looks at its
// share, before anything else is done.
class indices {
 public:
  indices(const std::int64_t* values, std::size_t count, std::size_t n)
      : values_(values), count_(count), n_(static_cast<std::int64_t>(n)) {}

  std::size_t count() const { return count_; }
  // How many the array has.
  std::size_t elements() const { return static_cast<std::size_t>(n_); }
  [[gnu::always_inline]] std::uint64_t operator[](std::size_t k) const {
    const std::int64_t i = values_[k];
    return static_cast<std::uint64_t>(i + (i < 0 ? n_ : 0));
  }
  // Collective: whether all are right. Else first_wrong() is where the first is that is not.
  task<bool> check();
  // The same, of all by who calls it.
  bool check_all();
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::size_t first_wrong() const { return first_wrong_; }

 private:
  std::size_t first_wrong_of(std::size_t begin, std::size_t end) const;

  const std::int64_t* const values_;
  const std::size_t count_;
  const std::int64_t n_;
  std::size_t first_wrong_ = none;  // written by PE 0, or by the caller
};

// to[k] becomes the element indices[k].
template <class T>
class gather final : public command {
 public:
  gather(std::uint64_t id, indices which, T* to) : which_(which), id_(id), to_(to) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;
  bool run_small(std::size_t most) override;
  std::size_t first_wrong() const { return which_.first_wrong(); }

 private:
  indices which_;
  const std::uint64_t id_;
  T* const to_;
};

// Element indices[k] becomes from[k], or is added to by it; for each k, in their order.
template <class T>
class scatter final : public command {
 public:
  scatter(std::uint64_t id, indices which, source<T> from, update how)
      : which_(which), id_(id), from_(from), how_(how) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;
  bool run_small(std::size_t most) override;
  std::size_t first_wrong() const { return which_.first_wrong(); }

 private:
  void take_own(part<T>& mine);
  task<void> send_updates(part<T>& mine);
  task<void> say_end();

  indices which_;
  const std::uint64_t id_;
  const source<T> from_;
  const update how_;
};

}  // namespace tsubu::python
