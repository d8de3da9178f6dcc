// Which PE has what: things that are dealt to the PEs by their number, or by a key.
//
//   for (const std::size_t i : part_of(n)) ...          // this PE's part of 0, 1, ..., n - 1
//   co_await at(owner_of(n, i)).past<f>(i);              // the PE whose part has i
//   co_await at(home_of(word)).past<count>(word);        // a PE for each key, by its hash
//   for (const pe_id pe : all_pes()) ...                 // all of them; i % all_pes().size() of a std::size_t
//   all[pe_index(this_pe())]                             // of a vector with an element for each PE
//
// A number may be of any integral type; a negative one, or an index that is not there, ends the job. Nothing is sent
// and nothing remembered: every PE works it out by itself. Functions of a program with these names and parameters of
// its own are preferred to these, since here each argument is converted to a class.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string_view>
#include <type_traits>

#include "tsubu/base/blocks.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/base/random.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu {

namespace remote {

// An integer that is no truth value.
template <class I>
concept integer = std::integral<I> && !std::same_as<I, bool>;

// How many things there are, or which of them.
class any_count {
 public:
  template <integer I>
  any_count(I n) : n_(static_cast<std::size_t>(n)) {
    if constexpr (std::is_signed_v<I>) require(n >= 0, "a number of things, or the number of one, is {}", n);
  }
  std::size_t get() const { return n_; }

 private:
  std::size_t n_;
};

// A key as the 64 bits that name its home. Equal integers of any type have the same home, and so have equal strings.
class any_key {
 public:
  template <class K>
    requires(!std::same_as<K, any_key>)
  any_key(const K& key) : mixed_(detail::mix_bits(bits_of(key))) {}
  std::uint64_t mixed() const { return mixed_; }

 private:
  template <class K>
  static std::uint64_t bits_of(const K& key) {
    if constexpr (std::is_integral_v<K> || std::is_enum_v<K>) {
      return static_cast<std::uint64_t>(key);
    } else if constexpr (std::is_convertible_v<const K&, std::string_view>) {
      return std::hash<std::string_view>()(key);
    } else {
      static_assert(!std::is_pointer_v<std::decay_t<K>>, "an address is no key: it is another one on another PE");
      static_assert(
          std::is_pointer_v<std::decay_t<K>> || requires { std::hash<K>()(key); },
          "home_of(key) needs a std::hash of the key's type; or give it a hash of your own, as an integer");
      return std::hash<K>()(key);
    }
  }
  std::uint64_t mixed_;
};

// The numbers i with from() <= i < to(), in order. A range of std::size_t.
class part {
 public:
  part(std::size_t from, std::size_t to) : from_(from), to_(to) {}
  std::size_t from() const { return from_; }
  std::size_t to() const { return to_; }
  std::size_t size() const { return to_ - from_; }
  bool empty() const { return to_ == from_; }
  bool contains(any_count i) const { return i.get() >= from_ && i.get() < to_; }
  auto begin() const { return std::views::iota(from_, to_).begin(); }
  auto end() const { return std::views::iota(from_, to_).end(); }

 private:
  std::size_t from_, to_;
};

class pe_range {
 public:
  explicit pe_range(pe_id count) : count_(count) {}
  std::size_t size() const { return static_cast<std::size_t>(count_); }
  auto begin() const { return std::views::iota(pe_id{0}, count_).begin(); }
  auto end() const { return std::views::iota(pe_id{0}, count_).end(); }

 private:
  pe_id count_;
};

}  // namespace remote

// The PEs of the job: a range of 0, 1, ..., pe_count() - 1, whose size() is a std::size_t.
// Local; does not block; outside a job it ends the process.
inline remote::pe_range all_pes() { return remote::pe_range(pe_count()); }

// A PE's number as an index.
// Local; does not block; a number that is no PE's ends the job.
inline std::size_t pe_index(pe_id pe = this_pe()) {
  require(pe >= 0 && pe < pe_count(), "PE {} has no index: the job's PEs are 0 to {}", pe, pe_count() - 1);
  return static_cast<std::size_t>(pe);
}

// The part of 0, 1, ..., n - 1 that is the PE's. Parts are in the order of the PEs, and the first of them have one
// number more than the others where n is no multiple of the number of PEs, as by_block() deals.
// Local; does not block; a number that is no PE's ends the job.
inline remote::part part_of(remote::any_count n, pe_id pe = this_pe()) {
  const std::size_t pes = all_pes().size(), at = pe_index(pe);
  return remote::part(detail::block_begin(n.get(), pes, at), detail::block_begin(n.get(), pes, at + 1));
}

// The PE whose part of 0, 1, ..., n - 1 has i.
// Local; does not block; an i that is n or more ends the job.
inline pe_id owner_of(remote::any_count n, remote::any_count i) {
  require(i.get() < n.get(), "number {} of {} things has no owner", i.get(), n.get());
  return static_cast<pe_id>(detail::block_owner(n.get(), all_pes().size(), i.get()));
}

// A PE for each key, the same on every PE: about as many keys for each. The key is an integer, a string, or of a type
// with a std::hash.
// Local; does not block; outside a job it ends the process.
inline pe_id home_of(remote::any_key key) {
  const auto pes_of_job = static_cast<std::uint64_t>(pe_count());
  return static_cast<pe_id>(key.mixed() % pes_of_job);
}

}  // namespace tsubu
