// Accesses to shared data that our benchmarks and their peers make, so that both sides do exactly the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/workload.hpp"

namespace bench {

// One access to a table that is mostly read.
struct table_access {
  std::uint32_t element : 31;
  std::uint32_t writes : 1;
};

// A PE accesses random elements of the whole table; one access of a hundred, at random, is a write.
inline std::vector<table_access> make_table_accesses(std::size_t count, std::uint32_t pe, std::uint32_t elements) {
  random_source random(random_source(pe + 1).next());
  std::vector<table_access> accesses(count);
  for (table_access& a : accesses) {
    const std::uint64_t r = random.next();
    a.element = static_cast<std::uint32_t>(((r & 0xffffffff) * elements) >> 32) & 0x7fffffff;
    a.writes = (r >> 32) % 100 == 0;
  }
  return accesses;
}

// What is written: whose element it is can be told from every value.
constexpr std::int64_t table_value(std::uint32_t element, std::uint32_t elements, std::int64_t version) {
  return version * elements + element;
}
constexpr bool is_value_of(std::uint32_t element, std::uint32_t elements, std::int64_t value) {
  return value % elements == element;
}

// The sum of what fetch-and-add has returned, if each counter was counted up once for each access: whichever PE came
// when, counter c has returned 0, 1, .., n - 1.
inline std::uint64_t sum_of_fetched(const std::vector<std::uint64_t>& accesses_of_counter) {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : accesses_of_counter) sum += n == 0 ? 0 : n * (n - 1) / 2;
  return sum;
}

// Element i of a row that `pe` writes in step `step`.
constexpr double row_value(std::int64_t pe, std::int64_t step, std::size_t i) {
  return static_cast<double>(pe * 1'000'000 + step) + static_cast<double>(i) / 4096;
}
inline bool is_row_of(const double* row, std::size_t length, std::int64_t pe, std::int64_t step) {
  for (const std::size_t i : {std::size_t{0}, length / 2, length - 1}) {
    if (row[i] != row_value(pe, step, i)) return false;
  }
  return true;
}

}  // namespace bench
