#include "apps/npb/matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <tuple>
#include <vector>

namespace npb {
namespace {

using text::in_quotes;
using text::line_reader;

struct entry {
  std::int32_t row;
  std::int32_t column;
  double value;
  std::int64_t line;  // where it stands in the file; of its mirror image for what `symmetric` implies
};

std::string number(double value) {
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

std::string at(std::int64_t row, std::int64_t column) {
  std::string place(1, '(');
  return place.append(std::to_string(row + 1)).append(", ").append(std::to_string(column + 1)).append(")");
}

struct header_line {
  line_reader::values values;
  bool symmetric;  // the file stores one triangle only
};

header_line read_header(line_reader& in) {
  const std::string form = "'%%MatrixMarket matrix coordinate real|integer general|symmetric'";
  if (!in.next_line()) in.fail(form, "an empty file");
  in.expect({"%%matrixmarket"}, form);
  in.expect({"matrix"}, "the object 'matrix'");
  in.expect({"coordinate"}, "the format 'coordinate'");
  const bool whole = in.expect({"real", "integer"}, "values 'real' or 'integer'") == "integer";
  const bool symmetric = in.expect({"general", "symmetric"}, "the symmetry 'general' or 'symmetric'") == "symmetric";
  return {whole ? line_reader::values::integer : line_reader::values::real, symmetric};
}

struct size_line {
  std::int32_t n;
  std::int64_t stored;
  std::int64_t line;
};

size_line read_size(line_reader& in) {
  const std::string form = "a size line 'rows columns entries'";
  in.next_data_line(form);
  const auto rows = in.parse<std::int64_t>(form);
  const auto columns = in.parse<std::int64_t>(form);
  const auto stored = in.parse<std::int64_t>(form);
  in.end_of_line(form);
  if (rows < 1 || rows > std::numeric_limits<std::int32_t>::max())
    in.fail("1 to 2147483647 rows", std::to_string(rows));
  if (rows != columns)
    in.fail("a square matrix", std::to_string(rows) + " rows and " + std::to_string(columns) + " columns");
  // Fewer leave a hole in the diagonal; and a file of one line must not make us allocate for 2^31 rows. There may be
  // more than places, as entries may be repeated.
  if (stored < rows) in.fail(std::to_string(rows) + " entries at least", std::to_string(stored));
  return {static_cast<std::int32_t>(rows), stored, in.line_number()};
}

std::vector<entry> read_entries(line_reader& in, size_line size, header_line header) {
  std::vector<entry> entries;
  // The count is the file's word: reserve for what is plausible and let a liar's file end early.
  entries.reserve(static_cast<std::size_t>(std::min<std::int64_t>(size.stored, 1 << 20)));
  for (std::int64_t k = 0; k < size.stored; ++k) {
    in.next_data_line("entry " + std::to_string(k + 1) + " of " + std::to_string(size.stored));
    const auto index = [&](const char* what) {
      const auto i = in.parse<std::int64_t>(what);
      if (i < 1 || i > size.n) in.fail(what + (" from 1 to " + std::to_string(size.n)), std::to_string(i));
      return static_cast<std::int32_t>(i - 1);
    };
    const std::int32_t row = index("a row");
    const std::int32_t column = index("a column");
    const double value = in.value(header.values);
    in.end_of_line("'row column value'");
    if (header.symmetric && column > row)
      in.fail("the lower triangle only (symmetric)", at(row, column) + " above the diagonal");
    entries.push_back({row, column, value, in.line_number()});
    if (header.symmetric && row != column) entries.push_back({column, row, value, in.line_number()});
  }
  if (in.next_data_line_or_end("%"))
    in.fail("no more than " + std::to_string(size.stored) + " entries", in_quotes(in.line()));
  return entries;
}

// By place; what stands at the same place, by value, so that the sum is the same in whichever order the file has them:
// an entry and its mirror image may be repeated in different orders.
bool earlier(const entry& a, const entry& b) {
  return std::tie(a.row, a.column, a.value) < std::tie(b.row, b.column, b.value);
}

bool at_earlier_place(const entry& a, const entry& b) { return std::tie(a.row, a.column) < std::tie(b.row, b.column); }

// entries: sorted by `earlier`.
csr assemble(std::int32_t n, const std::vector<entry>& entries) {
  csr matrix;
  matrix.columns = n;
  auto next = entries.cbegin();
  for (std::int32_t row = 0; row < n; ++row) {
    for (; next != entries.cend() && next->row == row; ++next) {
      const bool repeated = static_cast<std::int64_t>(matrix.column.size()) > matrix.row_start.back() &&
                            matrix.column.back() == next->column;
      if (repeated) {
        matrix.value.back() += next->value;
      } else {
        matrix.column.push_back(next->column);
        matrix.value.push_back(next->value);
      }
    }
    matrix.row_start.push_back(static_cast<std::int64_t>(matrix.column.size()));
  }
  return matrix;
}

// The value at (row, column); 0 where nothing is stored.
double value_at(const csr& matrix, std::int64_t row, std::int64_t column) {
  const auto begin = matrix.column.begin() + matrix.row_start[static_cast<std::size_t>(row)];
  const auto end = matrix.column.begin() + matrix.row_start[static_cast<std::size_t>(row) + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? matrix.value[static_cast<std::size_t>(found - matrix.column.begin())] : 0;
}

// entries: sorted by `earlier`; they tell which line is to blame, the first that names the place.
void check_symmetric_positive(const csr& matrix, const std::vector<entry>& entries, size_line size,
                              const line_reader& in) {
  const auto line_of = [&](std::int32_t row, std::int32_t column) {
    const auto [begin, end] =
        std::equal_range(entries.begin(), entries.end(), entry{row, column, 0, 0}, at_earlier_place);
    const auto first = std::min_element(begin, end, [](const entry& a, const entry& b) { return a.line < b.line; });
    return first != end ? first->line : size.line;
  };
  for (std::int32_t row = 0; row < size.n; ++row) {
    const double diagonal = value_at(matrix, row, row);
    if (!(diagonal > 0)) in.fail_at(line_of(row, row), "a positive diagonal", number(diagonal) + " at " + at(row, row));
    for (std::int64_t k = matrix.row_start[static_cast<std::size_t>(row)];
         k < matrix.row_start[static_cast<std::size_t>(row) + 1]; ++k) {
      const std::int32_t column = matrix.column[static_cast<std::size_t>(k)];
      const double value = matrix.value[static_cast<std::size_t>(k)];
      const double mirror = value_at(matrix, column, row);
      if (!std::isfinite(value))
        in.fail_at(line_of(row, column), "a finite sum of the entries at " + at(row, column), number(value));
      if (value != mirror)
        in.fail_at(line_of(row, column), "a symmetric matrix",
                   number(value) + " at " + at(row, column) + " and " + number(mirror) + " at " + at(column, row));
    }
  }
}

}  // namespace

csr read_matrix_market(std::istream& stream, const std::string& name) {
  line_reader in(stream, name);
  const header_line header = read_header(in);
  const size_line size = read_size(in);
  std::vector<entry> entries = read_entries(in, size, header);
  std::sort(entries.begin(), entries.end(), earlier);
  csr matrix = assemble(size.n, entries);
  check_symmetric_positive(matrix, entries, size, in);
  return matrix;
}

csr read_matrix_market(const std::filesystem::path& file) {
  std::ifstream in = text::open_file(file);
  return read_matrix_market(in, file.string());
}

}  // namespace npb
