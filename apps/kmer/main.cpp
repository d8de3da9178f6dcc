// Counts the k-mers of sequencing reads: each one is a message to the PE that owns it by its hash.
//
// Source: the counting scheme of Georganas et al., Parallel de Bruijn graph construction, SC 2014, without its filters.
#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <memory>

#include "apps/kmer/count_table.hpp"
#include "apps/kmer/fastq.hpp"
#include "apps/kmer/kmer.hpp"
#include "apps/kmer/serial.hpp"
#include "apps/kmer/synthetic.hpp"
#include "apps/kmer/tally.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

struct options {
  int k = 21;
  std::string file;
  std::string write;
  kmer::genome generated{.reads = 100'000, .read_length = 100, .seed = 1};
  bool verify = false;
  bool json = false;
};

pe_local<kmer::count_table> counts;

void count(kmer::code kmer) { counts->add(kmer); }

pe_id owner(kmer::code kmer) {
  return static_cast<pe_id>(((program::mixed(kmer) >> 32) * static_cast<std::uint64_t>(pe_count())) >> 32);
}

// Each PE reads the reads that begin in its stretch of the file, or its share of those generated. Local.
std::unique_ptr<kmer::reads> open_part(const options& asked) {
  const std::int64_t size = asked.file.empty() ? asked.generated.reads : kmer::fastq_size(asked.file);
  const auto cut = [size](pe_id pe) {
    return static_cast<std::int64_t>(static_cast<__int128>(size) * pe / pe_count());
  };
  const std::int64_t begin = cut(this_pe()), end = cut(this_pe() + 1);
  if (asked.file.empty()) return std::make_unique<kmer::synthetic>(asked.generated, begin, end);
  return std::make_unique<kmer::fastq>(asked.file, begin, end);
}

// Returns whether there may be more. Throws input_error.
bool send_some(kmer::kmer_stream& kmers, kmer::checksum& sent) {
  constexpr int block = 1024;  // sends between two looks at the network
  for (int i = 0; i < block; ++i) {
    const std::optional<kmer::code> kmer = kmers.next();
    if (!kmer) return false;
    sent.add(*kmer);
    at(owner(*kmer)).past<count>(*kmer);
  }
  return true;
}

// Sends this PE's part. Returns what is wrong with the input, or nothing. Collective.
task<std::string> send_part(kmer::reads& part, int k, kmer::checksum& sent) {
  program::progress shown("kmer");
  kmer::kmer_stream kmers(part, k);
  std::string wrong;
  for (bool more = true; more;) {
    try {
      more = send_some(kmers, sent);
    } catch (const kmer::input_error& error) {
      wrong = error.what();
      more = false;
    }
    co_await room_everywhere();
    shown.at(part.unit(), part.position() - part.first(), part.end() - part.first());
  }
  co_await quiescence();
  co_return wrong;
}

// The first trouble in the order of the input, or nothing: what a PE has found in its part, or a part that does not
// begin where the one before has ended. Collective; the same on every PE.
task<std::string> first_trouble(std::string wrong, std::int64_t first, std::int64_t position, std::string input) {
  const std::vector<std::string> wrong_in = co_await all_gather(wrong);
  const std::vector<std::int64_t> first_of = co_await all_gather(first);
  const std::vector<std::int64_t> end_of = co_await all_gather(position);
  for (std::size_t pe = 0; pe < wrong_in.size(); ++pe) {
    if (!wrong_in[pe].empty()) co_return wrong_in[pe];
    if (pe + 1 < wrong_in.size() && first_of[pe + 1] != end_of[pe])
      co_return fmt::format("{}: record at byte {}: expected a FASTQ record of four lines", input, end_of[pe]);
  }
  co_return std::string();
}

// The digest that the counts should have, by a count on one PE alone. Local.
std::uint64_t serial_digest(const options& asked) {
  kmer::serial_counter counter(asked.k);
  if (asked.file.empty()) {
    for (std::int64_t read = 0; read < asked.generated.reads; ++read) counter.add_read(asked.generated.read(read));
  } else {
    std::ifstream in(asked.file, std::ios::binary);
    counter.add_fastq(in);
  }
  std::uint64_t digest = 0;
  for (const auto& [text, times] : counter.counts()) {
    kmer::code code = 0;
    for (const char letter : text) code = code * 4 + kmer::letters.find(letter);
    digest += kmer::digest_of(code, times);
  }
  return digest;
}

// Was what was sent counted, and if that was asked for, are the counts right? Collective; the same on every PE.
task<bool> verify(options asked, kmer::checksum sent, kmer::checksum counted, std::uint64_t digest) {
  const std::uint64_t total = co_await all_reduce(sent.total, reduce::plus);
  const std::uint64_t codes = co_await all_reduce(sent.codes, reduce::plus);
  bool right = total == counted.total && codes == counted.codes;
  if (asked.verify) {
    if (this_pe() == 0) right = right && serial_digest(asked) == digest;
    right = co_await broadcast(right);
  }
  co_return right;
}

void print(const options& asked, const kmer::tally& all, bool verified, double seconds) {
  const std::string most = all.most == 0 ? "" : kmer::text_of(all.most_frequent, asked.k);
  const double rate = static_cast<double>(all.counted.total) / seconds / pe_count();
  program::result result;
  result.program = "kmer";
  result.input_key = asked.file.empty() ? "generated" : "file";
  result.input = asked.file.empty() ? std::to_string(asked.generated.reads) : asked.file;
  result.verified = verified;
  result.seconds = seconds;
  result.about = asked.file.empty()
                     ? fmt::format("kmer: k = {}, {} generated reads of {} bases, seed {}", asked.k,
                                   asked.generated.reads, asked.generated.read_length, asked.generated.seed)
                     : fmt::format("kmer: k = {}, {}", asked.k, asked.file);
  result.details.emplace_back("k-mers", fmt::format("{}, {} of them distinct", all.counted.total, all.distinct));
  result.details.emplace_back("most", fmt::format("{} times {}", all.most, most));
  constexpr std::size_t shown = 10;
  for (std::size_t i = 0; i < all.multiplicities.size() && i < shown; ++i)
    result.details.emplace_back(fmt::format("count {}", i + 1), std::to_string(all.multiplicities[i]));
  if (all.multiplicities.size() > shown) result.details.emplace_back("...", "all of them with --json");
  result.details.emplace_back("rate", fmt::format("{:.2f} million k-mers/s by each PE", rate * 1e-6));
  result.fields = {{"k", std::to_string(asked.k)},
                   {"total", std::to_string(all.counted.total)},
                   {"distinct", std::to_string(all.distinct)},
                   {"most_frequent", '"' + most + '"'},
                   {"most", std::to_string(all.most)},
                   {"digest", fmt::format("\"{:016x}\"", all.digest)},
                   {"multiplicities", fmt::format("[{}]", fmt::join(all.multiplicities, ","))},
                   {"kmers_per_second_and_pe", fmt::format("{:.6g}", rate)}};
  program::print(result, asked.json);
}

// Collective. Returns the exit code.
task<int> count_all(options asked) {
  std::string wrong;
  std::unique_ptr<kmer::reads> part;
  try {
    part = open_part(asked);
  } catch (const kmer::input_error& error) {
    wrong = error.what();
  }
  if (const std::string trouble = co_await first_trouble(wrong, 0, 0, asked.file); !trouble.empty())
    co_return program::complain("kmer", trouble);

  co_await barrier();
  program::stopwatch watch;
  kmer::checksum sent;
  wrong = co_await send_part(*part, asked.k, sent);
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  if (const std::string trouble = co_await first_trouble(wrong, part->first(), part->position(), asked.file);
      !trouble.empty())
    co_return program::complain("kmer", trouble);
  const kmer::tally all = co_await kmer::tally_all(*counts);
  const bool verified = co_await verify(asked, sent, all.counted, all.digest);
  print(asked, all, verified, seconds);
  co_return verified ? 0 : program::wrong_answer;
}

// PE 0 does it alone. Returns the exit code.
int write_reads(const options& asked) {
  if (this_pe() != 0) return 0;
  try {
    kmer::write_fastq(asked.generated, asked.write);
  } catch (const kmer::input_error& error) {
    return program::complain("kmer", error.what());
  }
  if (!asked.json) write_output(fmt::format("kmer: {} reads in {}\n", asked.generated.reads, asked.write));
  return 0;
}

// Runs on every PE.
task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app("Counts the k-mers of a FASTQ file, or of generated reads", "kmer");
  app.add_option("--k", asked.k, "bases of a k-mer, 1 to 32; default 21").range(1, kmer::longest).type_name("K");
  const auto file = app.add_option("--file", asked.file, "read this FASTQ file").type_name("FILE");
  const auto generate = app.add_option("--generate", asked.generated.reads, "make that many reads; default 100000");
  generate.range(std::int64_t{1}, std::int64_t{1} << 32).type_name("READS").excludes(file);
  app.add_option("--read-length", asked.generated.read_length, "bases of a generated read; default 100")
      .range(std::int64_t{1}, std::int64_t{1} << 20)
      .type_name("N")
      .excludes(file);
  app.add_option("--seed", asked.generated.seed, "of the generated reads; default 1").type_name("N").excludes(file);
  const auto write = app.add_option("--write", asked.write, "write the generated reads to this FASTQ file, and end");
  write.type_name("FILE").needs(generate);
  app.add_flag("--verify", asked.verify, "count on one PE, too, and compare: for small inputs").excludes(write);
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  if (!asked.write.empty()) co_return write_reads(asked);
  co_return co_await count_all(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_run); }
