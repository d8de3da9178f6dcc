// What Python asks of what has keys: counters of keys, and sums of values by their keys. Keys are integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "python/native/arrays.hpp"
#include "python/native/job.hpp"
#include "tsubu/containers/map.hpp"

namespace tsubu::python {

// A new counter.
class make_counter final : public command {
 public:
  explicit make_counter(std::uint64_t id) : id_(id) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;

 private:
  const std::uint64_t id_;
};

// Each key came so often more.
class count_keys final : public command {
 public:
  count_keys(std::uint64_t id, const std::int64_t* keys, std::size_t count, source<std::int64_t> times)
      : id_(id), keys_(keys), count_(count), times_(times) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;

 private:
  const std::uint64_t id_;
  const std::int64_t* const keys_;
  const std::size_t count_;
  const source<std::int64_t> times_;
};

// to[k] becomes how often keys[k] came.
class read_counts final : public command {
 public:
  read_counts(std::uint64_t id, const std::int64_t* keys, std::size_t count, std::int64_t* to)
      : id_(id), keys_(keys), count_(count), to_(to) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;

 private:
  const std::uint64_t id_;
  const std::int64_t* const keys_;
  const std::size_t count_;
  std::int64_t* const to_;
};

// The k keys that came most often, most frequent first, and of those that came equally often the least first; and what
// can be said of all.
class top_keys final : public command {
 public:
  top_keys(std::uint64_t id, std::size_t k) : id_(id), k_(k) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;

  // Written by PE 0.
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  std::int64_t total = 0;  // how often any key came
  std::size_t size = 0;    // how many keys came

 private:
  const std::uint64_t id_;
  const std::size_t k_;
};

template <class T>
using sums = map<std::int64_t, T>;

// Sums of the values that have equal keys, kept by the keys' homes.
template <class T>
class sum_by_key final : public command {
 public:
  sum_by_key(std::uint64_t id, const std::int64_t* keys, const T* values, std::size_t count)
      : id_(id), keys_(keys), values_(values), count_(count) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;
  // How many keys there are.
  std::size_t size() const { return size_; }

 private:
  task<sums<T>> sum_own();
  task<sums<T>> sum_shares();

  const std::uint64_t id_;
  const std::int64_t* const keys_;
  const T* const values_;
  const std::size_t count_;
  std::size_t size_ = 0;  // written by PE 0
};

// The keys of such sums, and the sums, PE by PE.
template <class T>
class read_sums final : public command {
 public:
  read_sums(std::uint64_t id, std::int64_t* keys, T* sums) : id_(id), keys_(keys), sums_(sums) {}
  task<void> run_here() override;
  void ask(pe_id pe) const override;

 private:
  task<void> send_to_first(sums<T> of);

  const std::uint64_t id_;
  std::int64_t* const keys_;
  T* const sums_;
};

}  // namespace tsubu::python
