// The program of tests/saving/saving: saves one state after the other, or says which one was saved.
//
//   saved_states write FOLDER N     saves states from the one behind the folder's to that with number N; of each it
//                                   prints "saved K", when it is there
//   saved_states read FOLDER        prints "state K", if the folder has all of state K and nothing of another
#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

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

task<void> save(std::uint64_t number, std::string folder) {
  containers_of_state c = co_await create();
  const std::string text = std::to_string(number);
  for (const std::size_t key : part_of(keys)) {
    co_await c.values.past().insert(key, text);
    co_await c.words.insert(text);
  }
  c.numbers.insert(number);
  co_await checkpoint(folder, c.values, c.words, c.numbers);
  if (this_pe() == 0) {
    std::printf("saved %s\n", text.c_str());
    std::fflush(stdout);
  }
  co_await end(c);
}

// The number of the state that is whole.
task<std::uint64_t> load(std::string folder) {
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

task<int> program(arguments args) {
  const std::string what = args[1], folder = args[2];
  // PE 0 looks, since another would already see what is saved behind.
  const bool is_there = co_await broadcast(this_pe() == 0 && std::filesystem::exists(folder + "/list"));
  if (what == "read") {
    const std::uint64_t number = co_await load(folder);
    if (this_pe() == 0) std::printf("state %llu\n", static_cast<unsigned long long>(number));
    co_return 0;
  }
  std::uint64_t number = 0;
  if (is_there) number = co_await load(folder);
  const std::uint64_t last = std::strtoull(args[3].c_str(), nullptr, 10);
  while (number < last) co_await save(++number, folder);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
