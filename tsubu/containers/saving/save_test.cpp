// Promise: what containers had is brought back whole, by any number of PEs, or not at all: whatever byte of the folder
// is wrong or missing, every PE is told the file, and the containers stay empty; a save that fails leaves what was
// saved before. Method: random contents on 1 to 5 and 70 PEs, compared element by element; damage at random.
#include "tsubu/containers/saving/save.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/bag.hpp"
#include "tsubu/containers/counting_set.hpp"
#include "tsubu/containers/disjoint_sets.hpp"
#include "tsubu/containers/files/error.hpp"
#include "tsubu/containers/map.hpp"
#include "tsubu/containers/multimap.hpp"
#include "tsubu/containers/saving/checkpoint.hpp"
#include "tsubu/containers/set.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;
namespace fs = std::filesystem;

// In memory where that can be: a disk takes some hundredths of a second for each file that it has to keep.
class folder_for_states {
  static fs::path above() { return fs::is_directory("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path(); }

 public:
  folder_for_states() : path_(above() / ("tsubu_save_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~folder_for_states() { fs::remove_all(path_); }
  folder_for_states(const folder_for_states&) = delete;
  folder_for_states& operator=(const folder_for_states&) = delete;

  std::string name(const std::string& file) const { return path_ / file; }

 private:
  fs::path path_;
};

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

// A value of the program's own, whose bytes are written by its own function.
struct entry {
  std::string text;
  std::vector<long> numbers;
  template <class Archive>
  void serialize(Archive& a) {
    a(text, numbers);
  }
};

struct all_kinds {
  map<std::string, entry> entries;
  multimap<std::uint32_t, std::string> lists;
  set<std::pair<int, std::string>> pairs;
  counting_set<std::string> counts;
  bag<double> numbers;
  disjoint_sets<std::uint32_t> parts;
};

task<all_kinds> create_all() {
  all_kinds all;
  all.entries = co_await create_map<std::string, entry>();
  all.lists = co_await create_multimap<std::uint32_t, std::string>();
  all.pairs = co_await create_set<std::pair<int, std::string>>();
  all.counts = co_await create_counting_set<std::string>();
  all.numbers = co_await create_bag<double>();
  all.parts = co_await create_disjoint_sets<std::uint32_t>();
  co_return all;
}
task<void> end_all(all_kinds all) {
  co_await all.entries.end();
  co_await all.lists.end();
  co_await all.pairs.end();
  co_await all.counts.end();
  co_await all.numbers.end();
  co_await all.parts.end();
}

// What is past need not have run when it is saved.
task<void> fill(all_kinds all) {
  for (auto n = dice() % 60; n > 0; --n) {
    const std::string text(dice() % 30, static_cast<char>('a' + dice() % 26));
    entry made{text + '!', std::vector<long>(dice() % 5, static_cast<long>(dice() % 9))};
    co_await all.entries.past().insert(text, made);
    co_await all.lists.past().insert(static_cast<std::uint32_t>(dice() % 9), text);
    co_await all.pairs.past().insert(std::pair(static_cast<int>(dice() % 5), text));
    co_await all.parts.unite(static_cast<std::uint32_t>(dice() % 200), static_cast<std::uint32_t>(dice() % 200));
    co_await all.counts.insert(text.substr(0, 2));
    all.numbers.insert(static_cast<double>(dice() % 1000) / 8);
  }
}

// What all PEs have, each element as a text; on PE 0.
task<std::vector<std::string>> contents(all_kinds all) {
  co_await all.parts.compress();
  std::vector<std::string> mine;
  for (const auto& [one, first] : all.parts.here()) {
    mine.push_back(std::to_string(one) + " is of the set of " + std::to_string(first));
  }
  for (const auto& [key, value] : all.entries.here()) {
    mine.push_back("entry " + key + ' ' + value.text);
    for (const long n : value.numbers) mine.back() += ' ' + std::to_string(n);
  }
  for (const auto& [key, values] : all.lists.here()) {
    mine.push_back("list " + std::to_string(key));
    for (const std::string& value : values) mine.back() += ' ' + value;
  }
  for (const auto& [n, text] : all.pairs.here()) mine.push_back("pair " + std::to_string(n) + ' ' + text);
  for (const auto& [key, n] : all.counts.here()) mine.push_back("count " + key + ' ' + std::to_string(n));
  mine.push_back("all " + std::to_string(co_await all.counts.total()) + ' ' +
                 std::to_string(co_await all.lists.size()));
  std::vector<std::string> found = co_await gather_concatenated(std::move(mine), 0);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());  // each PE has put its "all"
  for (const double n : co_await all.numbers.gather()) found.push_back("number " + std::to_string(n));
  co_return found;
}

std::string where_saved;
std::vector<std::string> expected;
std::vector<std::size_t> sizes_of_bag;

task<void> save_filled(pe_id me) {
  all_kinds all = co_await create_all();
  co_await fill(all);
  co_await checkpoint(where_saved, all.entries, all.lists, all.pairs, all.counts, all.numbers, all.parts);
  auto now = co_await contents(all);
  if (me == 0) expected = std::move(now);
  auto sizes = co_await gather(all.numbers.size_here());
  if (me == 0) sizes_of_bag = std::move(sizes);
  co_await end_all(all);
}
task<void> load_and_compare(pe_id me) {
  all_kinds all = co_await create_all();
  co_await restore(where_saved, all.entries, all.lists, all.pairs, all.counts, all.numbers, all.parts);
  EXPECT_TRUE(std::ranges::all_of(all.entries.here(), [&](const auto& e) { return all.entries.home(e.first) == me; }));
  const auto now = co_await contents(all);
  if (me == 0) {
    EXPECT_EQ(now, expected);
  }
  const auto sizes = co_await gather(all.numbers.size_here());
  if (me == 0 && sizes.size() == sizes_of_bag.size()) {
    EXPECT_EQ(sizes, sizes_of_bag);
  } else if (me == 0) {
    EXPECT_LE(std::ranges::max(sizes) - std::ranges::min(sizes), 1U);
  }
  co_await end_all(all);
}
TEST(Save, IsBroughtBackByAnyNumberOfPes) {
  const folder_for_states in;
  where_saved = in.name("new/state");
  std::uint64_t seed = 0;
  for (const pe_id saved_by : {1, 2, 3, 5, 70}) {
    run_all(saved_by, ++seed, save_filled);
    for (const pe_id loaded_by : {1, 2, 3, 5, 70}) run_all(loaded_by, ++seed, load_and_compare);
  }
  // The last one of all that were saved there is left.
  EXPECT_EQ(std::distance(fs::directory_iterator(where_saved), fs::directory_iterator()), 2);
}

// ---- single ones, of which the damage is told

std::string said;

task<void> save_one(pe_id me) {
  auto m = co_await create_map<long, std::string>();
  for (long i = 0; i < 20; ++i) co_await m.past().insert(100 * me + i, std::string(static_cast<std::size_t>(i), 'x'));
  said.clear();
  std::string error;
  try {
    co_await m.save(where_saved);
  } catch (const data_file_error& wrong) {
    error = wrong.what();
  }
  const std::vector<std::string> of_all = co_await all_gather(std::move(error));
  EXPECT_EQ(std::ranges::count(of_all, of_all[0]), pe_count()) << "every PE is told the same";
  said = of_all[0];
  co_await m.end();
}

template <class C>
task<void> try_to_load(C into, std::size_t expected_size) {
  std::string error;
  try {
    co_await into.load(where_saved);
  } catch (const data_file_error& wrong) {
    error = wrong.what();
  }
  const std::vector<std::string> of_all = co_await all_gather(std::move(error));
  EXPECT_EQ(std::ranges::count(of_all, of_all[0]), pe_count()) << "every PE is told the same";
  said = of_all[0];
  EXPECT_EQ(co_await into.size(), said.empty() ? expected_size : 0) << said;
  co_await into.end();
}
task<void> load_one(pe_id) {
  auto m = co_await create_map<long, std::string>();
  co_await try_to_load(m, 60);
}
task<void> load_as_numbers(pe_id) {
  auto m = co_await create_map<long, double>();
  co_await try_to_load(m, 0);
}
task<void> load_as_set(pe_id) {
  auto s = co_await create_set<long>();
  co_await try_to_load(s, 0);
}
task<void> load_two(pe_id) {
  auto m = co_await create_map<long, std::string>();
  auto s = co_await create_set<long>();
  std::string error;
  try {
    co_await restore(where_saved, m, s);
  } catch (const data_file_error& wrong) {
    error = wrong.what();
  }
  said = error;
  EXPECT_EQ(co_await m.size(), 0U);
}
task<void> load_onto_others(pe_id me) {
  auto m = co_await create_map<long, std::string>();
  if (me == 0) co_await m.now().insert(7, "seven");
  std::string error;
  try {
    co_await m.load(where_saved);
  } catch (const data_file_error& wrong) {
    error = wrong.what();
  }
  said = error;
  EXPECT_EQ(co_await m.size(), 1U);
}

// What loading says on one, two and five PEs.
void expect_said(const std::string& text, task<void> (*load)(pe_id) = load_one) {
  for (const pe_id pes : {1, 2, 5}) {
    run_all(pes, 1, load);
    EXPECT_EQ(said, text);
  }
}

TEST(Save, TellsWhatIsWrongWithItsFiles) {
  const folder_for_states in;
  where_saved = in.name("state");
  const std::string list = where_saved + "/list", part = where_saved + "/parts.1/0.2";
  expect_said(list + ": No such file or directory");
  run_all(3, 1, save_one);
  EXPECT_EQ(said, "");
  expect_said("");
  expect_said(list + ": container 1 is a map of i64 to text, and is to be brought back as a map of i64 to f64",
              load_as_numbers);
  expect_said(list + ": container 1 is a map of i64 to text, and is to be brought back as a set of i64", load_as_set);
  expect_said(list + ": tells of 1 containers, and 2 are to be brought back", load_two);
  run_all(2, 1, load_onto_others);
  EXPECT_TRUE(said.starts_with(where_saved + ": a map of i64 to text has elements on PE ")) << said;

  const std::string bytes = bytes_of(part), n = std::to_string(bytes.size());
  write_bytes(part, bytes + "x");
  expect_said(part + ": has " + std::to_string(bytes.size() + 1) + " bytes, and " + list + " tells of " + n);
  fs::remove(part);
  expect_said(part + ": No such file or directory");
  fs::create_directory(part);
  expect_said(part + ": is no regular file");
  fs::remove(part);
  std::string other = bytes;
  other.back() ^= 1;
  write_bytes(part, other);
  expect_said(part + ": its bytes are not those that were saved: their checksum differs from what " + list + " tells");
  write_bytes(part, bytes);
  expect_said("");
}

TEST(Save, TellsAnyDamage) {
  const folder_for_states in;
  where_saved = in.name("state");
  run_all(3, 1, save_one);
  std::vector<std::string> files{where_saved + "/list"};
  for (int pe = 0; pe < 3; ++pe) files.push_back(where_saved + "/parts.1/0." + std::to_string(pe));
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000 && !HasFailure(); ++i) {
    const std::string& file = files[random() % 4];
    const std::string whole = bytes_of(file);
    std::string bytes = whole;
    const std::size_t at = random() % bytes.size();
    if (i % 3 == 0) {
      bytes.resize(at);
    } else if (i % 3 == 1) {
      bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1 + random() % 255));
    } else {
      bytes.insert(at, 1 + random() % 9, static_cast<char>(random()));
    }
    write_bytes(file, bytes);
    run_all(1 + static_cast<pe_id>(random() % 4), 1, load_one);
    EXPECT_TRUE(said.starts_with(file)) << said << " after damage " << i << " at byte " << at << " of " << file;
    write_bytes(file, whole);
  }
  run_all(2, 1, load_one);
  EXPECT_EQ(said, "");
}

TEST(Save, LeavesWhatWasSavedBeforeWhereItFails) {
  const folder_for_states in;
  where_saved = in.name("state");
  run_all(3, 1, save_one);

  // A disk that is full when the list is written.
  fs::create_symlink("/dev/full", where_saved + "/list.new");
  run_all(2, 1, save_one);
  EXPECT_EQ(said, where_saved + "/list.new: No space left on device");
  expect_said("");
  // One that is full when the parts are.
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{100, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  run_all(3, 1, save_one);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(said, where_saved + "/parts.2.new/0.0: File too large");
  expect_said("");
  EXPECT_EQ(std::distance(fs::directory_iterator(where_saved), fs::directory_iterator()), 2);

  // A folder of somebody else's.
  write_bytes(where_saved + "/letter.txt", "Dear Ann");
  run_all(2, 1, save_one);
  EXPECT_EQ(said,
            where_saved + ": has \"letter.txt\", which is no part of a saved state: save into a folder of its own");
  fs::remove(where_saved + "/letter.txt");
  // What is left of a save that was killed goes with the next one.
  fs::create_directory(where_saved + "/parts.9");
  write_bytes(where_saved + "/parts.9/0.0", "half");
  expect_said("");
  run_all(3, 1, save_one);
  EXPECT_EQ(said, "");
  EXPECT_TRUE(fs::exists(where_saved + "/parts.10"));
  EXPECT_EQ(std::distance(fs::directory_iterator(where_saved), fs::directory_iterator()), 2);
  expect_said("");
}

}  // namespace
}  // namespace tsubu::containers_test
