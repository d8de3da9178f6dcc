// The program of tests/saving/saving: saves one state after the other, or says which one was saved.
//
//   saved_states write KIND NAME N     saves states from the one behind that which is there to that with number N; of
//                                      each it prints "saved K", when it is there
//   saved_states read KIND NAME        prints "state K", if all of state K is there and nothing of another
//
// KIND is "checkpoint", "csv", "records" or "record_file"; all but the last one save into a folder of that name.
#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "written_files.hpp"

using namespace tsubu;

namespace {

constexpr std::size_t keys = 2'000;

// In state K each value is K, the word "K" came as often as there are keys, and the bag has K once for each PE.
struct containers_of_state {
  map<std::uint64_t, std::string> values;
  counting_set<std::string> words;
  bag<std::uint64_t> numbers;
};

task<containers_of_state> create() {
  containers_of_state made;
  made.values = co_await create_map<std::uint64_t, std::string>();
  made.words = co_await create_counting_set<std::string>();
  made.numbers = co_await create_bag<std::uint64_t>();
  co_return made;
}

task<void> end(containers_of_state c) {
  co_await c.values.end();
  co_await c.words.end();
  co_await c.numbers.end();
}

task<void> save_containers(std::uint64_t number, std::string folder) {
  containers_of_state c = co_await create();
  const std::string text = std::to_string(number);
  for (const std::size_t key : part_of(keys)) {
    co_await c.values.past().insert(key, text);
    co_await c.words.insert(text);
  }
  c.numbers.insert(number);
  co_await checkpoint(folder, c.values, c.words, c.numbers);
  co_await end(c);
}

// The number of the state that is whole.
task<std::uint64_t> load_containers(std::string folder) {
  containers_of_state c = co_await create();
  co_await restore(folder, c.values, c.words, c.numbers);
  const auto top = co_await c.words.top_k(1);
  bool right = co_await c.words.size() == 1 && co_await c.values.size() == keys && co_await c.numbers.size() > 0;
  right = right && top[0].second == static_cast<std::int64_t>(keys);
  const std::string text = right ? top[0].first : "";
  for (const auto& [key, value] : c.values.here()) right = right && value == text && c.values.home(key) == this_pe();
  for (const std::uint64_t number : c.numbers.here()) right = right && std::to_string(number) == text;
  if (!right) fail("what was brought back is of several states, or not whole");
  co_await end(c);
  co_return std::strtoull(text.c_str(), nullptr, 10);
}

written_by writer_of(const std::string& kind) {
  if (kind == "csv") return written_by::write_csv;
  if (kind == "records") return written_by::write_records;
  if (kind != "record_file") fail("there is no kind of states that is called " + kind);
  return written_by::write_record_file;
}

task<void> save(std::string kind, std::uint64_t number, std::string name) {
  if (kind == "checkpoint") {
    co_await save_containers(number, name);
  } else {
    co_await write_state_files(writer_of(kind), name, number);
  }
  if (this_pe() == 0) {
    std::printf("saved %llu\n", static_cast<unsigned long long>(number));
    std::fflush(stdout);
  }
}

task<std::uint64_t> load(std::string kind, std::string name) {
  if (kind == "checkpoint") co_return co_await load_containers(name);
  co_return co_await state_of_files(writer_of(kind), name);
}

task<int> program(arguments args) {
  const std::string what = args[1], kind = args[2], name = args[3];
  if (what == "read") {
    const std::uint64_t number = co_await load(kind, name);
    if (this_pe() == 0) std::printf("state %llu\n", static_cast<unsigned long long>(number));
    co_return 0;
  }
  // PE 0 looks, since another would already see what is saved behind.
  const std::string found = kind == "record_file" ? name : name + "/list";
  const bool is_there = co_await broadcast(this_pe() == 0 && std::filesystem::exists(found));
  std::uint64_t number = 0;
  if (is_there) number = co_await load(kind, name);
  const std::uint64_t last = std::strtoull(args[4].c_str(), nullptr, 10);
  while (number < last) co_await save(kind, ++number, name);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
