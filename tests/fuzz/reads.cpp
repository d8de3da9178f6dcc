// FASTQ files, as kmer reads them. The first byte says where the file is cut in two parts, the rest is its text. A
// reader of the whole and readers of the two parts find the same reads, unless one of them finds that something is
// wrong, or the parts do not meet.
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "apps/kmer/fastq.hpp"
#include "tests/fuzz/input.hpp"

namespace tsubu::fuzz {
namespace {

class part {
 public:
  part(const std::string& text, std::int64_t begin, std::int64_t end) {
    try {
      kmer::fastq file(std::make_unique<std::istringstream>(text), "a.fastq", static_cast<std::int64_t>(text.size()),
                       begin, end);
      first = file.first();
      for (std::string bases; file.next(bases);) found.push_back(bases);
      last = file.position();
      good = true;
    } catch (const kmer::input_error& error) {
      check_refusal(error.what(), "a.fastq: ");
    }
  }

  bool good = false;
  std::int64_t first = 0, last = 0;
  std::vector<std::string> found;
};

}  // namespace

void read_input(bytes input) {
  if (input.size() < 2) return;  // an empty file is refused before it is read
  const std::string text(text_of(input.subspan(1)));
  const auto size = static_cast<std::int64_t>(text.size());
  const std::int64_t cut = size * input[0] / 256;
  const part whole(text, 0, size);
  part lower(text, 0, cut);
  const part upper(text, cut, size);
  if (!lower.good || !upper.good || lower.last != upper.first) return;
  expect(whole.good, "what two parts have not noticed, the whole has");
  lower.found.insert(lower.found.end(), upper.found.begin(), upper.found.end());
  expect(whole.found == lower.found, "two parts have other reads than the whole");
}

}  // namespace tsubu::fuzz
