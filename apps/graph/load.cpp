#include "apps/graph/load.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

namespace graph {

using namespace tsubu;

static pe_local<std::vector<entry>> entries_in;

void take_entry(vertex row, vertex column, double value) { entries_in->push_back({row, column, value}); }

namespace {

constexpr std::uint64_t no_place = ~std::uint64_t{0};

struct outcome {
  std::string trouble;
  vertex rows = 0;
  vertex columns = 0;
};

file_rules with_rows_of(const input& from, file_rules rules) {
  if (from.rows_given) rules.vertices = from.rows;
  return rules;
}

// PE 0 only.
task<outcome> read_and_send(std::string file, file_rules rules, program::progress* shown) {
  outcome result;
  try {
    constexpr int burst = 1000;
    const cyclic share = own_share();
    std::ifstream stream = text::open_file(file);
    const std::int64_t size = text::size_of(stream);
    matrix_file in(stream, file, rules);
    for (std::int64_t read = 1; const auto found = in.next(); ++read) {
      at(share.owner(found->row)).past<take_entry>(found->row, found->column, found->value);
      if (read % burst == 0) {
        shown->at("reading byte", stream.tellg(), size);
        co_await room_everywhere();
      }
    }
    result.rows = in.rows();
    result.columns = in.columns();
  } catch (const text::file_error& error) {
    result.trouble = error.what();
  }
  co_return result;
}

// The first place of this PE where what the file repeats adds up to more than a double holds; else no_place.
std::uint64_t first_overflow(const sparse_rows& of) {
  for (vertex local = 0; local < of.local_rows(); ++local) {
    for (std::uint64_t k = of.start[local]; k < of.start[local + 1]; ++k)
      if (!std::isfinite(of.value[k])) return (std::uint64_t{of.share.global(local)} << 32) | of.column[k];
  }
  return no_place;
}

}  // namespace

cyclic own_share() { return {static_cast<vertex>(this_pe()), static_cast<vertex>(pe_count())}; }

void input::add_options(program::command_line& to, const std::string& rows_option) {
  const auto take_rows = [this](vertex given) {
    rows = given;
    rows_given = true;
  };
  to.add_option_function(rows_option, take_rows,
                         fmt::format("of a random matrix, default {}; with --file: which it must have", rows))
      .range(std::int64_t{1}, std::int64_t{most_rows})
      .type_name("N");
  to.add_option("--degree", degree, fmt::format("entries in each row of it, on average; default {}", degree))
      .range(0.0, static_cast<double>(most_rows))
      .type_name("D");
  to.add_option("--seed", seed, "of its random numbers; default 1").type_name("S");
  to.add_option("--file", file, "a Matrix Market file, or an edge list (lines 'u v' or 'u v weight')")
      .excludes(to.named("--degree"))
      .type_name("FILE");
}

std::string input::name() const {
  return file.empty() ? fmt::format("random, {} rows, degree {}, seed {}", rows, degree, seed) : file;
}

task<loaded> load(input from, part within, file_rules rules, repeats at_one_place, program::progress* shown) {
  loaded result;
  if (from.file.empty()) {
    result.rows = random_rows(own_share(), from.rows, from.rows, from.degree, from.seed, within);
    co_return result;
  }
  outcome read;
  if (this_pe() == 0) read = co_await read_and_send(from.file, with_rows_of(from, rules), shown);
  result.trouble = co_await broadcast(std::move(read.trouble));
  const vertex rows = co_await broadcast(read.rows);
  const vertex columns = co_await broadcast(read.columns);
  co_await quiescence();
  std::vector<entry> entries = std::exchange(*entries_in, {});
  if (!result.trouble.empty()) co_return result;
  result.rows = assemble(own_share(), rows, columns, std::move(entries), at_one_place);
  const std::uint64_t place = co_await all_reduce(first_overflow(result.rows), reduce::min);
  if (place != no_place) {
    result.trouble = fmt::format("{}: expected a finite sum of the entries of row {} and column {} (counted from 0)",
                                 from.file, place >> 32, place & 0xffffffff);
  }
  co_return result;
}

sparse_rows whole(const input& from, part within, file_rules rules, repeats at_one_place) {
  if (from.file.empty()) return random_rows({}, from.rows, from.rows, from.degree, from.seed, within);
  std::ifstream stream = text::open_file(from.file);
  matrix_file in(stream, from.file, with_rows_of(from, rules));
  std::vector<entry> entries;
  while (const auto found = in.next()) entries.push_back(*found);
  return assemble({}, in.rows(), in.columns(), std::move(entries), at_one_place);
}

}  // namespace graph
