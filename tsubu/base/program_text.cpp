#include "tsubu/base/program_text.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <limits>

namespace tsubu {
namespace {

// The program's main file, as it is in memory. It is the first that the loader names.
class main_file {
 public:
  main_file() {
    const auto first = [](dl_phdr_info* info, std::size_t, void* self) {
      static_cast<main_file*>(self)->info_ = *info;
      return 1;
    };
    dl_iterate_phdr(first, this);
  }

  const char* begin() const { return reinterpret_cast<const char*>(info_.dlpi_addr); }

  // The end of the readable segment that has `at`; null if none has.
  const char* end_of_segment(const char* at) const {
    for (int i = 0; i < info_.dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info_.dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_R) == 0) continue;
      const char* const start = begin() + segment.p_vaddr;
      if (start <= at && at < start + segment.p_memsz) return start + segment.p_memsz;
    }
    return nullptr;
  }

 private:
  dl_phdr_info info_{};
};

const main_file& the_main_file() {
  static const main_file file;
  return file;
}

}  // namespace

std::string readable(const char* mangled) {
  char* const text = abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
  std::string name = text != nullptr ? text : mangled;
  std::free(text);
  return name;
}

std::int32_t program_offset(const void* what) {
  const std::intptr_t offset =
      reinterpret_cast<std::intptr_t>(what) - reinterpret_cast<std::intptr_t>(the_main_file().begin());
  return 0 < offset && offset <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(offset) : 0;
}

// Byte by byte, and not checked: what lies between the program's variables is read, too, if an offset is wrong.
[[gnu::no_sanitize_address]] std::string text_at(std::int32_t offset) {
  constexpr std::size_t longest = 4096;
  const char* at = the_main_file().begin() + offset;
  const char* const end = offset > 0 ? the_main_file().end_of_segment(at) : nullptr;
  std::string text;
  for (; end != nullptr && at < end && static_cast<unsigned char>(*at) >= ' ' && text.size() < longest; ++at)
    text.push_back(*at);
  return end != nullptr && at < end && *at == '\0' && !text.empty() ? text : "an unknown file";
}

}  // namespace tsubu
