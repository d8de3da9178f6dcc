#include "tsubu/containers/files/byte_source.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <system_error>
#include <vector>

namespace tsubu::containers {
namespace {

// The file itself.
class plain_bytes final : public byte_source {
 public:
  plain_bytes(const file_piece& of, std::uint64_t from)
      : name_(of.name), size_(of.size), at_(from), file_(std::fopen(name_.c_str(), "rbe"), std::fclose) {
    if (file_ == nullptr) refuse_for(errno);
    struct stat status{};
    if (::fstat(::fileno(file_.get()), &status) != 0) refuse_for(errno);
    if (static_cast<std::uint64_t>(status.st_size) != size_) refuse_changed();
  }

  std::size_t read(char* to, std::size_t n) override {
    n = static_cast<std::size_t>(std::min<std::uint64_t>(n, size_ - at_));
    while (n > 0) {
      const ssize_t got = ::pread(::fileno(file_.get()), to, n, static_cast<off_t>(at_));
      if (got == 0) refuse_changed();
      if (got < 0 && errno != EINTR) refuse_for(errno);
      if (got < 0) continue;
      at_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
    return 0;
  }

  [[noreturn]] void refuse(const std::string& why) const { throw data_file_error(name_ + ": " + why); }

 private:
  [[noreturn]] void refuse_for(int error) const { refuse(std::generic_category().message(error)); }
  [[noreturn]] void refuse_changed() const { refuse("its length has changed since the job began to read it"); }

  const std::string name_;
  const std::uint64_t size_;
  std::uint64_t at_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;  // for its descriptor
};

// What a decompressor has of its file and has not taken.
class compressed_bytes {
 public:
  explicit compressed_bytes(const file_piece& of) : file_(of, 0), block_(block_bytes) {}

  // False at the end of the file. Only when all has been taken.
  bool more() {
    begin_ = 0;
    end_ = file_.read(block_.data(), block_.size());
    return end_ > 0;
  }
  const char* data() const { return block_.data() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  void take(std::size_t n) { begin_ += n; }
  [[noreturn]] void refuse(const std::string& why) const { file_.refuse(why); }
  [[noreturn]] void refuse_cut() const { refuse("ends before its compressed data do"); }

 private:
  static constexpr std::size_t block_bytes = std::size_t{64} << 10;

  plain_bytes file_;
  std::vector<char> block_;
  std::size_t begin_ = 0, end_ = 0;
};

// One member of a gzip file behind the other, as gzip -d has them.
class gzip_bytes final : public byte_source {
 public:
  explicit gzip_bytes(const file_piece& of) : from_(of) {
    constexpr int largest_window_of_gzip = 15 + 16;
    if (::inflateInit2(&stream_, largest_window_of_gzip) != Z_OK) throw std::bad_alloc();
  }
  gzip_bytes(const gzip_bytes&) = delete;
  gzip_bytes& operator=(const gzip_bytes&) = delete;
  ~gzip_bytes() override { ::inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t n) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(n, std::numeric_limits<uInt>::max()));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room) {
      if (from_.size() == 0 && !from_.more()) {
        if (in_member_) from_.refuse_cut();
        break;
      }
      inflate_some();
    }
    return room - stream_.avail_out;
  }

 private:
  void inflate_some() {
    in_member_ = true;
    // zlib does not change what it reads; only its declaration is older than const.
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(from_.data()));
    stream_.avail_in = static_cast<uInt>(from_.size());
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    from_.take(from_.size() - stream_.avail_in);
    if (status == Z_STREAM_END) {
      in_member_ = false;
      ::inflateReset(&stream_);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      from_.refuse("is damaged, or no gzip file: " + std::string(stream_.msg == nullptr ? "?" : stream_.msg));
    }
  }

  compressed_bytes from_;
  z_stream stream_{};
  bool in_member_ = false;
};

// One frame of a zstd file behind the other, as zstd -d has them.
class zstd_bytes final : public byte_source {
 public:
  explicit zstd_bytes(const file_piece& of) : from_(of), context_(::ZSTD_createDCtx(), ::ZSTD_freeDCtx) {
    if (context_ == nullptr) throw std::bad_alloc();
  }

  std::size_t read(char* to, std::size_t n) override {
    ZSTD_outBuffer out{to, n, 0};
    while (out.pos == 0 && n > 0) {
      // What a frame's last block held may be left in the context, though all of the file has been taken.
      if (from_.size() == 0 && !from_.more() && !full_) {
        if (in_frame_) from_.refuse_cut();
        break;
      }
      ZSTD_inBuffer in{from_.data(), from_.size(), 0};
      const std::size_t left = ::ZSTD_decompressStream(context_.get(), &out, &in);
      if (::ZSTD_isError(left) != 0)
        from_.refuse("is damaged, or no zstd file: " + std::string(::ZSTD_getErrorName(left)));
      from_.take(in.pos);
      in_frame_ = left != 0;
      full_ = in_frame_ && out.pos == out.size;
    }
    return out.pos;
  }

 private:
  compressed_bytes from_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  bool in_frame_ = false, full_ = false;
};

}  // namespace

std::unique_ptr<byte_source> open_bytes(const file_piece& of, std::uint64_t from) {
  switch (of.packed_by) {
    case compression::none:
      return std::make_unique<plain_bytes>(of, from);
    case compression::gzip:
      return std::make_unique<gzip_bytes>(of);
    case compression::zstd:
      return std::make_unique<zstd_bytes>(of);
  }
  return nullptr;
}

}  // namespace tsubu::containers
