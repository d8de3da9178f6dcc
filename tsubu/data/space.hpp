// All that a PE has of shared data: the variables whose home it is, its parts of the arrays, and its copies of others'.
#pragma once

#include <memory>
#include <source_location>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/data/arrays/array_part.hpp"
#include "tsubu/data/arrays/block_store.hpp"
#include "tsubu/data/profile/phases.hpp"
#include "tsubu/data/variables/copy_table.hpp"
#include "tsubu/data/variables/home.hpp"
#include "tsubu/data/variables/variable_table.hpp"
#include "tsubu/data/variables/write_combining_buffer.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::data {

class loans;
class profile;

class data_space {
  static void note(directory_entry& entry, pe_id who, std::uint32_t reads, std::uint32_t writes);
  static void choose(directory_entry& entry);
  bool has_ended(key name) const;
  const bool tells_;  // at the end, where blocks of arrays went

 public:
  data_space();
  ~data_space();
  data_space(const data_space&) = delete;
  data_space& operator=(const data_space&) = delete;

  // The directory entry of a variable or element whose home is this PE. Null if it has ended.
  directory_entry* find(key name, pe_id from);
  // `from` says that it is of type `t`.
  directory_entry* find(key name, const value_type& t, pe_id from) {
    directory_entry* entry = find(name, from);
    if (entry != nullptr && entry->type != &t) [[unlikely]]
      refuse_type(*entry, t, from);
    return entry;
  }
  // For an answer to something that this PE has asked for. Null: of an array that has ended; what was under way of it
  // beside the accesses falls.
  directory_entry* asked(key name, pe_id from);
  // The entry of that name has been looked at, and may not be needed any more.
  void done_with(key name) {
    if (name.is_element()) arrays[name.array()]->done_with(name.index());
  }

  // What is here of a variable whose home is `from`; it is there by the contract of messages, else `from` has broken
  // it. Null: of an array that has ended.
  copy* here(key name, pe_id from) const;
  // The home of a variable, or of an element of an array that has not ended.
  pe_id home_of(key name) const;
  // The caller begins an access to it, or waits.
  copy& find_or_make_copy(key name) {
    if (copy* c = copies.find(name)) return *c;
    if (name.is_element()) array_here(name.array()).count_copies(1);
    return copies.make(name);
  }
  // Something about it has changed: who waits for that looks again. It may be gone then.
  void changed(key name, copy& c);

  // A run of accesses to a variable whose home is this PE, by another one, where somebody wants to know.
  [[gnu::always_inline]] static void seen(directory_entry& entry, pe_id who, std::uint32_t reads,
                                          std::uint32_t writes) {
    if (entry.watch() != nullptr) [[unlikely]]
      note(entry, who, reads, writes);
  }
  // After an access, with all that it grants: an adaptive variable may change its protocol.
  [[gnu::always_inline]] static void reconsider(directory_entry& entry) {
    if (entry.watch() != nullptr) [[unlikely]]
      choose(entry);
  }
  // The protocol of a variable whose home is this PE, which has no copies, or is being made.
  static void set_protocol(directory_entry& entry, protocol how);

  // A new variable here; and an array, of whose elements so many have their home here.
  void declare(directory_entry& entry, protocol how, const std::source_location& where);
  declared declare_array(const value_type& t, protocol how, const std::source_location& where, std::uint64_t elements);

  // A task waits for an access, and no longer: of a job that is profiled.
  void begin_wait(wait_kind what);
  void end_wait(wait_kind what, bool from_another);

  [[noreturn]] static void refuse_type(const directory_entry& entry, const value_type& t, pe_id from);

  // This PE's part of an array, of which `from` says that it is of type `t`.
  template <class T>
  values_part<T>& array_of(std::uint32_t array, const value_type& t, pe_id from) const {
    if (array >= arrays.size() || arrays[array] == nullptr || arrays[array]->type != &t) [[unlikely]]
      refuse_array(array, t, from);
    return static_cast<values_part<T>&>(*arrays[array]);
  }
  [[noreturn]] void refuse_array(std::uint32_t array, const value_type& t, pe_id from) const;
  static constexpr std::uint32_t no_array = ~std::uint32_t{0};
  // This PE's part of an array of any type. Ends the job if it has none.
  array_part& array_here(std::uint32_t array) const;
  // The array has ended: nothing of it is kept here.
  void end_array(std::uint32_t array);

  const pe_id me;
  const detail::owned<profile> recorded;  // null: nobody wants to know
  const detail::owned<loans> lent;        // of `memory`, and of that of others
  block_store memory;                     // for arrays
  copy_table copies;
  write_combining_buffer adds;
  variable_table variables;
  // By their numbers, which are the same on all PEs. Null: it has ended, with an earlier job of the process, perhaps.
  std::vector<detail::owned<array_part>> arrays;
};

inline constexpr pe_local<data_space> spaces(remote::reserved_local::data);

// Tells the homes how often this PE has used the copies of an array's elements that it still has. Awaited.
task<void> tell_reads_of_array(std::uint32_t array);

inline data_space& this_space() { return *spaces; }

}  // namespace tsubu::data
