// The system's calls by which what is saved or written comes to the disk, and back. Each throws data_file_error, which
// begins with the name of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tsubu::containers::disk {

[[noreturn]] void refuse(const std::string& file, std::string_view why);

// A descriptor that is closed at the end.
class file {
 public:
  enum class kind { to_read, new_to_write, to_overwrite, to_write_into, folder };
  file(std::string name, kind opened_as);
  ~file();
  file(const file&) = delete;
  file& operator=(const file&) = delete;

  // How many bytes the file has. It is a regular one.
  std::uint64_t size() const;
  // So many bytes from its begin.
  void read(void* to, std::size_t bytes) const;
  void write(const void* from, std::size_t bytes) const;
  // So many bytes from that one of the file on.
  void write_at(std::uint64_t offset, const void* from, std::size_t bytes) const;
  // What was written, or what a folder lists, stays after a failure of the machine.
  void sync() const;

 private:
  std::string name_;
  int descriptor_;
};

// Takes the place of what has that name, if anything has, in one step.
void rename(const std::string& from, const std::string& to);

// What the folder lists stays after a failure of the machine.
void sync_folder(const std::string& name);

}  // namespace tsubu::containers::disk
