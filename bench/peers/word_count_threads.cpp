// The words of a file counted by threads, as one would write it by hand: each reads its part of the bytes, from the
// first line that begins there on, in blocks, and counts in a table of its own; then each adds up those words of all
// tables that a hash gives it, and the hundred most frequent of each are put together.
#include <tsl/robin_map.h>

#include <algorithm>
#include <barrier>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "bench/report.hpp"
#include "bench/words_file.hpp"

namespace {

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using table = tsl::robin_map<std::string, std::int64_t, text_hash, std::equal_to<>,
                             std::allocator<std::pair<std::string, std::int64_t>>, true>;
using count_of_word = std::pair<std::string, std::int64_t>;

void count_words(std::string_view text, table& counts) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ' ' && text[i] != '\n') continue;
    const std::string_view word = text.substr(begin, i - begin);
    begin = i + 1;
    if (word.empty()) continue;
    const auto found = counts.find(word);
    if (found != counts.end()) {
      ++found.value();
    } else {
      counts.try_emplace(std::string(word), 1);
    }
  }
}

// The lines that begin at bytes begin <= i < end.
void count_part(const std::string& name, std::uintmax_t begin, std::uintmax_t end, table& counts) {
  std::FILE* const file = std::fopen(name.c_str(), "rb");
  if (file == nullptr) std::abort();
  std::string block;
  constexpr std::size_t block_bytes = std::size_t{1} << 18;
  std::uintmax_t at = begin == 0 ? 0 : begin - 1;
  std::fseek(file, static_cast<long>(at), SEEK_SET);
  bool skips = begin != 0;
  for (std::size_t kept = 0; at < end || skips;) {
    block.resize(kept + block_bytes);
    const std::size_t got = std::fread(block.data() + kept, 1, block_bytes, file);
    block.resize(kept + got);
    if (got == 0) {
      count_words(block + '\n', counts);
      break;
    }
    std::size_t first = 0;
    if (skips) {
      first = block.find('\n') + 1;
      skips = false;
    }
    // Up to the last line end, or to that of the last line that begins before the part's end.
    std::size_t last = block.rfind('\n') + 1;
    if (at + last >= end && end > at)
      last = std::min(last, block.find('\n', static_cast<std::size_t>(end - at) - 1) + 1);
    if (last < first) last = first;
    count_words(std::string_view(block).substr(first, last - first), counts);
    at += last;
    block.erase(0, last);
    kept = block.size();
  }
  std::fclose(file);
}

bool more_frequent(const count_of_word& a, const count_of_word& b) {
  return a.second != b.second ? a.second > b.second : a.first < b.first;
}

struct outcome {
  double seconds = 0;
  std::int64_t words = 0, most = 0;
};

outcome count(const std::string& name, std::size_t threads) {
  const auto start = std::chrono::steady_clock::now();
  const std::uintmax_t bytes = std::filesystem::file_size(name);
  std::vector<table> counts(threads);
  std::vector<std::vector<count_of_word>> top(threads);
  std::vector<std::int64_t> words(threads);
  std::barrier<> all_counted(static_cast<std::ptrdiff_t>(threads));
  const auto work = [&](std::size_t me) {
    count_part(name, bytes * me / threads, bytes * (me + 1) / threads, counts[me]);
    all_counted.arrive_and_wait();
    table mine;
    for (const table& of_one : counts) {
      for (const auto& [word, n] : of_one) {
        if (text_hash()(word) % threads == me) mine[word] += n;
      }
    }
    for (const auto& [word, n] : mine) {
      top[me].emplace_back(word, n);
      words[me] += n;
    }
    const auto middle = top[me].begin() + std::min<std::ptrdiff_t>(100, std::ssize(top[me]));
    std::partial_sort(top[me].begin(), middle, top[me].end(), more_frequent);
    top[me].erase(middle, top[me].end());
  };
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 1; i < threads; ++i) running.emplace_back(work, i);
    work(0);
  }
  for (std::size_t i = 1; i < threads; ++i) top[0].insert(top[0].end(), top[i].begin(), top[i].end());
  std::sort(top[0].begin(), top[0].end(), more_frequent);
  outcome o;
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const std::int64_t n : words) o.words += n;
  o.most = top[0].empty() ? 0 : top[0].front().second;
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t bytes = 200'000'000, threads = 2, repetitions = 3;
  bench::parse_options(argc, argv, "counting the words of a file by threads",
                       {{"--bytes", &bytes, "of the file"},
                        {"--threads", &threads, "that count"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  const std::string name = bench::words_file(static_cast<std::uintmax_t>(bytes));
  std::vector<double> seconds;
  outcome o;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    o = count(name, static_cast<std::size_t>(threads));
    if (r > 0) seconds.push_back(o.seconds);
  }
  bench::result_line line("word_count");
  line.add("peer", "threads").add("threads", threads).add("bytes", bytes);
  line.add("words", o.words).add("most", o.most).add("seconds", bench::summarize(seconds).median);
  line.print();
  return 0;
}
