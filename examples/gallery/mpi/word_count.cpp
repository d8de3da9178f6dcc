// Counts the words of a text in which few words are frequent and many are rare, and prints the five most frequent ones.
//
// The text is dealt out to the ranks, and each word has a home, which its hash names. The words for each home are
// packed one behind the other, exchanged, and counted. Then each rank names its own five most frequent words, and rank
// 0 chooses among these.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "examples/gallery/problem/word_count.hpp"

std::vector<int> starts(const std::vector<int>& sizes) {
  std::vector<int> at(sizes.size() + 1);
  for (std::size_t i = 0; i < sizes.size(); ++i) at[i + 1] = at[i] + sizes[i];
  return at;
}

// Sends the text for each rank; gives all that has come here.
std::string send_texts(const std::vector<std::string>& texts) {
  std::vector<int> out, in(texts.size());
  std::string sent;
  for (const std::string& text : texts) {
    out.push_back(static_cast<int>(text.size()));
    sent += text;
  }
  MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const std::vector<int> out_at = starts(out), in_at = starts(in);
  std::string received(static_cast<std::size_t>(in_at.back()), ' ');
  MPI_Alltoallv(sent.data(), out.data(), out_at.data(), MPI_CHAR, received.data(), in.data(), in_at.data(), MPI_CHAR,
                MPI_COMM_WORLD);
  return received;
}

// What all ranks have found, on rank 0.
std::vector<entry> gather_entries(const std::vector<entry>& mine, int rank, std::size_t ranks) {
  std::string text;
  for (const auto& [word, n] : mine) text += word + ' ' + std::to_string(n) + ' ';
  const int size = static_cast<int>(text.size());
  std::vector<int> sizes(ranks);
  MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  const std::vector<int> at = starts(sizes);
  std::string texts(static_cast<std::size_t>(at.back()), ' ');
  MPI_Gatherv(text.data(), size, MPI_CHAR, texts.data(), sizes.data(), at.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<entry> all;
  if (rank != 0) return all;
  for (std::size_t i = 0; i < texts.size();) {
    const std::size_t word_end = texts.find(' ', i), end = texts.find(' ', word_end + 1);
    all.emplace_back(texts.substr(i, word_end - i), std::stol(texts.substr(word_end + 1, end - word_end - 1)));
    i = end + 1;
  }
  return all;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::uint64_t length = argc > 1 ? std::stoull(argv[1]) : 500'000;
  const auto me = static_cast<std::uint64_t>(rank), ranks = static_cast<std::uint64_t>(size);

  std::vector<std::string> texts(ranks);
  for (std::uint64_t i = me; i < length; i += ranks) {
    const std::string word = spell(word_at(i));
    texts[std::hash<std::string>()(word) % ranks] += word + ' ';
  }
  const std::string text = send_texts(texts);
  std::unordered_map<std::string, long> counts;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = text.find(' ', i);
    ++counts[text.substr(i, end - i)];
    i = end + 1;
  }

  std::vector<entry> found = gather_entries(five_most_frequent({counts.begin(), counts.end()}), rank, ranks);
  int code = 0;
  if (rank == 0) {
    found = five_most_frequent(found);
    for (const auto& [word, n] : found) std::printf("%6ld times %s\n", n, word.c_str());
    if (found != counted_serially(length)) {
      std::printf("This is not what counting on one rank says.\n");
      code = 1;
    }
  }
  MPI_Finalize();
  return code;
}
