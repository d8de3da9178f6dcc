// Files, read and written by another thread while the PE goes on.
//
//   const std::string text = co_await outside::read_file("towns.txt");
//   co_await outside::write_file("tour.txt", std::move(text));
//
// What cannot be done is thrown as outside::error where it is awaited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tsubu/outside/error.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu::outside {

// The whole of a regular file.
// Local; does not block, awaiting the future does; throws error there.
[[nodiscard]] future<std::string> read_file(std::string name);

// The file has these bytes, or is what it was: they are written beside it, and take its place.
// Local; does not block, awaiting the future does; throws error there.
[[nodiscard]] future<void> write_file(std::string name, std::string bytes);

// A regular file that stays open. Copies are the same file, which is closed when the last has gone. Reads and writes
// that are under way at the same time have no order.
// Local; does not block, awaiting a future does; throws error there.
class file {
 public:
  enum class use { read, read_and_write, create };  // create: for both, and it is made if it is not there

  // The file of that name, which is regular.
  [[nodiscard]] static future<file> open(std::string name, use how);

  // From that offset; fewer bytes at the file's end, and none behind it.
  [[nodiscard]] future<std::string> read_at(std::uint64_t offset, std::size_t bytes) const;
  // All of them; the file grows where it has to.
  [[nodiscard]] future<void> write_at(std::uint64_t offset, std::string bytes) const;
  [[nodiscard]] future<std::uint64_t> size() const;

 private:
  struct opened;
  explicit file(std::shared_ptr<const opened> which) : opened_(std::move(which)) {}

  std::shared_ptr<const opened> opened_;
};

}  // namespace tsubu::outside
