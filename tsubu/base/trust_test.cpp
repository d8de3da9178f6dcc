// Promise: what others may change is not trusted, and the reason names it. Method: files and folders of each mode and,
// for root, who may give them away, of each owner.
#include "tsubu/base/trust.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace tsubu {
namespace {

class trust : public testing::Test {
 protected:
  trust() { std::ofstream(file_) << "code"; }
  ~trust() override { ::unlink(file_.c_str()); }

  std::string reason(mode_t mode) const {
    EXPECT_EQ(::chmod(file_.c_str(), mode), 0);
    return why_not_trusted(file_);
  }

  const std::string file_ = testing::TempDir() + "tsubu_trust_test." + std::to_string(::getpid());
};

TEST_F(trust, is_of_who_alone_may_write) {
  EXPECT_EQ(reason(0600), "");
  EXPECT_EQ(reason(0755), "");
  EXPECT_EQ(reason(0666), file_ + " may be written by everybody");
  EXPECT_EQ(reason(01666), file_ + " may be written by everybody") << "the sticky bit of a file says nothing";
}

TEST_F(trust, of_what_is_not_there) {
  EXPECT_EQ(why_not_trusted(file_ + ".none"), file_ + ".none cannot be looked at: No such file or directory");
}

TEST_F(trust, of_a_folder_in_which_nobody_replaces_what_is_anothers) {
  const std::string folder = file_ + ".folder";
  ASSERT_EQ(::mkdir(folder.c_str(), 0700), 0);
  ::chmod(folder.c_str(), 0777);
  EXPECT_EQ(why_not_trusted(folder), folder + " may be written by everybody");
  ::chmod(folder.c_str(), 01777);
  EXPECT_EQ(why_not_trusted(folder), "");
  ::rmdir(folder.c_str());
}

TEST_F(trust, is_not_of_another_user) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  constexpr uid_t nobody = 65534;
  ASSERT_EQ(::chown(file_.c_str(), nobody, 0), 0);
  EXPECT_EQ(reason(0600), file_ + " belongs to user 65534, who is neither you, nor root, nor the program's owner");
  ASSERT_EQ(::chown(file_.c_str(), 0, nobody), 0);
  EXPECT_EQ(reason(0660), file_ + " may be written by group 65534");
  EXPECT_EQ(reason(0640), "");
}

}  // namespace
}  // namespace tsubu
