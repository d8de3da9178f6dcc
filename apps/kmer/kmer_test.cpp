// Each k-mer is taken once, in its canonical form, and none where a base is missing.
#include "apps/kmer/kmer.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "apps/kmer/count_table.hpp"
#include "apps/kmer/serial.hpp"
#include "apps/kmer/synthetic.hpp"

namespace {

class given final : public kmer::reads {
 public:
  explicit given(std::vector<std::string> all) : all_(std::move(all)) {}
  bool next(std::string& bases) override {
    if (at_ == all_.size()) return false;
    bases = all_[at_++];
    return true;
  }
  std::string_view unit() const override { return "read"; }
  std::int64_t first() const override { return 0; }
  std::int64_t position() const override { return static_cast<std::int64_t>(at_); }
  std::int64_t end() const override { return static_cast<std::int64_t>(all_.size()); }

 private:
  std::vector<std::string> all_;
  std::size_t at_ = 0;
};

std::vector<std::string> kmers_of(std::vector<std::string> reads, int k) {
  given source(std::move(reads));
  kmer::kmer_stream stream(source, k);
  std::vector<std::string> texts;
  while (const auto code = stream.next()) texts.push_back(kmer::text_of(*code, k));
  return texts;
}

using texts = std::vector<std::string>;

TEST(kmer_stream, gives_the_smaller_of_kmer_and_reverse_complement) {
  EXPECT_EQ(kmers_of({"ACGTT"}, 3), (texts{"ACG", "ACG", "AAC"}));  // CGT is ACG, GTT is AAC
  EXPECT_EQ(kmers_of({"tacg"}, 4), (texts{"CGTA"}));
}

TEST(kmer_stream, goes_over_no_missing_base_and_no_end_of_a_read) {
  EXPECT_EQ(kmers_of({"AANAAA", "A", "", "AA"}, 2), (texts{"AA", "AA", "AA", "AA"}));
  EXPECT_EQ(kmers_of({"ACG"}, 4), texts{});
}

TEST(kmer_stream, has_all_lengths) {
  const std::string t(32, 'T'), a(32, 'A');
  EXPECT_EQ(kmers_of({t}, 32), texts{a});
  EXPECT_EQ(kmers_of({"GT"}, 1), (texts{"C", "A"}));
}

TEST(kmer_stream, agrees_with_the_serial_count) {
  const kmer::genome of{.reads = 50, .read_length = 80, .seed = 3};
  for (const int k : {1, 2, 15, 31, 32}) {
    kmer::serial_counter serial(k);
    for (std::int64_t i = 0; i < of.reads; ++i) serial.add_read(of.read(i));
    kmer::synthetic source(of, 0, of.reads);
    kmer::kmer_stream stream(source, k);
    std::unordered_map<std::string, std::uint64_t> counts;
    while (const auto code = stream.next()) ++counts[kmer::text_of(*code, k)];
    EXPECT_EQ(counts, serial.counts()) << "k = " << k;
  }
}

TEST(count_table, counts_as_a_map) {
  constexpr std::uint64_t seed = 11;
  tsubu::random_source random(seed);
  kmer::count_table table;
  std::map<std::uint64_t, std::uint64_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t key = random.below(5000) * 0x100000001;  // 0 is one of them
    table.add(key);
    ++expected[key];
  }
  std::map<std::uint64_t, std::uint64_t> counted;
  table.for_each([&](const kmer::count_table::entry& e) { counted[e.key] = e.count; });
  EXPECT_EQ(counted, expected) << "seed " << seed;
  EXPECT_EQ(table.size(), expected.size());
}

}  // namespace
