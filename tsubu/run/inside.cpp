#include "tsubu/run/inside.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/job_names.hpp"
#include "tsubu/base/names_agreement.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/remote/termination/standstill.hpp"
#include "tsubu/run/early_end.hpp"
#include "tsubu/run/job.hpp"
#include "tsubu/run/job_words.hpp"
#include "tsubu/run/presence.hpp"
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

bool session_goes_on = false;

void refuse_beside_session() {
  if (session_goes_on) end_job(exit_code::usage, "tsubu: a job is started while a session goes on: end that one first");
}

}  // namespace

int run_inside(const mpi_caller& caller, task<int> (*program)(arguments), const std::vector<std::string>& words,
               bool everywhere) {
  require(remote::current_pe == nullptr, "a job is started inside another one: tsubu::mpi::run() is for between them");
  const loaded_plugin* plugin = nullptr;
  const auto choose = [&] {
    refuse_beside_session();
    plugin = &choose_inside(caller.mpi, settings());
  };
  if (const int code = code_of(choose); code != 0) return code;
  std::optional<job> j;
  const int wrong = code_of([&] {
    if (program == nullptr) throw not_begun{exit_code::usage};  // a line has said why
    j.emplace(read_job(words, program, everywhere));
  });
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

// ---- a session

struct inside_session::held {
  const mpi_caller caller;
  const loaded_plugin& plugin;
  const job of;
  std::unique_ptr<const detail::running_job> until_it_ends;
  transport::transport* end = nullptr;
  std::unique_ptr<remote::pe> pe;

  held(const mpi_caller& by, const loaded_plugin& of_mpi, job what) : caller(by), plugin(of_mpi), of(std::move(what)) {}
  void step_until(const bool& done);
  int run_to_end();
};

namespace {

// What a run leaves when it is over, everywhere.
struct run_over {
  bool done = false;
  int code = 0;
};

task<void> run_of_session(task<int> (*program)(arguments), arguments words, bool here, run_over* over) {
  int code = 0;
  if (here) {
    try {
      const int returned = co_await program(std::move(words));
      code = exit_status(returned);
    } catch (...) {
      tell_left_program(std::current_exception());
      code = exit_code::failed;
    }
  }
  co_await quiescence();
  const int greatest = co_await all_reduce(code, reduce::max);
  co_await quiescence();  // whose end leaves nothing behind that this PE still has to send
  over->code = greatest;
  over->done = true;
}

// While the caller is in a call of the session this thread is its PE.
class pe_of_session {
 public:
  pe_of_session(remote::pe& pe, transport::transport& end) : until_it_leaves_(end.pe()), pe_(pe) {
    end_job_by(end);
    pe_.enter();
  }
  pe_of_session(const pe_of_session&) = delete;
  pe_of_session& operator=(const pe_of_session&) = delete;
  ~pe_of_session() {
    pe_.leave();
    set_job_ender({});
    end_other_ranks_too();
  }

 private:
  const presence until_it_leaves_;
  remote::pe& pe_;
};

void check_words_of_run(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.starts_with("--tsubu-"))
      end_job(exit_code::usage, "tsubu: " + one_line(word) + " is an option of a whole session, not of a run in it");
  }
}

// The greatest code of any rank; or of this one, where the ranks cannot ask each other.
int greatest_code(const loaded_plugin& plugin, const mpi_caller& caller, int own) {
  std::uint32_t most[] = {static_cast<std::uint32_t>(own)};
  const int refused = code_of([&] {
    const char* const reason = plugin.inside->begin({caller.communicator, most});
    if (reason != nullptr) end_job(exit_code::usage, std::string("tsubu: ") + reason);
  });
  return refused != 0 ? refused : static_cast<int>(most[0]);
}

}  // namespace

// Ends at once when the run is over here: another PE may need this one's caller next.
void inside_session::held::step_until(const bool& done) {
  const int spins = end->spin_polls();
  for (int idle_turns = 0; !done && !pe->quiescence.ended();) {
    pe->begin_turn();
    const std::int64_t may_sleep_ns = std::min(pe->end_turn(), remote::pe::longest_sleep_ns);
    if (may_sleep_ns <= 0) idle_turns = 0;
    if (may_sleep_ns <= 0 || ++idle_turns < spins) continue;
    const std::int64_t from_ns = pe->tasks.now();
    pe->before_sleep();
    pe->transport().wait((may_sleep_ns + 999) / 1000);
    pe->after_sleep(pe->tasks.now() - from_ns);
  }
}

int inside_session::held::run_to_end() {
  int code = 0;
  {
    const pe_of_session here(*pe, *end);
    const task_context_scope on_this_stack(pe->tasks);
    if (pe->number() == 0 && !pe->quiescence.ended()) pe->quiescence.program_ended(0, 0);
    code = pe->run_to_end();
  }
  const presence of_its_objects(end->pe());  // whose destructors may fail
  end_job_by(*end);
  if (remote::stands_still) {
    keep_for_ever(std::move(pe));
  } else {
    const task_context_scope on_this_stack(pe->tasks);
    pe.reset();
  }
  set_job_ender({});
  end_other_ranks_too();
  return code;
}

inside_session::inside_session(const mpi_caller& caller, const std::vector<std::string>& words) {
  require(remote::current_pe == nullptr, "a session is started inside a job: it is for between them");
  const loaded_plugin* plugin = nullptr;
  code_ = code_of([&] {
    refuse_beside_session();
    plugin = &choose_inside(caller.mpi, settings());
    if (plugin->held == nullptr)
      end_job(exit_code::unavailable, std::string("tsubu: the plug-in ") + caller.mpi + " holds no session");
  });
  if (code_ != 0) return;
  std::unique_ptr<held> begun;
  const int wrong = code_of([&] {
    job j = read_job(words, nullptr, false);
    if (j.options.pes_per_rank != 1)
      end_job(exit_code::usage, "tsubu: a session has one PE a rank: --tsubu-pes-per-rank is for single jobs");
    begun = std::make_unique<held>(caller, *plugin, std::move(j));
  });
  auto job_begins = std::make_unique<const detail::running_job>();
  agreement all(wrong);
  code_ = code_of([&] {
    const char* const reason = plugin->inside->begin({caller.communicator, all.values});
    if (reason != nullptr) end_job(exit_code::usage, std::string("tsubu: ") + reason);
  });
  if (code_ != 0) return;
  code_ = all.trouble();
  if (code_ == 0) {
    detail::go_on_from(all.names());
    launcher_sees_ends();
    begun->end = plugin->held->open(launch_settings_of(begun->of.options), &code_);
    end_other_ranks_too();
  }
  if (code_ != 0) {
    plugin->inside->end();
    return;
  }
  begun->until_it_ends = std::move(job_begins);
  session_goes_on = true;
  remote::standstill_ends_job_only = true;
  remote::stands_still = false;
  {
    const presence until_it_leaves(begun->end->pe());
    end_job_by(*begun->end);
    begun->pe = start_pe(*begun->end, begun->of);
    begun->pe->leave();
    set_job_ender({});
    end_other_ranks_too();
  }
  held_ = std::move(begun);
}

inside_session::~inside_session() { end(); }

int inside_session::run(task<int> (*program)(arguments), const std::vector<std::string>& words, bool everywhere) {
  if (held_ == nullptr) {
    std::fprintf(stderr, "tsubu: a run of a session that %s\n",
                 code_ != 0 ? "could not begin, or has failed" : "has ended");
    return code_ != 0 ? code_ : exit_code::usage;
  }
  const int wrong = code_of([&] { check_words_of_run(words); });
  if (const int code = greatest_code(held_->plugin, held_->caller, wrong); code != 0) return code;
  job_words given(words);
  run_over over;
  {
    remote::pe& pe = *held_->pe;
    const pe_of_session here(pe, *held_->end);
    const task_context_scope on_this_stack(pe.tasks);
    spawn(run_of_session(program, arguments(given.count(), given.pointers()), everywhere || pe.number() == 0, &over));
    held_->step_until(over.done);
  }
  return over.done ? over.code : end();
}

int inside_session::end() {
  if (held_ == nullptr) return code_;
  code_ = held_->run_to_end();
  held_->plugin.held->close();
  held_->plugin.inside->end();
  session_goes_on = false;
  remote::standstill_ends_job_only = false;
  held_.reset();
  return code_;
}

}  // namespace tsubu::run_detail
