// Promise: the names of a job are none of the job before, and not of earlier ones while there is room; they stay short
// as long as that is so. Method: jobs of few and of many generations, one after the other.
#include "tsubu/base/job_names.hpp"

#include <gtest/gtest.h>

namespace tsubu::detail {
namespace {

TEST(job_names, go_on_where_the_last_job_ended) {
  static job_names names(256, 4096);
  job_names::next_job();
  const std::uint32_t before = job_names::jobs_before();
  EXPECT_EQ(names.first(), 0U);
  names.used(3);
  names.used(2);
  EXPECT_EQ(names.first(), 0U) << "not before the next job";
  job_names::next_job();
  EXPECT_EQ(job_names::jobs_before(), before + 1);
  EXPECT_EQ(names.first(), 3U);
  job_names::next_job();
  EXPECT_EQ(names.first(), 3U) << "of a job that used none";
}

TEST(job_names, stay_short_if_the_last_job_left_room) {
  static job_names names(256, 4096);
  job_names::next_job();
  names.used(200);
  job_names::next_job();
  names.used(260);  // 60 of them
  job_names::next_job();
  EXPECT_EQ(names.first(), 0U);
  names.used(300);
  job_names::next_job();
  EXPECT_EQ(names.first(), 300U) << "at 0 the names of the last job would be found";
  names.used(4100);
  job_names::next_job();
  EXPECT_EQ(names.first(), 4U);
}

}  // namespace
}  // namespace tsubu::detail
