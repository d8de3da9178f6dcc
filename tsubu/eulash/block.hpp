// A block of shared memory as a variable of the data layer, which decides who may read and write it.
//
// Its value is the bytes in this process's view; the block itself says where they lie. So it is written from there and
// read into there, wherever the data layer sends a value. What lets the bytes leave this process, and what gives up
// that it has them, takes the marks from their lines: they come back when a thread looks again what it may do.
#pragma once

#include <cereal/cereal.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tsubu/eulash/view.hpp"

namespace tsubu::placed {

class block {
 public:
  using value_type = std::byte;  // of what travels, for the profile

  block() = default;
  block(std::uint64_t offset, std::uint32_t bytes) : offset_(offset), bytes_(bytes), in_(views->at(0)) {}
  // A copy is of what the data layer gives to who has read, and nobody looks at it.
  block(const block& other) : offset_(other.offset_), bytes_(other.bytes_) {}
  block(block&& other) noexcept
      : offset_(other.offset_), bytes_(other.bytes_), in_(std::exchange(other.in_, nullptr)) {}
  block& operator=(const block&) = delete;
  block& operator=(block&& other) noexcept {
    give_up();
    offset_ = other.offset_;
    bytes_ = other.bytes_;
    in_ = std::exchange(other.in_, nullptr);
    return *this;
  }
  ~block() { give_up(); }

  std::uint64_t offset() const { return offset_; }
  std::size_t size() const { return bytes_; }
  char* data() const { return in_ + offset_; }

  template <class Archive>
  void save(Archive& archive) const {
    unmark();
    archive(offset_, bytes_, cereal::binary_data(static_cast<const char*>(data()), std::size_t{bytes_}));
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(offset_, bytes_);
    check_place();
    in_ = views->at(0);
    archive(cereal::binary_data(data(), std::size_t{bytes_}));
  }

 private:
  void give_up() const {
    if (in_ != nullptr) unmark();
  }
  void unmark() const;
  void check_place() const;

  std::uint64_t offset_ = 0;
  std::uint32_t bytes_ = 0;
  char* in_ = nullptr;  // the view of the process for which the data layer keeps it; null if it does not
};

}  // namespace tsubu::placed
