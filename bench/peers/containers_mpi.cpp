// What bench/ours/containers.cpp measures, packed by hand: each rank takes `batch` keys, packs them by their homes, and
// all ranks exchange them by MPI_Alltoallv. What stays at home is not sent. All have equally many keys.
//
// --batch 0: on one rank, each key is put into the table at once: the sequential program.
//
// --merge 1: for counting, each rank counts all its keys first, and then the tables are exchanged, as a careful
// programmer would do where keys repeat.
#include <tsl/robin_map.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "bench/container_workload.hpp"
#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"

namespace {

struct mixing_hash {
  using is_transparent = void;
  std::size_t operator()(std::uint64_t key) const { return bench::random_source(key).next(); }
  std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
};
template <class K>
using table = tsl::robin_map<K, std::uint64_t, mixing_hash, std::equal_to<>>;

// Bytes for each rank, exchanged.
class parcels {
 public:
  // There is room for so many bytes for each rank.
  parcels(const bench::mpi_job& job, std::size_t most)
      : most_(most),
        room_(most * static_cast<std::size_t>(job.ranks())),
        ends_(static_cast<std::size_t>(job.ranks())),
        me_(static_cast<std::size_t>(job.rank())) {
    clear();
  }

  std::size_t ranks() const { return ends_.size(); }
  // Where the next byte for that rank goes.
  char*& to(std::size_t rank) { return ends_[rank]; }

  // Collective. take(begin, end) gets what has come, of all ranks.
  template <class Take>
  void exchange(Take take) {
    std::vector<int> sizes, first, arriving(ranks()), from(ranks());
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      first.push_back(static_cast<int>(rank * most_));
      sizes.push_back(rank == me_ ? 0 : static_cast<int>(ends_[rank] - begin_of(rank)));
    }
    MPI_Alltoall(sizes.data(), 1, MPI_INT, arriving.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(arriving.begin(), arriving.end(), from.begin(), 0);
    arrived_.resize(static_cast<std::size_t>(from.back() + arriving.back()));
    MPI_Alltoallv(room_.data(), sizes.data(), first.data(), MPI_CHAR, arrived_.data(), arriving.data(), from.data(),
                  MPI_CHAR, MPI_COMM_WORLD);
    take(begin_of(me_), ends_[me_]);
    take(arrived_.data(), arrived_.data() + arrived_.size());
    clear();
  }

 private:
  char* begin_of(std::size_t rank) { return room_.data() + rank * most_; }
  void clear() {
    for (std::size_t rank = 0; rank < ranks(); ++rank) ends_[rank] = begin_of(rank);
  }

  std::size_t most_;
  std::vector<char> room_, arrived_;
  std::vector<char*> ends_;
  std::size_t me_;
};

template <class T>
void put(char*& to, const T& value) {
  std::memcpy(to, &value, sizeof value);
  to += sizeof value;
}
template <class T>
T get(const char*& from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  from += sizeof value;
  return value;
}

// A key takes at most 16 bytes.
constexpr std::size_t most_bytes = 16 + sizeof(std::uint64_t);
void put_key(char*& to, std::uint64_t key) { put(to, key); }
void put_key(char*& to, std::string_view key) {
  put(to, static_cast<std::uint8_t>(key.size()));
  std::memcpy(to, key.data(), key.size());
  to += key.size();
}
void get_key(const char*& from, std::uint64_t& key) { key = get<std::uint64_t>(from); }
void get_key(const char*& from, std::string_view& key) {
  const auto size = get<std::uint8_t>(from);
  key = {from, size};
  from += size;
}

template <class K>
using view_of = std::conditional_t<std::is_same_v<K, std::string>, std::string_view, K>;

template <class K>
void add(table<K>& to, view_of<K> key, std::uint64_t n) {
  const auto found = to.find(key);
  if (found != to.end()) {
    found.value() += n;
  } else {
    to.try_emplace(K(key), n);
  }
}

template <class K>
std::size_t home(const K& key, std::size_t ranks) {
  return static_cast<std::size_t>((mixing_hash()(key) >> 32) * ranks >> 32);
}

// What is done with an element at its home, and how many bytes go with its key.
enum class verb { insert, add, insert_key };

template <class K>
void apply(table<K>& held, view_of<K> key, std::uint64_t value, verb v) {
  if (v == verb::add) {
    add(held, key, value);
  } else {
    held.try_emplace(K(key), value);
  }
}

template <class K>
void run(parcels& p, table<K>& held, const std::vector<view_of<K>>& keys, std::size_t batch, verb v) {
  for (std::size_t done = 0; done < keys.size(); done += batch) {
    const std::size_t end = std::min(done + batch, keys.size());
    for (std::size_t i = done; i < end; ++i) {
      char*& to = p.to(home(keys[i], p.ranks()));
      put_key(to, keys[i]);
      if (v == verb::insert) put(to, std::uint64_t{1});
    }
    p.exchange([&](const char* from, const char* until) {
      while (from != until) {
        view_of<K> key;
        get_key(from, key);
        apply<K>(held, key, v == verb::insert ? get<std::uint64_t>(from) : 1, v);
      }
    });
  }
}

template <class K>
void run_merging(parcels& p, table<K>& held, const std::vector<view_of<K>>& keys) {
  table<K> mine;
  for (const view_of<K>& key : keys) add(mine, key, 1);
  for (const auto& [key, n] : mine) {
    char*& to = p.to(home(key, p.ranks()));
    put_key(to, key);
    put(to, n);
  }
  p.exchange([&](const char* from, const char* until) {
    while (from != until) {
      view_of<K> key;
      get_key(from, key);
      add(held, key, get<std::uint64_t>(from));
    }
  });
}

struct wanted {
  std::string what;
  std::size_t batch;
  bool merge;
};

// Seconds; and adds what the table holds.
template <class K>
double timed(const bench::mpi_job& job, const std::vector<view_of<K>>& keys, const wanted& w,
             bench::container_sums& sums) {
  table<K> held;
  parcels p(job, most_bytes * (w.merge ? keys.size() : w.batch));
  const verb v = w.what == "insert" ? verb::insert : w.what == "set" ? verb::insert_key : verb::add;
  const double seconds = bench::time_of([&] {
    if (w.batch == 0) {
      for (const view_of<K>& key : keys) apply<K>(held, key, 1, v);
    } else if (w.merge) {
      run_merging<K>(p, held, keys);
    } else {
      run<K>(p, held, keys, w.batch, v);
    }
  });
  sums = {held.size(), 0};
  for (const auto& [key, n] : held) sums.values += n;
  sums.keys = bench::sum_over_ranks(sums.keys);
  sums.values = bench::sum_over_ranks(sums.values);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t operations = 2'000'000, batch = 8192, repetitions = 3, merge = 0;
  std::string what = "insert";
  bench::parse_options(argc, argv, "containers by MPI_Alltoallv, packed by hand",
                       {{"--what", &what, "insert, visit, set, uniform or words"},
                        {"--operations", &operations, "of each rank"},
                        {"--batch", &batch, "keys of a rank per exchange; 0: one rank alone, and no exchange"},
                        {"--merge", &merge, "1: counts are merged before they are sent"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  const auto ranks = static_cast<std::size_t>(job.ranks());
  const std::vector<std::uint64_t> keys =
      bench::make_keys(what, static_cast<std::size_t>(operations), static_cast<std::size_t>(job.rank()), ranks);
  const std::vector<std::string> vocabulary = bench::make_vocabulary();
  std::vector<std::string_view> words;
  if (what == "words") {
    for (const std::uint64_t word : keys) words.push_back(vocabulary[word]);
  }

  const wanted w{what, static_cast<std::size_t>(batch), merge != 0};
  std::vector<double> seconds;
  bench::container_sums sums;
  bool verified = true;
  for (std::int64_t repetition = 0; repetition <= repetitions; ++repetition) {
    const double time =
        what == "words" ? timed<std::string>(job, words, w, sums) : timed<std::uint64_t>(job, keys, w, sums);
    verified = verified && (what == "set" || sums.values == keys.size() * ranks);
    if (repetition > 0) seconds.push_back(time);
  }
  if (job.rank() == 0) {
    const bench::summary times = bench::summarize(seconds);
    bench::result_line line("containers");
    line.add("what", what).add("peer", BENCH_MPI).add("pes", job.ranks()).add("operations", operations);
    line.add("batch", batch).add("merge", merge).add("keys", static_cast<std::int64_t>(sums.keys));
    line.add("verified", verified).add("seconds", times.median);
    line.add("operations_per_second_and_pe", static_cast<double>(operations) / times.median).add(times);
    line.print();
  }
  return verified ? 0 : 1;
}
