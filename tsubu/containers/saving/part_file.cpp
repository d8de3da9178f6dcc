#include "tsubu/containers/saving/part_file.hpp"

#include <xxhash.h>

#include <utility>

namespace tsubu::containers {

struct checksum::state {
  XXH3_state_t of_xxh3;
};

checksum::checksum() : state_(std::make_unique<state>()) { XXH3_64bits_reset(&state_->of_xxh3); }
checksum::~checksum() = default;

void checksum::add(const void* bytes, std::size_t count) { XXH3_64bits_update(&state_->of_xxh3, bytes, count); }
std::uint64_t checksum::value() const { return XXH3_64bits_digest(&state_->of_xxh3); }

part_writer::part_writer(std::string file) : name_(std::move(file)), file_(name_, disk::file::kind::new_to_write) {}

void part_writer::write_out() {
  file_.write(buffer_.data(), buffer_.size());
  sum_.add(buffer_.data(), buffer_.size());
  written_.bytes += buffer_.size();
  buffer_.clear();
}

saved_part part_writer::finish() {
  write_out();
  file_.sync();
  written_.checksum = sum_.value();
  return written_;
}

std::vector<std::byte> read_part(const std::string& name, const saved_part& expected, const std::string& list) {
  const disk::file file(name, disk::file::kind::to_read);
  if (const std::uint64_t size = file.size(); size != expected.bytes) {
    disk::refuse(name,
                 "has " + std::to_string(size) + " bytes, and " + list + " tells of " + std::to_string(expected.bytes));
  }
  std::vector<std::byte> bytes(expected.bytes);
  file.read(bytes.data(), bytes.size());
  checksum sum;
  sum.add(bytes.data(), bytes.size());
  if (sum.value() != expected.checksum) {
    disk::refuse(name, "its bytes are not those that were saved: their checksum differs from what " + list + " tells");
  }
  return bytes;
}

}  // namespace tsubu::containers
