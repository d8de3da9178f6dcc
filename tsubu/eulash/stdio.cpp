// <stdio.h> of a placed program (libc.h): its streams are at process 0, and the others ask it.
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <unordered_set>

#include "tsubu/base/check.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/format.hpp"
#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/races.hpp"
#include "tsubu/eulash/text.hpp"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu::placed {
namespace {

// ---- at process 0

struct open_files {
  std::unordered_set<std::uint64_t> all;
};
const pe_local<open_files> files_here;

std::FILE* stream_of(std::uint64_t name) {
  if (name == reinterpret_cast<std::uintptr_t>(EULASH_STDIN)) return stdin;
  if (name == reinterpret_cast<std::uintptr_t>(EULASH_STDOUT)) return stdout;
  if (name == reinterpret_cast<std::uintptr_t>(EULASH_STDERR)) return stderr;
  require(files_here->all.contains(name), "a thread uses a FILE* that is no open file of the program");
  return reinterpret_cast<std::FILE*>(name);
}

// A result, and errno where it says that something failed.
struct answer {
  std::int64_t result = 0;
  int error = 0;
};
answer answer_of(std::int64_t result, bool failed) { return {result, failed ? errno : 0}; }

answer open_at_home(std::string path, std::string mode) {
  std::FILE* const opened = std::fopen(path.c_str(), mode.c_str());
  const auto name = reinterpret_cast<std::uintptr_t>(opened);
  if (opened != nullptr) files_here->all.insert(name);
  return answer_of(static_cast<std::int64_t>(name), opened == nullptr);
}
answer remove_at_home(std::string path) {
  const int result = std::remove(path.c_str());
  return answer_of(result, result != 0);
}
answer unlink_at_home(std::string path) {
  const int result = ::unlink(path.c_str());
  return answer_of(result, result != 0);
}
answer rename_at_home(std::string from, std::string to) {
  const int result = std::rename(from.c_str(), to.c_str());
  return answer_of(result, result != 0);
}
answer close_at_home(std::uint64_t stream) {
  std::FILE* const closed = stream_of(stream);
  files_here->all.erase(stream);
  const int result = std::fclose(closed);
  return answer_of(result, result != 0);
}
answer write_at_home(std::uint64_t stream, std::string bytes) {
  const std::size_t n = std::fwrite(bytes.data(), 1, bytes.size(), stream_of(stream));
  return answer_of(static_cast<std::int64_t>(n), n != bytes.size());
}
answer flush_at_home(std::uint64_t stream) {
  if (stream == reinterpret_cast<std::uintptr_t>(EULASH_STDOUT)) return {flush_output() ? 0 : EOF, 0};
  const int result = std::fflush(stream == 0 ? nullptr : stream_of(stream));
  return answer_of(result, result != 0);
}
answer seek_at_home(std::uint64_t stream, std::int64_t offset, int whence) {
  const int result = std::fseek(stream_of(stream), offset, whence);
  return answer_of(result, result != 0);
}
answer tell_at_home(std::uint64_t stream) {
  const long at = std::ftell(stream_of(stream));
  return answer_of(at, at < 0);
}
answer unget_at_home(int c, std::uint64_t stream) { return {std::ungetc(c, stream_of(stream)), 0}; }
answer get_at_home(std::uint64_t stream) { return {std::fgetc(stream_of(stream)), 0}; }
answer at_end_at_home(std::uint64_t stream) { return {std::feof(stream_of(stream)), 0}; }
answer failed_at_home(std::uint64_t stream) { return {std::ferror(stream_of(stream)), 0}; }
answer rewind_at_home(std::uint64_t stream) {
  std::rewind(stream_of(stream));
  return {};
}

std::string read_at_home(std::uint64_t stream, std::uint64_t bytes) {
  std::string read(bytes, '\0');
  read.resize(std::fread(read.data(), 1, bytes, stream_of(stream)));
  return read;
}
// Up to and with a line's end, `most` bytes of it.
std::string read_line_at_home(std::uint64_t stream, std::uint64_t most) {
  std::FILE* const from = stream_of(stream);
  std::string line;
  while (line.size() < most) {
    const int c = std::fgetc(from);
    if (c == EOF) break;
    line += static_cast<char>(c);
    if (c == '\n') break;
  }
  return line;
}
scanned scan_at_home(std::uint64_t stream, std::string format) { return scan(stream_of(stream), format); }

// ---- in any process

template <auto F, class... A>
auto at_process_0(A... arguments) {
  if (views->me == 0) return F(std::move(arguments)...);
  return wait_here(at(0).now<F>(std::move(arguments)...));
}
// What the function gives whose answer that is.
template <auto F, class... A>
std::int64_t result_of(A... arguments) {
  const answer a = at_process_0<F>(std::move(arguments)...);
  if (a.error != 0) errno = a.error;
  return a.result;
}
std::uint64_t name_of_stream(std::FILE* stream) { return reinterpret_cast<std::uintptr_t>(stream); }

int write_text(std::FILE* to, std::string text) {
  const auto wanted = static_cast<std::int64_t>(text.size());
  const std::int64_t written = result_of<&write_at_home>(name_of_stream(to), std::move(text));
  return written == wanted ? static_cast<int>(written) : -1;
}

// As the result of snprintf(): what there is no room for is counted, not written.
int store_formatted(char* to, std::size_t room, const std::string& text) {
  if (room != 0) store_text(to, text.substr(0, room - 1));
  return static_cast<int>(text.size());
}

int store_scanned(const scanned& all, const std::string& format, std::va_list list) {
  format_arguments a;
  va_copy(a.list, list);
  std::size_t next = 0;
  for (const conversion& c : conversions_of_scanf(format)) {
    if (next == all.values.size()) break;
    if (c.what == '\0' || c.suppressed) continue;
    const std::string& value = all.values[next++];
    copy_in(reinterpret_cast<std::uintptr_t>(va_arg(a.list, void*)), value.data(), value.size());
  }
  va_end(a.list);
  return all.result;
}

}  // namespace
}  // namespace tsubu::placed

using namespace tsubu;
using namespace tsubu::placed;

extern "C" {

// ---- printing

int eulash_vfprintf(FILE* to, const char* format, va_list list) {
  format_arguments a;
  va_copy(a.list, list);
  std::string text = formatted(text_at(format), a);
  va_end(a.list);
  return write_text(to, std::move(text));
}
int eulash_vprintf(const char* format, va_list list) { return eulash_vfprintf(EULASH_STDOUT, format, list); }
int eulash_vsnprintf(char* to, std::size_t n, const char* format, va_list list) {
  format_arguments a;
  va_copy(a.list, list);
  const std::string text = formatted(text_at(format), a);
  va_end(a.list);
  return store_formatted(to, n, text);
}

int eulash_printf(const char* format, ...) {
  std::va_list list;
  va_start(list, format);
  const int n = eulash_vfprintf(EULASH_STDOUT, format, list);
  va_end(list);
  return n;
}
int eulash_fprintf(FILE* to, const char* format, ...) {
  std::va_list list;
  va_start(list, format);
  const int n = eulash_vfprintf(to, format, list);
  va_end(list);
  return n;
}
int eulash_sprintf(char* to, const char* format, ...) {
  std::va_list list;
  va_start(list, format);
  const int n = eulash_vsnprintf(to, ~std::size_t{0}, format, list);
  va_end(list);
  return n;
}
int eulash_snprintf(char* to, std::size_t room, const char* format, ...) {
  std::va_list list;
  va_start(list, format);
  const int n = eulash_vsnprintf(to, room, format, list);
  va_end(list);
  return n;
}

int eulash_puts(const char* text) { return write_text(EULASH_STDOUT, text_at(text) + '\n'); }
int eulash_fputs(const char* text, FILE* to) { return write_text(to, text_at(text)); }
int eulash_fputc(int c, FILE* to) {
  return write_text(to, std::string(1, static_cast<char>(c))) == 1 ? static_cast<unsigned char>(c) : EOF;
}
int eulash_putc(int c, FILE* to) { return eulash_fputc(c, to); }
int eulash_putchar(int c) { return eulash_fputc(c, EULASH_STDOUT); }
void eulash_perror(const char* text) {
  const std::string reason = std::strerror(errno);
  const std::string of = text == nullptr ? "" : text_at(text);
  write_text(EULASH_STDERR, (of.empty() ? "" : of + ": ") + reason + '\n');
}
std::size_t eulash_fwrite(const void* from, std::size_t each, std::size_t count, FILE* to) {
  if (each == 0 || count == 0) return 0;
  const private_range bytes(from, each * count);
  const std::int64_t n = result_of<&write_at_home>(name_of_stream(to), std::string(bytes.data(), each * count));
  return static_cast<std::size_t>(n) / each;
}
int eulash_fflush(FILE* stream) { return static_cast<int>(result_of<&flush_at_home>(name_of_stream(stream))); }

// ---- files

int eulash_remove(const char* path) { return static_cast<int>(result_of<&remove_at_home>(text_at(path))); }
int eulash_unlink(const char* path) { return static_cast<int>(result_of<&unlink_at_home>(text_at(path))); }
int eulash_rename(const char* from, const char* to) {
  return static_cast<int>(result_of<&rename_at_home>(text_at(from), text_at(to)));
}
FILE* eulash_fopen(const char* path, const char* mode) {
  return reinterpret_cast<FILE*>(result_of<&open_at_home>(text_at(path), text_at(mode)));
}
int eulash_fclose(FILE* stream) { return static_cast<int>(result_of<&close_at_home>(name_of_stream(stream))); }
int eulash_fseek(FILE* stream, long offset, int whence) {
  return static_cast<int>(result_of<&seek_at_home>(name_of_stream(stream), std::int64_t{offset}, int{whence}));
}
long eulash_ftell(FILE* stream) { return result_of<&tell_at_home>(name_of_stream(stream)); }
void eulash_rewind(FILE* stream) { result_of<&rewind_at_home>(name_of_stream(stream)); }
int eulash_feof(FILE* stream) { return static_cast<int>(result_of<&at_end_at_home>(name_of_stream(stream))); }
int eulash_ferror(FILE* stream) { return static_cast<int>(result_of<&failed_at_home>(name_of_stream(stream))); }

// ---- reading

int eulash_fgetc(FILE* from) { return static_cast<int>(result_of<&get_at_home>(name_of_stream(from))); }
int eulash_getc(FILE* from) { return eulash_fgetc(from); }
int eulash_getchar() { return eulash_fgetc(EULASH_STDIN); }
int eulash_ungetc(int c, FILE* stream) {
  return static_cast<int>(result_of<&unget_at_home>(int{c}, name_of_stream(stream)));
}
char* eulash_fgets(char* to, int n, FILE* from) {
  if (n <= 0) return nullptr;
  const std::string line = at_process_0<&read_line_at_home>(name_of_stream(from), static_cast<std::uint64_t>(n - 1));
  if (line.empty() && n > 1) return nullptr;
  store_text(to, line);
  return to;
}
ssize_t eulash_getline(char** line, std::size_t* room, FILE* from, const eulash_site* site) {
  const std::string text = at_process_0<&read_line_at_home>(name_of_stream(from), ~std::uint64_t{0});
  if (text.empty()) return -1;
  char* to = nullptr;
  std::size_t has = 0;
  copy_out(reinterpret_cast<std::uintptr_t>(line), &to, sizeof to);
  copy_out(reinterpret_cast<std::uintptr_t>(room), &has, sizeof has);
  if (to == nullptr || has < text.size() + 1) {
    has = std::max<std::size_t>(120, text.size() + 1);
    to = static_cast<char*>(eulash_realloc(to, has, site));
    if (to == nullptr) return -1;
    eulash_store(line, &to, sizeof to);
    eulash_store(room, &has, sizeof has);
  }
  store_text(to, text);
  return static_cast<ssize_t>(text.size());
}
std::size_t eulash_fread(void* to, std::size_t each, std::size_t count, FILE* from) {
  if (each == 0 || count == 0) return 0;
  const std::string read = at_process_0<&read_at_home>(name_of_stream(from), std::uint64_t{each} * count);
  accesses(to, read.size(), true);
  copy_in(reinterpret_cast<std::uintptr_t>(to), read.data(), read.size());
  return read.size() / each;
}

int eulash_fscanf(FILE* from, const char* format, ...) {
  const std::string text = text_at(format);
  const scanned all = at_process_0<&scan_at_home>(name_of_stream(from), text);
  std::va_list list;
  va_start(list, format);
  const int n = store_scanned(all, text, list);
  va_end(list);
  return n;
}
int eulash_scanf(const char* format, ...) {
  const std::string text = text_at(format);
  const scanned all = at_process_0<&scan_at_home>(name_of_stream(EULASH_STDIN), text);
  std::va_list list;
  va_start(list, format);
  const int n = store_scanned(all, text, list);
  va_end(list);
  return n;
}
int eulash_sscanf(const char* in, const char* format, ...) {
  const std::string text = text_at(format);
  std::string of = text_at(in);
  // A stream in memory has a byte at least.
  std::FILE* const stream = of.empty() ? std::fopen("/dev/null", "r") : ::fmemopen(of.data(), of.size(), "r");
  require(stream != nullptr, "sscanf() gets no stream: {}", [] { return std::string(std::strerror(errno)); });
  const scanned all = scan(stream, text);
  std::fclose(stream);
  std::va_list list;
  va_start(list, format);
  const int n = store_scanned(all, text, list);
  va_end(list);
  return n;
}

}  // extern "C"
