// Promise: a pipe is refused, not waited for; a file is never half there, and another's is not lost.
#include "tsubu/base/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tsubu;
namespace fs = std::filesystem;

class files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tsubu-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string named(const char* name) const { return (folder / name).string(); }
  void put(const char* name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string text_in(const char* name) const {
    std::string why;
    return read_file(named(name), why).value_or("(" + why + ")");
  }
  std::ptrdiff_t count() const { return std::distance(fs::directory_iterator(folder), fs::directory_iterator()); }

  fs::path folder;
};

TEST_F(files, what_is_no_regular_file_is_not_read) {
  ASSERT_EQ(::mkfifo(named("pipe").c_str(), 0600), 0);
  put("empty", "");
  put("text", "one\ntwo\n");
  EXPECT_EQ(text_in("pipe"), "(it is not a regular file)");
  EXPECT_EQ(text_in("."), "(it is a folder)");
  EXPECT_EQ(text_in("nowhere"), "(No such file or directory)");
  EXPECT_EQ(text_in("empty"), "");
  EXPECT_EQ(text_in("text"), "one\ntwo\n");
}

TEST_F(files, a_file_is_there_when_it_is_whole) {
  {
    written_file out({named("report"), "{"});
    std::fputs("{half", out.stream());
    std::fflush(out.stream());
    EXPECT_FALSE(fs::exists(named("report")));
  }
  EXPECT_EQ(count(), 0);
  EXPECT_EQ(write_file({named("report"), "{"}, "{whole}"), "");
  EXPECT_EQ(text_in("report"), "{whole}");
  {
    written_file out({named("report"), "{"});
    std::fputs("{half", out.stream());
  }
  EXPECT_EQ(text_in("report"), "{whole}");
  EXPECT_EQ(count(), 1);
}

TEST_F(files, one_without_a_size_may_have_something_in_it) {
  std::string why;
  const std::optional<std::string> text = read_file("/proc/self/status", why);
  ASSERT_TRUE(text) << why;
  EXPECT_NE(text->find("Name:"), std::string::npos);
}

TEST_F(files, one_may_be_written_by_several_threads) {
  std::vector<std::thread> writers;
  std::atomic<int> troubles{0};
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      for (int k = 0; k < 50; ++k) troubles += write_file({named("report"), "{"}, "{whole}") == "" ? 0 : 1;
    });
  }
  for (std::thread& t : writers) t.join();
  EXPECT_EQ(troubles, 0);
  EXPECT_EQ(text_in("report"), "{whole}");
  EXPECT_EQ(count(), 1);
}

TEST_F(files, the_file_of_somebody_else_is_kept) {
  put("thesis", "Chapter 1");
  EXPECT_EQ(write_file({named("thesis"), "{"}, "{}"), "there is another file, which this program has not written");
  EXPECT_EQ(text_in("thesis"), "Chapter 1");
  EXPECT_EQ(write_file({named("thesis"), "{", true}, "{}"), "");
  EXPECT_EQ(text_in("thesis"), "{}");
  put("empty", "");
  EXPECT_EQ(write_file({named("empty"), "{"}, "{}"), "");
  EXPECT_EQ(count(), 2);
}

TEST_F(files, links_and_modes_stay) {
  put("there", "{}");
  fs::permissions(named("there"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("there", named("link"));
  EXPECT_EQ(write_file({named("link"), "{"}, "{new}"), "");
  EXPECT_TRUE(fs::is_symlink(named("link")));
  EXPECT_EQ(text_in("there"), "{new}");
  EXPECT_EQ(fs::status(named("there")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(files, a_link_to_nothing_yet_and_other_names_are_written_through) {
  fs::create_symlink("not_yet", named("link"));
  EXPECT_EQ(write_file({named("link"), "{"}, "{new}"), "");
  EXPECT_TRUE(fs::is_symlink(named("link")));
  EXPECT_EQ(text_in("not_yet"), "{new}");

  put("there", "{a longer text}");
  fs::create_hard_link(named("there"), named("other"));
  EXPECT_EQ(write_file({named("there"), "{"}, "{short}"), "");
  EXPECT_EQ(text_in("other"), "{short}");
  EXPECT_EQ(fs::hard_link_count(named("other")), 2u);
  EXPECT_EQ(write_file({named("other"), "{"}, "{" + std::string(100'000, 'x') + "}"), "");
  EXPECT_EQ(text_in("there").size(), 100'002u);
  EXPECT_EQ(count(), 4);
}

// As a link into /proc: reading begins well there, too, and then fails (EIO), since nothing is mapped below.
TEST_F(files, an_error_in_the_midst_of_reading_is_no_end) {
  std::string why;
  EXPECT_FALSE(read_file("/proc/self/mem", why));
  EXPECT_EQ(why, "Input/output error");
  fs::create_symlink("/proc/self/mem", named("unreadable"));
  EXPECT_EQ(write_file({named("unreadable"), "{"}, "{}").empty(), false);
}

TEST_F(files, devices_are_written_in_place) {
  EXPECT_EQ(write_file({"/dev/null", "{"}, "{}"), "");
  EXPECT_EQ(write_file({"/dev/full", "{"}, "{}"), "No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// As `tsubu explore` hands a file over that has no name.
TEST_F(files, an_open_file_is_written_through_its_number) {
  std::string name = named("open-XXXXXX");
  const int file = ::mkstemp(name.data());
  ASSERT_GE(file, 0);
  ::unlink(name.c_str());
  const std::string number = "/dev/fd/" + std::to_string(file);
  EXPECT_EQ(write_file({number, "{"}, "{}"), "");
  fs::create_symlink(number, named("link"));
  EXPECT_EQ(write_file({named("link"), "{", true}, "{a}"), "");
  char text[8] = {};
  EXPECT_EQ(::pread(file, text, sizeof text, 0), 3);
  EXPECT_STREQ(text, "{a}");
  EXPECT_EQ(count(), 1);
  ::close(file);
}

TEST_F(files, what_cannot_be_written_is_told) {
  EXPECT_EQ(write_file({named("nowhere/file"), "{"}, "{}"), "No such file or directory");
  EXPECT_EQ(write_file({folder.string(), "{"}, "{}"), "it is a folder");
}

}  // namespace
