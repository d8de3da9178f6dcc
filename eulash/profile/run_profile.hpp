// What an earlier run of the placed program has recorded of its data: a file that --tsubu-profile wrote.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eulash/profile/thread_places.hpp"
#include "eulash/source/program.hpp"

namespace llvm::json {
class Object;
}

namespace eulash {

// How blocks of shared memory are kept; the data layer's protocols.
enum class keeping : unsigned char { invalidate, mobile, update, global };
// In words for people, and in the C header's.
std::string_view name_of(keeping k);
std::string_view constant_of(keeping k);

// What was recorded of all blocks that a line declares or allocates.
struct recorded_site {
  keeping had, best;  // by what its messages cost
  std::uint64_t reads = 0, writes = 0;
  double spent_ns = 0, best_ns = 0;  // for messages, in the run and with the best
};

class run_profile {
 public:
  // Takes the text of the file. Throws std::runtime_error if it is no profile, or of another version.
  explicit run_profile(std::string_view text);

  // Null: nothing was recorded of what stands there.
  const recorded_site* find(const place& at) const;
  const std::string& program_name() const { return program_name_; }
  std::int64_t processes() const { return pes_; }
  double took_ns() const { return elapsed_ns_; }
  double predicted_ns() const { return predicted_ns_; }
  // How many threads it had, 0 if that is not told, and what each two of them shared.
  std::size_t threads() const { return threads_; }
  const std::vector<shared_use>& shared() const { return shared_; }
  // How long the run took, and would take with the best for each site.
  std::string prediction() const;

 private:
  void read_threads(const llvm::json::Object& of);

  std::string program_name_, doubtful_;
  std::int64_t pes_ = 0;
  std::size_t threads_ = 0;
  std::vector<shared_use> shared_;
  double elapsed_ns_ = 0, predicted_ns_ = 0, at_least_ns_ = 0;
  std::map<std::pair<std::string, unsigned>, recorded_site> sites_;  // by file without folders, and line
};

// Three digits and a unit.
std::string duration(double ns);

}  // namespace eulash
