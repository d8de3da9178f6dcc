#include "tsubu/containers/files/shared_file.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tsubu/base/types.hpp"
#include "tsubu/containers/saving/first_error.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::containers {

shared_file_part::shared_file_part(std::string file, std::uint64_t begin, std::uint64_t end)
    : name_(std::move(file)), file_(name_, disk::file::kind::to_write_into), begin_(begin), end_(end), at_(begin) {}

// What is behind the part is another PE's.
void shared_file_part::write_out() {
  if (buffer_.size() > end_ - at_) refuse_count(at_ - begin_ + buffer_.size());
  file_.write_at(at_, buffer_.data(), buffer_.size());
  at_ += buffer_.size();
  buffer_.clear();
}

void shared_file_part::finish() {
  write_out();
  if (at_ != end_) refuse_count(at_ - begin_);
  file_.sync();
}

void shared_file_part::refuse_count(std::uint64_t put) const {
  disk::refuse(name_, "a PE had " + std::to_string(end_ - begin_) + " bytes for it when they were counted, and has " +
                          std::to_string(put) + " or more now");
}

namespace {

void write_part(const std::string& name, std::uint64_t begin, std::uint64_t bytes,
                const std::function<void(shared_file_part&)>& write) {
  shared_file_part part(name, begin, begin + bytes);
  write(part);
  part.finish();
}

// What a link leads to is written, and the link stays.
std::string behind_links(const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_symlink(name, error)) return name;
  std::string file = std::filesystem::canonical(name, error).string();
  if (error) disk::refuse(name, "is a link to what cannot be found: " + error.message());
  return file;
}

// Until it has its name: beside it, where a rename is one step, and hidden, so that a pattern such as "points*" does
// not match what a killed job has left.
std::string unfinished(const std::string& name) {
  const std::filesystem::path file(name);
  return (file.parent_path() / ("." + file.filename().string() + ".new")).string();
}

// What would take the place of a folder, or of a device, is not written in the first place.
void check_place(const std::string& name) {
  std::error_code error;
  const auto there = std::filesystem::status(name, error).type();
  using std::filesystem::file_type;
  if (there == file_type::regular || there == file_type::not_found) return;
  if (there == file_type::none) disk::refuse(name, error.message());
  disk::refuse(name,
               there == file_type::directory ? "is a folder, and would be a file of records" : "is no regular file");
}

// A new file of no bytes. Nothing else than a regular file gets them.
void make_empty(const std::string& name) {
  const disk::file file(name, disk::file::kind::to_overwrite);
  static_cast<void>(file.size());
}

void publish(const std::string& written, const std::string& name) {
  disk::rename(written, name);
  disk::sync_folder(std::filesystem::absolute(name).parent_path());
}

}  // namespace

task<void> write_shared_file(std::string name, std::uint64_t bytes, std::function<void(shared_file_part&)> write,
                             std::source_location where) {
  std::string error;
  if (this_pe() == 0) {
    error = what_goes_wrong([&] {
      name = behind_links(name);
      check_place(name);
      make_empty(unfinished(name));
    });
  }
  error = co_await broadcast(std::move(error), 0, where);
  if (!error.empty()) throw data_file_error(error);

  name = co_await broadcast(std::move(name), 0, where);
  const std::string written = unfinished(name);
  const std::uint64_t end = co_await scan(bytes, reduce::plus, where);
  error = what_goes_wrong([&] { write_part(written, end - bytes, bytes, write); });
  error = co_await all_reduce(std::move(error), first_error(), where);
  if (this_pe() == 0) {
    if (error.empty()) error = what_goes_wrong([&] { publish(written, name); });
    if (!error.empty()) std::remove(written.c_str());
  }
  error = co_await broadcast(std::move(error), 0, where);
  if (!error.empty()) throw data_file_error(error);
}

}  // namespace tsubu::containers
