#include "tsubu/run/inside.hpp"

#include <cerrno>
#include <cstdint>
#include <optional>
#include <span>

#include "tsubu/base/check.hpp"
#include "tsubu/base/job_names.hpp"
#include "tsubu/base/names_agreement.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/standstill.hpp"
#include "tsubu/run/early_end.hpp"
#include "tsubu/run/job.hpp"
#include "tsubu/run/transports.hpp"

namespace tsubu::run_detail {
namespace {

// A job that is wrong before it begins ends by this, and not with its process.
struct not_begun {
  int code;
};

// What `prepare` ends its job with; 0: it does not.
template <class Prepare>
int code_of(Prepare prepare) {
  set_job_ender({no_pe, [](void*, int code) { throw not_begun{code}; }, nullptr});
  int code = 0;
  try {
    prepare();
  } catch (const not_begun& ended) {
    code = ended.code;
  }
  end_other_ranks_too();
  return code;
}

// The words of a job as main() has them.
class job_words {
 public:
  explicit job_words(const std::vector<std::string>& words) : words_(words) {
    words_.insert(words_.begin(), ::program_invocation_name);
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
    count_ = static_cast<int>(words_.size());
  }
  int& count() { return count_; }
  char** pointers() { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
  int count_ = 0;
};

job read_job(const std::vector<std::string>& given, task<int> (*program)(arguments), bool everywhere) {
  job_words words(given);
  const settings options = read_settings(words.count(), words.pointers());
  if (options.help) end_job(exit_code::usage, "tsubu: --tsubu-help is for programs that run() starts");
  check_fits_inside(options);
  job j{program,
        everywhere,
        arguments(words.count(), words.pointers()),
        options,
        profile_of_job(options, ::program_invocation_name),
        true};
  check_job(j);
  return j;
}

// What the ranks agree on before they begin: whether all can, and where names begin.
struct agreement {
  std::vector<std::uint32_t> values;
  explicit agreement(int trouble) : values(detail::names_so_far()) {
    values.insert(values.begin(), static_cast<std::uint32_t>(trouble));
  }
  int trouble() const { return static_cast<int>(values.front()); }
  std::span<const std::uint32_t> names() const { return std::span(values).subspan(1); }
};

}  // namespace

int run_inside(const mpi_caller& caller, task<int> (*program)(arguments), const std::vector<std::string>& words,
               bool everywhere) {
  require(remote::current_pe == nullptr, "a job is started inside another one: tsubu::mpi::run() is for between them");
  const loaded_plugin* plugin = nullptr;
  if (const int code = code_of([&] { plugin = &choose_inside(caller.mpi, settings()); }); code != 0) return code;
  std::optional<job> j;
  const int wrong = code_of([&] { j.emplace(read_job(words, program, everywhere)); });
  const detail::running_job until_it_returns;
  agreement all(wrong);
  const int refused = code_of([&] {
    const char* const reason = plugin->inside->begin({caller.communicator, all.values});
    if (reason != nullptr) end_job(exit_code::usage, std::string("tsubu: ") + reason);
  });
  if (refused != 0) return refused;
  int code = all.trouble();
  if (code == 0) {
    detail::go_on_from(all.names());
    launcher_sees_ends();
    remote::standstill_ends_job_only = true;
    code = plugin->launch(launch_settings_of(j->options), body_of_job(), &*j);
    remote::standstill_ends_job_only = false;
    end_other_ranks_too();
  }
  plugin->inside->end();
  return code;
}

}  // namespace tsubu::run_detail
