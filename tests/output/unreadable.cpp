// Loaded into a program before the C library (LD_PRELOAD): of the file $UNREADABLE the first 64 bytes can be read, and
// behind them is an error, as on a disk with a bad sector. libstdc++'s streams and Tsubu read by read(2); C's own
// streams do so inside of the C library, where nobody gets between.
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

extern "C" ssize_t read(int from, void* to, std::size_t bytes) {
  using function = ssize_t (*)(int, void*, std::size_t);
  static const auto original = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "read"));
  constexpr off_t readable = 64;
  const char* const file = std::getenv("UNREADABLE");
  struct stat wanted{}, given{};
  if (file != nullptr && ::stat(file, &wanted) == 0 && ::fstat(from, &given) == 0 && wanted.st_dev == given.st_dev &&
      wanted.st_ino == given.st_ino) {
    const off_t left = readable - ::lseek(from, 0, SEEK_CUR);
    if (left <= 0) {
      errno = EIO;
      return -1;
    }
    bytes = std::min(bytes, static_cast<std::size_t>(left));
  }
  return original(from, to, bytes);
}
