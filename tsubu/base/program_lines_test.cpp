// Promises: an error names the program's own line, whatever the names of its functions and folders are.
#include "tsubu/base/program_lines.hpp"

#include <gtest/gtest.h>

namespace tsubu {
namespace {

TEST(program_lines, a_file_of_the_runtime_lies_in_one_of_its_folders) {
  EXPECT_TRUE(is_of_the_runtime("/home/me/tsubu/tsubu/remote/messages/at.hpp"));
  EXPECT_TRUE(is_of_the_runtime("/usr/local/include/tsubu/task/task.hpp"));
  EXPECT_TRUE(is_of_the_runtime("tsubu/run/run.cpp"));
  EXPECT_FALSE(is_of_the_runtime("/home/me/tsubu/examples/01_hello.cpp"));
  EXPECT_FALSE(is_of_the_runtime("/home/me/remote/messages/at.hpp"));
  EXPECT_FALSE(is_of_the_runtime("work.cpp"));
}

TEST(program_lines, a_function_is_named_without_its_types) {
  const auto name = [](const char* function) { return short_function_name(function); };
  EXPECT_EQ(name("step"), "step");
  EXPECT_EQ(name("step(int)"), "step");
  EXPECT_EQ(name("step(step(int)::_Z4stepi.Frame*) [clone .actor]"), "step");
  EXPECT_EQ(name("work::(anonymous namespace)::step(int)"), "work::step");
  EXPECT_EQ(name("std::__cxx11::basic_string<char, std::allocator<char> > best<int>(int)"), "best<int>");
  EXPECT_EQ(name("tsubu::task<int> step<int, long>(int, long)"), "step<int, long>");
  EXPECT_EQ(name("adder::operator()(int) const"), "adder::operator()");
  EXPECT_EQ(name("work()::{lambda(int)#1}::operator()(int) const"), "work");
  EXPECT_EQ(name("box<int>::add(int)"), "box<int>::add");
}

TEST(program_lines, the_innermost_call_of_the_program_is_told) {
  EXPECT_EQ(line_of_the_program_in("tsubu::fail(int) at check.cpp:?\n"
                                   "tsubu::require(bool) at /home/me/tsubu/base/check.hpp:9\n"
                                   " (inlined by) step(int) at /home/look at me/a b/work.cpp:9 (discriminator 2)\n"
                                   "program(int) at /home/me/work.cpp:20\n"),
            "at /home/look at me/a b/work.cpp:9, in step");
  EXPECT_EQ(line_of_the_program_in("std::sort(int) at /usr/include/c++/12/bits/stl_algo.h:9\nstep(int) at ??:?\n"),
            "in step (compile with -g for the line)");
  EXPECT_EQ(line_of_the_program_in("step() at /usr/src/app/work.cpp:3\n"), "at /usr/src/app/work.cpp:3, in step");
  // The thread has come from run() itself.
  EXPECT_EQ(line_of_the_program_in("tsubu::run(int) at ??:?\nmain at /home/me/work.cpp:9\n"), "");
  EXPECT_EQ(line_of_the_program_in("_start at ??:?\n"), "");
  EXPECT_EQ(line_of_the_program_in("no such line\n"), "");
  EXPECT_EQ(line_of_the_program_in(""), "");
}

TEST(program_lines, a_last_brace_may_stand_for_a_co_await) {
  const std::string path = testing::TempDir() + "brace.cpp";
  std::FILE* const file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs("task<int> step() {\n  co_return 1;\n}\n", file);
  std::fclose(file);
  EXPECT_EQ(line_of_the_program_in("step() at " + path + ":2\n"), "at " + path + ":2, in step");
  EXPECT_EQ(line_of_the_program_in("step() at " + path + ":3\n"), "at " + path + ":3, in step, or at a co_await above");
}

}  // namespace
}  // namespace tsubu
