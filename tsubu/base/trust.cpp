#include "tsubu/base/trust.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tsubu {
namespace {

// The owner of the program that runs; of a system that does not say, nobody else than root.
uid_t owner_of_program() {
  struct ::stat of{};
  return ::stat("/proc/self/exe", &of) == 0 ? of.st_uid : 0;
}

}  // namespace

std::string why_not_trusted(const std::string& path) {
  struct ::stat of{};
  if (::stat(path.c_str(), &of) != 0) return path + " cannot be looked at: " + std::strerror(errno);
  const bool owner_trusted = of.st_uid == 0 || of.st_uid == ::geteuid() || of.st_uid == owner_of_program();
  const bool sticky = S_ISDIR(of.st_mode) && (of.st_mode & S_ISVTX) != 0;
  if (!owner_trusted) {
    return path + " belongs to user " + std::to_string(of.st_uid) +
           ", who is neither you, nor root, nor the program's owner";
  }
  if ((of.st_mode & S_IWOTH) != 0 && !sticky) return path + " may be written by everybody";
  if ((of.st_mode & S_IWGRP) != 0 && !sticky && of.st_gid != 0 && of.st_gid != ::getegid())
    return path + " may be written by group " + std::to_string(of.st_gid);
  return {};
}

}  // namespace tsubu
