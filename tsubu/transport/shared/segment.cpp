#include "tsubu/transport/shared/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "tsubu/base/clock.hpp"

namespace tsubu::transport {

std::size_t segment::room(std::size_t at_most) {
  rlimit of_files{};
  if (getrlimit(RLIMIT_FSIZE, &of_files) == 0 && of_files.rlim_cur < at_most) at_most = of_files.rlim_cur;
  std::size_t bytes = std::size_t{1} << 61;
  while (bytes > at_most) bytes /= 2;
  for (; bytes != 0; bytes /= 2) {
    void* tried = mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tried == MAP_FAILED) continue;
    munmap(tried, 2 * bytes);
    return bytes;
  }
  return 0;
}

namespace {

std::nullopt_t refused(segment::refusal* why, segment::call what, int error) {
  if (why != nullptr) *why = {what, error};
  return std::nullopt;
}

}  // namespace

std::string segment::refusal::text() const {
  constexpr const char* names[] = {"nothing", "memfd_create", "fchmod", "ftruncate", "mmap", "open"};
  if (what == call::no_file_of_it) return "what is found under the other rank's number is another file";
  return std::string(names[static_cast<int>(what)]) + "(): " + std::strerror(error) +
         (what == call::open ? "; are they different users'?" : "");
}

std::optional<segment> segment::make(std::size_t bytes, refusal* why) {
  const int descriptor = memfd_create("tsubu", MFD_CLOEXEC);
  if (descriptor < 0) return refused(why, call::memfd_create, errno);
  segment made;
  made.ticket_ = {getpid(), descriptor, bytes, static_cast<std::uint64_t>(now_ns()) | 1};
  call what = call::none;
  if (fchmod(descriptor, S_IRUSR | S_IWUSR) != 0) {
    what = call::fchmod;
  } else if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) {
    what = call::ftruncate;
  } else if (!made.map(descriptor)) {
    what = call::mmap;
  }
  if (what != call::none) {
    const int error = errno;
    made.close();
    return refused(why, what, error);
  }
  std::memcpy(made.base_, &made.ticket_.mark, sizeof made.ticket_.mark);
  return made;
}

std::optional<segment> segment::open(const ticket& of, refusal* why) {
  const std::string path = "/proc/" + std::to_string(of.pid) + "/fd/" + std::to_string(of.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return refused(why, call::open, errno);
  segment opened;
  opened.ticket_ = of;
  opened.ticket_.descriptor = -1;
  struct stat facts{};
  std::uint64_t mark = 0;
  // A process of another PID namespace may have that number, and a file of its own there.
  const bool right = fstat(descriptor, &facts) == 0 && static_cast<std::uint64_t>(facts.st_size) == of.bytes &&
                     pread(descriptor, &mark, sizeof mark, 0) == sizeof mark && mark == of.mark;
  const bool mapped = right && opened.map(descriptor);
  const int error = errno;
  ::close(descriptor);
  if (!right) return refused(why, call::no_file_of_it, 0);
  if (!mapped) return refused(why, call::mmap, error);
  return opened;
}

bool segment::map(int descriptor) {
  void* place = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  if (place == MAP_FAILED) return false;
  base_ = static_cast<std::byte*>(place);
  madvise(place, bytes(), MADV_DONTFORK);  // a child of this process is no rank, and would speak in its name
  madvise(place, bytes(), MADV_DONTDUMP);  // a core file's writer would look at every page of it
  return true;
}

segment::segment(segment&& other) noexcept
    : ticket_(std::exchange(other.ticket_, {})), base_(std::exchange(other.base_, nullptr)) {}

segment& segment::operator=(segment&& other) noexcept {
  std::swap(ticket_, other.ticket_);
  std::swap(base_, other.base_);
  return *this;
}

segment::~segment() {
  close();
  if (base_ != nullptr) munmap(base_, bytes());
}

void segment::close() {
  if (ticket_.descriptor >= 0) ::close(ticket_.descriptor);
  ticket_.descriptor = -1;
}

}  // namespace tsubu::transport
