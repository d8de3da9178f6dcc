// Promise: options and variables are read alike, the option wins, what is not Tsubu's stays, and what is
// wrong ends the process with one line that says what to do.
#include "tsubu/base/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "tsubu/base/check.hpp"

namespace tsubu {
namespace {

// A command line that read_settings() may change.
class command_line {
 public:
  command_line(std::initializer_list<const char*> words) : words_(words.begin(), words.end()) {
    words_.insert(words_.begin(), "program");
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
    count_ = static_cast<int>(words_.size());
  }
  settings read() { return read_settings(count_, pointers_.data()); }
  std::vector<std::string> left() const { return {pointers_.begin() + 1, pointers_.begin() + count_}; }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
  int count_ = 0;
};

struct variable {
  variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~variable() { unsetenv(name_); }
  const char* name_;
};

using words = std::vector<std::string>;

TEST(settings, defaults) {
  command_line line{};
  const settings s = line.read();
  EXPECT_EQ(s.pes, 0);
  EXPECT_EQ(s.pes_per_rank, 1);
  EXPECT_EQ(s.transport, "");
  EXPECT_EQ(s.batch_bytes, 0U);
  EXPECT_TRUE(s.bind);
  EXPECT_TRUE(s.share_memory);
  EXPECT_EQ(s.pretended_nodes, 0);
  EXPECT_FALSE(s.help);
}

TEST(settings, options_are_taken_out) {
  command_line line{"--class",
                    "A",
                    "--tsubu-pes=4",
                    "in",
                    "--tsubu-transport=mpi",
                    "--tsubu-batch=1000",
                    "--tsubu-bind=off",
                    "--tsubu-shared=off",
                    "--tsubu-pretended-nodes=2",
                    "out"};
  const settings s = line.read();
  EXPECT_EQ(s.pes, 4);
  EXPECT_EQ(s.transport, "mpi");
  EXPECT_EQ(s.batch_bytes, 1024U) << "rounded up to whole cache lines";
  EXPECT_FALSE(s.bind);
  EXPECT_FALSE(s.share_memory);
  EXPECT_EQ(s.pretended_nodes, 2);
  EXPECT_EQ(line.left(), (words{"--class", "A", "in", "out"}));
}

TEST(settings, what_follows_two_dashes_is_the_programs) {
  command_line line{"--tsubu-pes=2", "--", "--tsubu-pes=3", "--tsubu-nonsense"};
  EXPECT_EQ(line.read().pes, 2);
  EXPECT_EQ(line.left(), (words{"--", "--tsubu-pes=3", "--tsubu-nonsense"}));
}

TEST(settings, variables_and_options) {
  const variable pes("TSUBU_PES", "7");
  const variable scheduler("TSUBU_SCHEDULER", "lifo");
  const variable pes_per_rank("TSUBU_PES_PER_RANK", "5");
  const variable machines("TSUBU_MACHINES", "/elsewhere");
  command_line line{"--tsubu-pes=3"};
  const settings s = line.read();
  EXPECT_EQ(s.pes, 3) << "the option wins";
  EXPECT_EQ(s.pes_per_rank, 5);
  EXPECT_EQ(s.scheduler, "lifo");
  EXPECT_EQ(s.machines, "/elsewhere");
}

TEST(settings, switches) {
  const variable stats("TSUBU_STATS", "0");
  EXPECT_FALSE(command_line{}.read().stats);
  EXPECT_TRUE(command_line{"--tsubu-stats"}.read().stats);
  EXPECT_TRUE(command_line{"--tsubu-stats=on"}.read().stats);
  EXPECT_FALSE(command_line{"--tsubu-stats=off"}.read().stats);
}

TEST(settings, those_for_some_jobs_only) {
  const variable machines("TSUBU_MACHINES", "/elsewhere");
  const variable seed("TSUBU_SEED", "1");
  command_line line{"--tsubu-shared=off", "--tsubu-pes=3"};
  const settings s = line.read();
  ASSERT_EQ(s.given_for.size(), 2U) << "a variable may describe the computer, for other programs";
  EXPECT_EQ(s.given_for[0].source, "TSUBU_SEED");
  EXPECT_EQ(s.given_for[0].scope, setting_scope::simulation);
  EXPECT_EQ(s.given_for[1].source, "--tsubu-shared");
  EXPECT_EQ(s.given_for[1].scope, setting_scope::mpi);
}

TEST(settings, fault) {
  command_line line{"--tsubu-fault=pe:2@1.5"};
  const settings s = line.read();
  EXPECT_EQ(s.fault_pe, 2);
  EXPECT_EQ(s.fault_us, 1.5);
}

TEST(settings, predict) {
  command_line line{"--tsubu-predict=selector"};
  EXPECT_EQ(line.read().predict, "selector");
}

TEST(settings, help_names_every_option) {
  const std::string text = settings_help();
  for (const char* name :
       {"pes", "pes-per-rank", "transport", "batch", "bind", "scheduler", "plugins", "machines", "help"}) {
    EXPECT_NE(text.find("--tsubu-" + std::string(name)), std::string::npos) << name;
  }
  command_line line{"--tsubu-help"};
  EXPECT_TRUE(line.read().help);
}

void expect_refused(std::initializer_list<const char*> given, const char* message) {
  EXPECT_EXIT(command_line(given).read(), testing::ExitedWithCode(exit_code::usage), message);
}

TEST(settings_death, wrong_values) {
  expect_refused({"--tsubu-pes=0"}, "--tsubu-pes needs a number of PEs from 1 to .*, not '0'");
  expect_refused({"--tsubu-pes="}, "--tsubu-pes needs .* not ''");
  expect_refused({"--tsubu-pes=2x"}, "not '2x'");
  expect_refused({"--tsubu-pes=99999999999999999999"}, "--tsubu-pes needs");
  expect_refused({"--tsubu-pes"}, "--tsubu-pes needs a value: --tsubu-pes=N");
  expect_refused({"--tsubu-pes-per-rank=0"}, "--tsubu-pes-per-rank needs a number of PEs from 1 to 1024, not '0'");
  expect_refused({"--tsubu-pes-per-rank=1025"}, "from 1 to 1024, not '1025'");
  expect_refused({"--tsubu-batch=255"}, "from 256 to 16777216, not '255'");
  expect_refused({"--tsubu-transport=openmp"}, "did you mean openmpi");
  expect_refused({"--tsubu-transport=mpi-abi"}, "did you mean mpi_abi");
  for (const char* fault : {"", "pe:2", "2@1", "pe:2@", "pe:2@-1", "pe:2@1x"}) {
    expect_refused({("--tsubu-fault=" + std::string(fault)).c_str()},
                   "--tsubu-fault needs a PE and its last microsecond, such as pe:2@150, not");
  }
  expect_refused({"--tsubu-fault=pe:-1@5"}, "--tsubu-fault needs a PE from 0 to 999999, not '-1'");
  expect_refused({"--tsubu-watch=time"}, "--tsubu-watch needs clock, not 'time'");
  expect_refused({"--tsubu-predict="}, "--tsubu-predict needs none, size or selector, not ''");
  expect_refused({"--tsubu-stats=no"}, "--tsubu-stats needs on, off or no value, not 'no'");
  expect_refused({"--tsubu-bind=yes"}, "needs on or off, not 'yes'");
  expect_refused({"--tsubu-shared=1"}, "--tsubu-shared needs on or off, not '1'");
  expect_refused({"--tsubu-pretended-nodes=0"}, "needs a number of nodes from 1 to 1000000, not '0'");
}

TEST(settings_death, unknown_names) {
  expect_refused({"--tsubu-pse=2"}, "unknown option --tsubu-pse; did you mean --tsubu-pes\\?");
  expect_refused({"--tsubu-"}, "unknown option --tsubu-");
  for (const char* written : {"--tsubu_pes=4", "-tsubu-pes=4", "--Tsubu-pes=4", "---tsubu-pes", "--TSUBU_PES=4"}) {
    expect_refused({written}, "unknown option -*[Tt].*; did you mean --tsubu-pes\\?");
  }
  expect_refused({"--tsubu-PES=4"}, "unknown option --tsubu-PES; did you mean --tsubu-pes\\?");
  const variable misspelt("TSUBU_TRANSPROT", "mpi");
  expect_refused({}, "unknown variable TSUBU_TRANSPROT; did you mean TSUBU_TRANSPORT\\?");
}

TEST(settings_death, twice) {
  expect_refused({"--tsubu-pes=2", "a", "--tsubu-pes=4"},
                 "--tsubu-pes is given twice, the second time as '--tsubu-pes=4'");
  expect_refused({"--tsubu-stats", "--tsubu-stats"}, "--tsubu-stats is given twice");
}

TEST(settings_death, no_name) {
  const variable bare("TSUBU", "4");
  expect_refused({}, "unknown variable TSUBU; variables are named as TSUBU_PES is");
}

TEST(nearest, edit_distance) {
  constexpr std::string_view known[] = {"threads", "mpi", "openmpi", "mpich"};
  auto near = [&](std::string_view word) { return nearest(word, known, std::size(known)); };
  EXPECT_EQ(near("threads"), "threads");
  EXPECT_EQ(near("thread"), "threads");
  EXPECT_EQ(near("htreads"), "threads");
  EXPECT_EQ(near("opnmpi"), "openmpi");
  EXPECT_EQ(near("quaternions"), "");
  EXPECT_EQ(nearest("x", known, 0), "");
}

TEST(settings, where_a_package_lies_is_no_setting) {
  const variable root("TSUBU_ROOT", "/opt/tsubu/1.0");
  const variable dir("TSUBU_DIR", "/opt/tsubu/1.0/lib/cmake/tsubu");
  const variable home("TSUBU_HOME", "/opt/tsubu/1.0");
  const variable pes("TSUBU_PES", "3");
  EXPECT_EQ(command_line({}).read().pes, 3);
}

TEST(settings, what_is_near_to_those_names_is_refused) {
  for (const char* name : {"TSUBU_ROOTS", "TSUBU_DIRS", "TSUBU_ROOT_DIR", "TSUBU_HOMES", "TSUBU_home"}) {
    const variable near(name, "/opt/tsubu");
    expect_refused({}, "unknown variable TSUBU_");
  }
}

TEST(settings, how_long_mpi_may_take_to_begin) {
  EXPECT_EQ(command_line({}).read().mpi_start_s, 60);
  EXPECT_EQ(command_line({"--tsubu-mpi-start=0"}).read().mpi_start_s, 0) << "for ever";
  EXPECT_EQ(command_line({"--tsubu-mpi-start=600"}).read().mpi_start_s, 600);
  expect_refused({"--tsubu-mpi-start=-1"}, "needs a number of seconds from 0 to 1000000, not '-1'");
  expect_refused({"--tsubu-mpi-start=1.5"}, "needs a number of seconds from 0 to 1000000, not '1.5'");
}

TEST(settings, how_long_mpi_may_take_to_end) {
  EXPECT_EQ(command_line({}).read().mpi_end_s, 30);
  EXPECT_EQ(command_line({"--tsubu-mpi-end=0"}).read().mpi_end_s, 0) << "for ever";
  EXPECT_EQ(command_line({"--tsubu-mpi-end=600"}).read().mpi_end_s, 600);
  expect_refused({"--tsubu-mpi-end=-1"}, "needs a number of seconds from 0 to 1000000, not '-1'");
  expect_refused({"--tsubu-mpi-end=soon"}, "needs a number of seconds from 0 to 1000000, not 'soon'");
}

TEST(settings, when_to_collect) {
  EXPECT_EQ(command_line{}.read().collect, "auto");
  EXPECT_EQ(command_line{"--tsubu-collect=off"}.read().collect, "off");
  const settings s = command_line{"--tsubu-collect=2.5", "--tsubu-collect-slice=20"}.read();
  EXPECT_EQ(s.collect, "timed");
  EXPECT_EQ(s.collect_s, 2.5);
  EXPECT_EQ(s.collect_slice_us, 20);
  expect_refused({"--tsubu-collect=-1"}, "--tsubu-collect needs off, idle, auto or a number of seconds, not '-1'");
  expect_refused({"--tsubu-collect=often"},
                 "--tsubu-collect needs off, idle, auto or a number of seconds, not 'often'");
  expect_refused({"--tsubu-collect-slice=0"},
                 "--tsubu-collect-slice needs a number of microseconds from 1 to 1000000, not '0'");
}

}  // namespace
}  // namespace tsubu
