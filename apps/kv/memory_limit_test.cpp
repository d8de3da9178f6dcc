// Promise: the least limit of a process's control groups is found, of both versions, and of the groups above its own.
#include "apps/kv/memory_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace kv {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

class groups : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "kv_groups_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void file(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  std::uint64_t limit(const std::string& names) const {
    file("cgroup", names);
    return control_group_limit(folder_ / "cgroup", folder_);
  }

 private:
  fs::path folder_;
};

TEST_F(groups, none_is_no_limit) {
  EXPECT_EQ(limit(""), none);
  EXPECT_EQ(limit("0::/\n"), none);
  EXPECT_EQ(limit("nonsense\n4:memory\n4:memory:no/path\n"), none);
  EXPECT_EQ(control_group_limit("/nowhere", "/nowhere"), none);
  file("memory.max", "max\n");
  EXPECT_EQ(limit("0::/\n"), none);
}

TEST_F(groups, version_2) {
  file("a/memory.max", "5000\n");
  file("a/b/memory.max", "max\n");
  EXPECT_EQ(limit("0::/a/b\n"), 5000U);  // of the one above
  file("a/b/memory.high", "4000\n");
  EXPECT_EQ(limit("0::/a/b\n"), 4000U);
  EXPECT_EQ(limit("0::/a\n"), 5000U);
  EXPECT_EQ(limit("0::/c\n"), none);
  file("memory.max", "3000\n");
  EXPECT_EQ(limit("0::/a/b\n"), 3000U);
  EXPECT_EQ(limit("0::/not/seen/from/here\n"), 3000U);
}

TEST_F(groups, version_1) {
  file("memory/a/memory.limit_in_bytes", "7000\n");
  file("memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(limit("8:pids:/a\n4:cpu,memory:/a\n0::/\n"), 7000U);
  EXPECT_EQ(limit("4:memory:/\n"), 9223372036854771712U);
  EXPECT_EQ(limit("4:memory_other:/a\n"), none);
}

TEST(memory_limit, respects_the_limits_of_the_process) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_DATA, &before), 0);
  const rlimit less{std::uint64_t{1} << 30, before.rlim_max};
  const std::uint64_t without = memory_limit();
  EXPECT_GT(without, 0U);
  EXPECT_LT(without, none);
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &less), 0);
  EXPECT_EQ(memory_limit(), std::min(without, std::uint64_t{1} << 30));
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &before), 0);
}

}  // namespace
}  // namespace kv
