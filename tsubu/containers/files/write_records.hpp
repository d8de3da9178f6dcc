// The records that all PEs have, as they lie in memory: a file of each PE and a list of them, or one file of all.
//
//   co_await write_records("points", mine);                  // by every PE: a range of what it has, or a container
//   co_await write_record_file("points.bin", mine);          // one file: those of PE 0, of PE 1, ..
//   auto all = co_await records<point>("points.bin");        // in this job or another one, on any number of PEs
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include "tsubu/containers/files/records.hpp"
#include "tsubu/containers/files/shared_file.hpp"
#include "tsubu/containers/files/written_folder.hpp"

namespace tsubu {

namespace containers {

template <is_record T>
struct record_format {
  static std::string type() { return type_of_records(sizeof(T)); }
  static void begin(part_writer&) {}
  static void put(part_writer& to, const T& record) {
    to.put_bytes(&record, sizeof(T));
    to.end_element();
  }
};

// How many there are. A range that can be walked once only cannot tell.
template <class Records>
std::uint64_t count_of(Records& of) {
  if constexpr (has_here<Records>) {
    return of.size_here();
  } else {
    return static_cast<std::uint64_t>(std::ranges::distance(of));
  }
}

template <class Records>
task<void> write_counted(std::string name, Records what, std::source_location where) {
  using record = element_of<Records>;
  if constexpr (has_here<Records>) {
    co_await barrier(where);
    co_await quiescence();
  }
  const std::function<void(shared_file_part&)> write = [&what, where](shared_file_part& to) {
    for (const record& one : elements_of(what, where)) to.put(&one, sizeof(record));
  };
  const std::uint64_t bytes = count_of(what) * sizeof(record);
  co_await write_shared_file(std::move(name), bytes, write, where);
}

}  // namespace containers

// Writes each PE's records into a part file of its own, as write_lines() does it: `points/parts.1/0.3.bin` is PE 3's.
// Records are trivially copyable; bytes that lie between their members are written as they are.
// Collective; blocks until all is on the disk; throws data_file_error, on every PE, if the disk is full, for example:
// then the folder has what it had.
template <class Records>
task<void> write_records(std::string folder, Records&& what,
                         std::source_location where = std::source_location::current()) {
  using record = containers::element_of<std::remove_reference_t<Records>>;
  return containers::write_what(std::move(folder), std::forward<Records>(what), containers::record_format<record>(),
                                where);
}

// Writes all PEs' records into one file, those of PE 0 first: each PE writes its own where they belong. They are
// written into ".points.bin.new", which takes the name, and the place of what has it, when all is on the disk. Of a
// link, what it leads to is written.
// Collective; blocks until all is on the disk; throws data_file_error, on every PE, if the disk is full, for example,
// or if what a PE has becomes another number of records meanwhile: then what had the name is as it was.
template <class Records>
task<void> write_record_file(std::string file, Records&& what,
                             std::source_location where = std::source_location::current()) {
  using given = std::remove_reference_t<Records>;
  static_assert(containers::is_record<containers::element_of<given>>,
                "records are trivially copyable, and no pointers");
  if constexpr (containers::has_here<given>) {
    return containers::write_counted(std::move(file), std::remove_cv_t<given>(what), where);
  } else {
    static_assert(std::ranges::forward_range<given>, "a range that can be walked twice: it is counted first");
    return containers::write_counted(std::move(file), std::views::all(std::forward<Records>(what)), where);
  }
}

}  // namespace tsubu
