#include "eulash/profile/run_profile.hpp"

#include <fmt/format.h>
#include <llvm/Support/JSON.h>

#include <array>
#include <filesystem>
#include <stdexcept>

#include "tsubu/base/printable.hpp"
#include "tsubu/data/profile/profile_format.hpp"

namespace eulash {
namespace {

struct words {
  keeping is;
  std::string_view in_profile, for_people, in_c;
};
constexpr auto all_words = std::to_array<words>({
    {keeping::invalidate, "invalidate", "write-invalidate", "EULASH_INVALIDATE"},
    {keeping::mobile, "mobile", "mobile without copies", "EULASH_MOBILE"},
    {keeping::update, "update", "write-update", "EULASH_UPDATE_PROTOCOL"},
    {keeping::global, "global", "kept at its home", "EULASH_GLOBAL_PROTOCOL"},
});

// What variables of the data layer the shared memory of placed programs is made of.
constexpr std::string_view of_blocks = "tsubu::placed::block";

const words& words_of(keeping k) {
  for (const words& w : all_words)
    if (w.is == k) return w;
  throw std::logic_error("a way of keeping data has no name");
}

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error(why); }

// A part of the file that has to be there; LLVM's readers give nothing for what is of another kind.
template <class T>
T part(std::optional<T> found, std::string_view name) {
  if (!found) refuse(fmt::format("its \"{}\" is missing, or not what a profile has there", name));
  return *found;
}

const llvm::json::Object& object_in(const llvm::json::Object& of, llvm::StringRef name) {
  const llvm::json::Object* const found = of.getObject(name);
  if (found == nullptr) refuse(fmt::format("its \"{}\" is missing, or not what a profile has there", name.str()));
  return *found;
}

std::string text_in(const llvm::json::Object& of, llvm::StringRef name) { return part(of.getString(name), name).str(); }
double number_in(const llvm::json::Object& of, llvm::StringRef name) { return part(of.getNumber(name), name); }
std::int64_t integer_in(const llvm::json::Object& of, llvm::StringRef name) {
  const std::int64_t found = part(of.getInteger(name), name);
  if (found < 0) refuse(fmt::format("its \"{}\" is below 0", name.str()));
  return found;
}

keeping keeping_in(const llvm::json::Object& of, llvm::StringRef name) {
  const std::string said = text_in(of, name);
  for (const words& w : all_words)
    if (w.in_profile == said) return w.is;
  refuse(fmt::format("its \"{}\" is {}, which placed programs do not have", name.str(), tsubu::one_line(said)));
}

recorded_site site_in(const llvm::json::Object& of) {
  recorded_site s{keeping_in(of, "declared"), keeping_in(of, "best")};
  s.reads = static_cast<std::uint64_t>(integer_in(of, "reads"));
  s.writes = static_cast<std::uint64_t>(integer_in(of, "writes"));
  s.spent_ns = number_in(object_in(of, "spent"), "time_ns");
  const std::string_view best = words_of(s.best).in_profile;
  s.best_ns = number_in(object_in(object_in(of, "traffic"), llvm::StringRef(best)), "time_ns");
  return s;
}

}  // namespace

std::string_view name_of(keeping k) { return words_of(k).for_people; }
std::string_view constant_of(keeping k) { return words_of(k).in_c; }

run_profile::run_profile(std::string_view text) {
  llvm::Expected<llvm::json::Value> read = llvm::json::parse(llvm::StringRef(text.data(), text.size()));
  if (!read) refuse("it is no profile: " + tsubu::one_line(llvm::toString(read.takeError())));
  const llvm::json::Object* const all = read->getAsObject();
  if (all == nullptr || all->getString("format") != llvm::StringRef(tsubu::data::profile_format))
    refuse("it is no profile: run the program with --tsubu-profile=FILE");
  if (const std::int64_t version = integer_in(*all, "version"); version != tsubu::data::profile_version) {
    refuse(fmt::format("it has format version {}, and this command reads version {}: record it again", version,
                       tsubu::data::profile_version));
  }
  program_name_ = tsubu::one_line(text_in(*all, "program"));
  pes_ = integer_in(*all, "pes");
  elapsed_ns_ = number_in(*all, "elapsed_ns");
  predicted_ns_ = number_in(*all, "predicted_ns");
  at_least_ns_ = number_in(*all, "predicted_at_least_ns");
  doubtful_ = tsubu::one_line(text_in(*all, "prediction_doubtful"));
  if (const llvm::json::Object* const threads = all->getObject("threads"); threads != nullptr) read_threads(*threads);
  const llvm::json::Array* const sites = all->getArray("sites");
  if (sites == nullptr) refuse("its \"sites\" are missing");
  for (const llvm::json::Value& one : *sites) {
    const llvm::json::Object* const site = one.getAsObject();
    if (site == nullptr) refuse("a site of it is no object");
    if (text_in(*site, "type") != of_blocks) continue;
    sites_.try_emplace({text_in(*site, "file"), static_cast<unsigned>(integer_in(*site, "line"))}, site_in(*site));
  }
}

void run_profile::read_threads(const llvm::json::Object& of) {
  constexpr std::int64_t most = 1024;  // a table of all pairs of them is made
  const std::int64_t count = integer_in(of, "count");
  const llvm::json::Array* const shared = of.getArray("shared");
  if (shared == nullptr) refuse("its \"shared\" is missing");
  if (count > most) return;
  threads_ = static_cast<std::size_t>(count);
  for (const llvm::json::Value& one : *shared) {
    const llvm::json::Array* const pair = one.getAsArray();
    if (pair == nullptr || pair->size() != 3) refuse("what two threads share is not two threads and a number");
    const auto number = [&](std::size_t k, std::int64_t below) {
      const std::int64_t n = part((*pair)[k].getAsInteger(), "shared");
      if (n < 0 || n >= below) refuse(fmt::format("its \"shared\" has {}", n));
      return n;
    };
    shared_.push_back({static_cast<std::size_t>(number(0, count)), static_cast<std::size_t>(number(1, count)),
                       static_cast<double>(number(2, std::int64_t{1} << 53))});
  }
}

const recorded_site* run_profile::find(const place& at) const {
  const auto found = sites_.find({std::filesystem::path(at.file).filename().string(), at.line});
  return found == sites_.end() ? nullptr : &found->second;
}

std::string run_profile::prediction() const {
  std::string told = fmt::format("the run took {} on {} processes, {} predicted", duration(elapsed_ns_), pes_,
                                 duration(predicted_ns_));
  if (!doubtful_.empty())
    told += fmt::format(", perhaps far off, but {} at least: {}", duration(at_least_ns_), doubtful_);
  return told;
}

std::string duration(double ns) {
  constexpr auto units = std::to_array<std::string_view>({"ns", "us", "ms", "s"});
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && ns >= 999.5; ++unit) ns /= 1000;
  return fmt::format("{:.{}f} {}", ns, ns < 9.995 ? 2 : (ns < 99.95 ? 1 : 0), units[unit]);
}

}  // namespace eulash
