#include "tsubu/base/program_folders.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <system_error>

namespace tsubu {

std::string program_folder() {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  return folder.empty() ? "." : folder.string();
}

std::vector<std::string> library_folders() {
  std::vector<std::string> folders;
  void* const program = ::dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo head{};
  if (program == nullptr || ::dlinfo(program, RTLD_DI_SERINFOSIZE, &head) != 0) return folders;
  const auto memory = std::make_unique<std::max_align_t[]>(head.dls_size / sizeof(std::max_align_t) + 1);
  auto* const found = reinterpret_cast<Dl_serinfo*>(memory.get());
  *found = head;
  if (::dlinfo(program, RTLD_DI_SERINFO, found) != 0) return folders;
  for (unsigned k = 0; k < found->dls_cnt; ++k) folders.emplace_back((&found->dls_serpath[0])[k].dls_name);
  return folders;
}

}  // namespace tsubu
