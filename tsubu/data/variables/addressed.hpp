// Data in a memory that all PEs of a simulated machine address: each PE uses the value where it lies, and no message is
// sent; and what it takes to access such data, and those in a PE's own memory.
//
// A machine has such memories if its file has a table [memory] (docs/machines.md). In any other job a datum is what it
// is without this, and nothing is charged: there is a look at one pointer.
#pragma once

#include "tsubu/base/memory_access.hpp"
#include "tsubu/data/variables/shared.hpp"

namespace tsubu::data {

inline const addressed_datum* find_addressed(key name) {
  if (simulated == nullptr) [[likely]]
    return nullptr;
  return simulated->find_addressed(name.bits());
}

// A variable under the protocol `global`, whose home is this PE, has a place in that memory from now on, for `bytes`.
template <class T>
void place_addressed(const shared<T>& x, std::size_t bytes = sizeof(T)) {
  if (simulated == nullptr) [[likely]]
    return;
  directory_entry* entry = this_space().variables.find(x.name());
  simulated->place_addressed(x.name().bits(), &value_of<T>(*entry), bytes);
}
inline void remove_addressed(key name) {
  if (simulated != nullptr) [[unlikely]]
    simulated->remove_addressed(name.bits());
}

// ---- what an access takes, word by word

enum class access_kind { read, write, change };

// address: where it lies in the PE's own memory, which matters under a kernel.
inline void charge_local(std::size_t bytes, access_kind how, std::uint64_t address = 0) {
  if (simulated == nullptr) [[likely]]
    return;
  const auto words = static_cast<std::int64_t>((bytes + simulated->word_bytes() - 1) / simulated->word_bytes());
  access_local(words, address);
  if (how == access_kind::change) access_local(words, address);
}
// Where a PE keeps its copy of a variable of that size: those of one size and one home lie one behind the other.
inline std::uint64_t local_address(key name, std::size_t bytes) {
  const auto home = static_cast<std::uint64_t>(static_cast<std::uint32_t>(name.home()));
  return (std::uint64_t{bytes} << 48) + (home << key::slot_bits | name.slot()) * bytes;
}
inline void charge_addressed(const addressed_datum& d, std::size_t bytes, access_kind how) {
  const std::size_t word = simulated->word_bytes();
  for (std::size_t at = 0; at < bytes; at += word) {
    if (how != access_kind::write) read_shared(d.address + at);
    if (how != access_kind::read) write_shared(d.address + at);
  }
}

// ---- where it is found

// The place of a variable in that memory: on every PE it is here.
template <class T>
struct addressed_place : variable_place<T> {
  bool is_here(const data_space& s) const { return variable_place<T>::is_here(s) || addressed() != nullptr; }
  T* value_to_read(data_space& s) const {
    T* there = addressed();
    return there != nullptr ? there : variable_place<T>::value_to_read(s);
  }
  T* value_to_write(data_space& s) const {
    T* there = addressed();
    return there != nullptr ? there : variable_place<T>::value_to_write(s);
  }

 private:
  T* addressed() const {
    const addressed_datum* d = find_addressed(this->of);
    return d == nullptr ? nullptr : static_cast<T*>(d->value);
  }
};

}  // namespace tsubu::data
