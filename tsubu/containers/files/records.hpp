// Records of one size in files, as they lie in memory, each on one PE.
//
//   auto all = co_await records<point>("points/*.bin");      // by every PE
//   for (const point& p : all) ...
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/containers/files/record_reader.hpp"
#include "tsubu/containers/files/step_iterator.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

namespace containers {

// What its bytes are all of, in another process, too.
template <class T>
concept is_record = std::is_trivially_copyable_v<T> && std::default_initializable<T> && !std::is_pointer_v<T> &&
                    std::same_as<T, std::remove_cv_t<T>>;

}  // namespace containers

// The records of this PE's part: an input range of T, which is walked once. All parts are equally long, but for one
// record.
// Local; a step may block while the disk reads; throws data_file_error of what cannot be read, and where a file is no
// longer as long as it was.
template <containers::is_record T>
class binary_records {
 public:
  using iterator = containers::step_iterator<binary_records, const T&>;

  explicit binary_records(containers::record_reader from) : from_(std::move(from)) {}

  // Once.
  iterator begin() {
    step();
    return iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

  // Which record the walk is at, counted from 1, for a message: "points.bin: record 12".
  std::string place() const { return from_.place(); }

 private:
  friend iterator;
  const T& current() const { return record_; }
  bool ended() const { return ended_; }
  void step() {
    const char* const bytes = from_.next();
    ended_ = bytes == nullptr;
    if (!ended_) std::memcpy(&record_, bytes, sizeof(T));
  }

  containers::record_reader from_;
  T record_ = {};
  bool ended_ = false;
};

// The records of a file, of all files that match a pattern, or of a folder of write_records(), as lines() (lines.hpp)
// finds them. They are the bytes of a T, in the order of bytes of the machine that wrote them, and are not unpacked.
// Collective; blocks until PE 0 has looked for the files; throws data_file_error, on every PE, of a name without a
// file, of a file that is no whole number of records, and of one whose folder tells of something else.
template <containers::is_record T>
task<binary_records<T>> records(std::vector<std::string> patterns) {
  containers::record_reader from = co_await containers::read_records(std::move(patterns), sizeof(T));
  co_return binary_records<T>(std::move(from));
}
template <containers::is_record T, std::convertible_to<std::string> Pattern>
task<binary_records<T>> records(Pattern pattern) {
  return records<T>(std::vector<std::string>(1, std::string(std::move(pattern))));
}

}  // namespace tsubu
