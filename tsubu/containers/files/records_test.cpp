// Promise: each record of files is on exactly one PE, in order and in equal shares, whatever its bytes are; what PEs
// write into part files or into one file is read again by any number of PEs; a file that is no whole number of records,
// or was written as something else, is said; a write that fails says why on every PE, and leaves what was there.
// Method: random records of three sizes, written and read on 1 to 5 and 70 PEs; full disks, and names that are taken.
#include "tsubu/containers/files/records.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <ranges>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/bag.hpp"
#include "tsubu/containers/files/csv.hpp"
#include "tsubu/containers/files/files_for_tests.hpp"
#include "tsubu/containers/files/lines.hpp"
#include "tsubu/containers/files/ndjson.hpp"
#include "tsubu/containers/files/write_csv.hpp"
#include "tsubu/containers/files/write_lines.hpp"
#include "tsubu/containers/files/write_records.hpp"
#include "tsubu/containers/gather_concatenated.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;
namespace fs = std::filesystem;

using one_byte = std::array<unsigned char, 1>;
using seven = std::array<unsigned char, 7>;
struct particle {
  std::uint64_t name;
  double x;
  float y;
  std::uint32_t n;
  bool operator==(const particle&) const = default;
};
static_assert(std::ranges::input_range<binary_records<particle>>);
static_assert(!containers::is_record<std::string> && !containers::is_record<int*>);

std::string pattern;
template <class T>
std::vector<T> expected;

template <class T>
T random_record(std::mt19937_64& random) {
  if constexpr (std::is_same_v<T, particle>) {
    return {random(), static_cast<double>(random()), static_cast<float>(random()),
            static_cast<std::uint32_t>(random())};
  } else {
    T all{};
    for (unsigned char& one : all) one = static_cast<unsigned char>(random());
    return all;
  }
}

template <class T>
std::string bytes_of(const std::vector<T>& all) {
  return std::string(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T));
}

template <class T>
task<void> has_all(pe_id) {
  auto from = co_await records<T>(pattern);
  std::vector<T> mine;
  for (const T& one : from) mine.push_back(one);
  EXPECT_EQ(mine.size(), part_of(expected<T>.size()).size());
  const std::vector<T> all = co_await gather_concatenated(std::move(mine), 0);
  if (this_pe() == 0) {
    EXPECT_EQ(all, expected<T>);
  }
}

template <class T>
void read_random_files(std::uint64_t seed, std::size_t most) {
  const folder_of_files in;
  std::mt19937_64 random(seed);
  expected<T>.clear();
  for (auto file = 0U, files = static_cast<unsigned>(1 + random() % 3); file < files; ++file) {
    std::vector<T> one(random() % most);
    for (T& r : one) r = random_record<T>(random);
    std::string bytes = bytes_of(one);
    constexpr std::string_view begin_of_gzip = "\x1f\x8b";
    if (random() % 3 == 0 && bytes.size() > 2) bytes.replace(0, begin_of_gzip.size(), begin_of_gzip);
    if (!one.empty()) std::memcpy(one.data(), bytes.data(), bytes.size());
    expected<T>.insert(expected<T>.end(), one.begin(), one.end());
    in.write("part" + std::to_string(file), bytes);
  }
  pattern = in.name("part?");
  for (const pe_id pes : {1, 2, 3, 5, 70}) run_all(pes, seed, has_all<T>);
}

TEST(Records, HasEachOneOnOnePe) {
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    read_random_files<one_byte>(seed, 40);
    read_random_files<seven>(seed, 40);
    read_random_files<particle>(seed, 40);
  }
}
TEST(Records, AreReadOverTheEndsOfBlocks) {
  for (std::uint64_t seed = 1; seed <= 3 && !HasFailure(); ++seed) read_random_files<seven>(seed, 200'000);
}

// ---- what goes wrong

std::string said;

template <class F>
task<void> hear(F work) {
  said = "nothing";
  try {
    co_await work();
  } catch (const data_file_error& error) {
    said = error.what();
  }
}
task<void> walk_particles() {
  auto from = co_await records<particle>(pattern);
  for (const particle& one : from) static_cast<void>(one);
}
task<void> walk_after_a_change() {
  auto from = co_await records<particle>(pattern);
  co_await barrier();
  if (this_pe() == 0) fs::resize_file(pattern, 24);
  co_await barrier();
  for (const particle& one : from) static_cast<void>(one);
}
task<void> walk_lines() { co_await lines(pattern); }
task<void> walk_csv() { co_await csv<int>(pattern, "a"); }
task<void> walk_ndjson() { co_await ndjson<int>(pattern, "a"); }

task<void> hear_particles(pe_id) { return hear(walk_particles); }
task<void> hear_a_change(pe_id) { return hear(walk_after_a_change); }
task<void> hear_lines(pe_id) { return hear(walk_lines); }
task<void> hear_csv(pe_id) { return hear(walk_csv); }
task<void> hear_ndjson(pe_id) { return hear(walk_ndjson); }

std::string what_is_heard(task<void> (*program)(pe_id)) {
  run_all(3, 1, program);
  return said;
}

task<void> write_sevens(pe_id) {
  const std::vector<seven> mine(2);
  co_await write_records(pattern, mine);
}
task<void> write_a_line(pe_id) {
  const std::vector<std::string> mine(2, std::string(23, 'x'));
  co_await write_lines(pattern, mine);
}

task<void> write_a_row(pe_id) {
  const std::vector<int> mine(2, 7);
  co_await write_csv(pattern, "a", mine);
}

TEST(Records, SaysWhatIsNoFileOfRecords) {
  const folder_of_files in;
  pattern = in.name("particles");
  EXPECT_EQ(what_is_heard(hear_particles), pattern + ": no file has this name or matches it");
  for (const auto& [bytes, whole] : std::vector<std::pair<std::size_t, bool>>{
           {0, true}, {1, false}, {23, false}, {24, true}, {25, false}, {47, false}, {48, true}}) {
    in.write("particles", std::string(bytes, 'x'));
    EXPECT_EQ(what_is_heard(hear_particles), whole ? "nothing"
                                                   : pattern + ": has " + std::to_string(bytes) +
                                                         " bytes, which is no whole number of records of 24 bytes");
  }
  in.write("particles", std::string(2400, 'x'));
  EXPECT_EQ(what_is_heard(hear_a_change), pattern + ": its length has changed since the job began to read it");
  pattern = fs::path(pattern).parent_path();
  EXPECT_EQ(what_is_heard(hear_particles), pattern + ": is no regular file: only those are cut into parts");
}

TEST(Records, SaysWhatWasWrittenAsSomethingElse) {
  const folder_of_files in;
  pattern = in.name("sevens");
  run_all(3, 1, write_sevens);
  const std::string part = pattern + "/parts.1/0.0.bin: was written as records of 7 bytes, ";
  EXPECT_EQ(what_is_heard(hear_particles), part + "and is read as records of 24 bytes");
  EXPECT_EQ(what_is_heard(hear_lines), part + "and lines() reads lines");
  EXPECT_EQ(what_is_heard(hear_csv), part + "and csv() reads csv");
  EXPECT_EQ(what_is_heard(hear_ndjson), part + "and ndjson() reads lines");
  fs::resize_file(pattern + "/parts.1/0.1.bin", 7);
  EXPECT_EQ(what_is_heard(hear_particles),
            pattern + "/parts.1/0.1.bin: has 7 bytes, and " + pattern + "/list tells of 14");
  pattern = in.name("text");
  run_all(2, 1, write_a_line);
  EXPECT_EQ(what_is_heard(hear_particles),
            pattern + "/parts.1/0.0.txt: was written as lines, and is read as records of 24 bytes");
  EXPECT_EQ(what_is_heard(hear_csv), pattern + "/parts.1/0.0.txt: was written as lines, and csv() reads csv");
  EXPECT_EQ(what_is_heard(hear_lines), "nothing");
  EXPECT_EQ(what_is_heard(hear_ndjson), "nothing");
  // Who reads the files in spite of it names them.
  pattern += "/parts.*/*.txt";
  EXPECT_EQ(what_is_heard(hear_csv), "nothing");
  pattern = in.name("rows");
  run_all(2, 1, write_a_row);
  const std::string rows = pattern + "/parts.1/0.0.csv: was written as csv, ";
  EXPECT_EQ(what_is_heard(hear_csv), "nothing");
  EXPECT_EQ(what_is_heard(hear_lines), rows + "and lines() reads lines");
  EXPECT_EQ(what_is_heard(hear_ndjson), rows + "and ndjson() reads lines");
  EXPECT_EQ(what_is_heard(hear_particles), rows + "and is read as records of 24 bytes");
}

// ---- written

std::string written;
bool into_one = false;

// Each PE's share is another one than that which it will read.
template <class T>
std::vector<T> own_share() {
  const auto at = [](pe_id pe) {
    const auto all = expected<T>.size(), pes = static_cast<std::size_t>(pe_count());
    return static_cast<std::ptrdiff_t>(all * static_cast<std::size_t>(pe) * static_cast<std::size_t>(pe) / (pes * pes));
  };
  return {expected<T>.begin() + at(this_pe()), expected<T>.begin() + at(this_pe() + 1)};
}

task<void> write_what_is_expected() {
  const std::vector<particle> mine = own_share<particle>();
  if (into_one) {
    auto all = std::views::filter(mine, [](const particle&) { return true; });
    co_await write_record_file(written, all);
  } else {
    co_await write_records(written, mine);
  }
}
task<void> hear_what_is_written(pe_id) { return hear(write_what_is_expected); }

TEST(Records, AreWrittenAndReadByAnyNumberOfPes) {
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    const folder_of_files in;
    std::mt19937_64 random(seed);
    for (const pe_id pes : {1, 2, 3, 5, 70}) {
      if (pes == 70 && seed > 3) continue;
      into_one = random() % 2 == 0;
      written = pattern = in.name(into_one ? "file" : "folder");
      expected<particle>.resize(random() % (seed == 1 ? 40'000 : 100));
      for (particle& one : expected<particle>) one = random_record<particle>(random);
      run_all(pes, seed, hear_what_is_written);
      EXPECT_EQ(said, "nothing");
      for (const pe_id readers : {1, 2, 3, 5}) run_all(readers, seed, has_all<particle>);
    }
    EXPECT_FALSE(fs::exists(in.name(".file.new")));
  }
}

task<void> containers_are_written(pe_id) {
  auto all = co_await create_bag<long>();
  for (const std::size_t i : part_of(100))
    co_await all.past().insert(static_cast<pe_id>(i) % pe_count(), static_cast<long>(i));
  co_await write_record_file(written + "/file", all);
  co_await write_records(written + "/folder", all);
  long sum = 0;
  auto of_file = co_await records<long>(written + "/file");
  for (const long i : of_file) sum += i;
  auto of_folder = co_await records<long>(written + "/folder");
  for (const long i : of_folder) sum += i;
  EXPECT_EQ(co_await all_reduce(sum, reduce::plus), 9900);
}
TEST(Records, OfContainersAreWrittenWhenAllIsDone) {
  for (std::uint64_t seed = 1; seed <= 10 && !HasFailure(); ++seed) {
    for (const pe_id pes : {1, 2, 5}) {
      const folder_of_files in;
      written = in.name("");
      written.pop_back();
      run_all(pes, seed, containers_are_written);
    }
  }
}

task<void> write_what_grows() {
  int walks = 0;
  // What the range has when it is walked for the second time is one more.
  const auto all = std::views::iota(0, 3) | std::views::take_while([&walks](int i) {
                     walks += i == 0 ? 1 : 0;
                     return i < 2 || walks > 1;
                   });
  co_await write_record_file(written, all);
}
task<void> hear_what_grows(pe_id) { return hear(write_what_grows); }

TEST(Records, LeavesTheFileThatWasThereWhereAWriteFails) {
  const folder_of_files in;
  written = pattern = in.name("particles");
  const std::string unfinished = in.name(".particles.new");
  into_one = true;
  std::mt19937_64 random(1);
  expected<particle>.assign(10, random_record<particle>(random));
  EXPECT_EQ(what_is_heard(hear_what_is_written), "nothing");
  const std::vector<particle> before = expected<particle>;
  const auto expect_before = [&] {
    expected<particle> = before;
    EXPECT_FALSE(fs::exists(unfinished));
    run_all(2, 1, has_all<particle>);
  };

  expected<particle>.resize(30'000);
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{500'000, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string full = what_is_heard(hear_what_is_written);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_EQ(full, unfinished + ": File too large");
  expect_before();

  EXPECT_EQ(what_is_heard(hear_what_grows),
            unfinished + ": a PE had 8 bytes for it when they were counted, and has 12 or more now");
  expect_before();

  fs::create_symlink("/dev/full", unfinished);
  EXPECT_EQ(what_is_heard(hear_what_is_written), unfinished + ": is no regular file");
  fs::remove(unfinished);
  expect_before();

  fs::create_directory(unfinished);
  EXPECT_EQ(what_is_heard(hear_what_is_written), unfinished + ": Is a directory");
  fs::remove(unfinished);
  expect_before();

  // What a job that was killed has left there is no hindrance, and no pattern finds it.
  in.write(".particles.new", "half of it");
  pattern = in.name("*");
  run_all(2, 1, has_all<particle>);
  EXPECT_EQ(what_is_heard(hear_what_is_written), "nothing");
  expect_before();

  written = in.name("none/particles");
  EXPECT_EQ(what_is_heard(hear_what_is_written), in.name("none/.particles.new") + ": No such file or directory");
  written = in.name("folder");
  fs::create_directory(written);
  EXPECT_EQ(what_is_heard(hear_what_is_written), written + ": is a folder, and would be a file of records");
  EXPECT_FALSE(fs::exists(in.name(".folder.new")));
  written = in.name("device");
  fs::create_symlink("/dev/null", written);
  EXPECT_EQ(what_is_heard(hear_what_is_written), "/dev/null: is no regular file");
}

TEST(Records, AreWrittenIntoWhatALinkLeadsTo) {
  const folder_of_files in;
  into_one = true;
  std::mt19937_64 random(1);
  expected<particle>.assign(10, random_record<particle>(random));
  fs::create_directory(in.name("disk"));
  in.write("disk/particles", "as yet nothing");
  fs::create_symlink("disk/particles", in.name("link"));
  fs::create_symlink("link", in.name("particles"));
  written = in.name("particles");
  pattern = in.name("disk/particles");
  EXPECT_EQ(what_is_heard(hear_what_is_written), "nothing");
  EXPECT_TRUE(fs::is_symlink(written));
  run_all(3, 1, has_all<particle>);

  written = in.name("nowhere");
  fs::create_symlink("disk/nothing", written);
  EXPECT_EQ(what_is_heard(hear_what_is_written),
            written + ": is a link to what cannot be found: No such file or directory");
  EXPECT_TRUE(fs::is_symlink(written));
}

}  // namespace
}  // namespace tsubu::containers_test
