#include "eulash/refuse/refusal.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ParentMapContext.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "eulash/analysis/library.hpp"
#include "eulash/source/walk.hpp"

namespace eulash {
namespace {

using llvm::dyn_cast;
using llvm::isa;

struct refused_name {
  std::string_view name;  // ending with '*': whatever begins so
  std::string_view why, instead;
};

constexpr std::string_view stacks = "a thread's stack may only be left by returning";
constexpr std::string_view no_signals = "a process handles signals where it waits for messages, for all its threads";
constexpr std::string_view one_job = "the processes of a placed program belong to one job";
constexpr std::string_view maps = "memory that is mapped belongs to one process";
constexpr std::string_view one_process = "what it changes belongs to one process of the job";
constexpr std::string_view hidden = "it keeps a state of its own in one process between calls";

constexpr auto refused_names = std::to_array<refused_name>({
    {"setjmp", stacks, "return an error code"},
    {"_setjmp", stacks, "return an error code"},
    {"__sigsetjmp", stacks, "return an error code"},
    {"longjmp", stacks, "return an error code"},
    {"siglongjmp", stacks, "return an error code"},
    {"_longjmp", stacks, "return an error code"},
    {"getcontext", stacks, "use threads"},
    {"swapcontext", stacks, "use threads"},
    {"makecontext", stacks, "use threads"},
    {"signal", no_signals, "leave signals as they are"},
    {"sigaction", no_signals, "leave signals as they are"},
    {"raise", no_signals, "end by exit() or abort()"},
    {"kill", no_signals, "end by exit() or abort()"},
    {"alarm", no_signals, "look at the clock"},
    {"setitimer", no_signals, "look at the clock"},
    {"pthread_kill", no_signals, "tell the thread by a condition variable"},
    {"pthread_sigmask", no_signals, "leave signals as they are"},
    {"pthread_cancel", "a thread cannot be stopped where it is", "let it look at a flag"},
    {"pthread_setcanceltype", "threads are not cancelled", "leave it out"},
    {"pthread_setcancelstate", "threads are not cancelled", "leave it out"},
    {"pthread_testcancel", "threads are not cancelled", "leave it out"},
    {"pthread_atfork", one_job, "leave it out"},
    {"pthread_setaffinity_np", "threads are placed by eulash", "leave it out"},
    {"fork", one_job, "create threads"},
    {"vfork", one_job, "create threads"},
    {"clone", one_job, "create threads"},
    {"exec*", one_job, "start the other program from outside"},
    {"posix_spawn*", one_job, "start the other program from outside"},
    {"system", one_job, "start the other program from outside"},
    {"popen", one_job, "start the other program from outside"},
    {"wait", one_job, "join threads"},
    {"waitpid", one_job, "join threads"},
    {"mmap", maps, "allocate by malloc(), read files by fread()"},
    {"munmap", maps, "allocate by malloc(), read files by fread()"},
    {"mprotect", maps, "leave it out"},
    {"shm_open", maps, "use global variables, or malloc()"},
    {"shmget", maps, "use global variables, or malloc()"},
    {"shmat", maps, "use global variables, or malloc()"},
    {"sbrk", maps, "allocate by malloc()"},
    {"dlopen", "what is loaded later is not translated", "name its sources to eulash cc"},
    {"dlsym", "what is loaded later is not translated", "name its sources to eulash cc"},
    {"thrd_*", "threads are those of POSIX", "use pthread_create() and its like"},
    {"mtx_*", "locks are those of POSIX", "use pthread_mutex_lock() and its like"},
    {"cnd_*", "condition variables are those of POSIX", "use pthread_cond_wait() and its like"},
    {"tss_*", "thread-specific data are those of POSIX", "use pthread_key_create() and its like"},
    {"sem_open", "a semaphore with a name belongs to this computer", "use sem_init()"},
    {"sem_timedwait", "a semaphore is waited for without a limit", "use pthread_cond_timedwait()"},
    {"strtok", hidden, "use strtok_r()"},
    {"setenv", one_process, "set it before the program is started"},
    {"putenv", one_process, "set it before the program is started"},
    {"unsetenv", one_process, "set it before the program is started"},
    {"chdir", one_process, "name files by their folders"},
    {"umask", one_process, "leave it out"},
    {"seed48", hidden, "use srand48()"},
    {"lcong48", hidden, "use erand48()"},
    {"initstate", hidden, "use srandom()"},
    {"setstate", hidden, "use srandom()"},
    {"_exit", one_job, "use exit()"},
    {"_Exit", one_job, "use exit()"},
    {"quick_exit", one_job, "use exit()"},
    {"at_quick_exit", one_job, "call it at the end of main()"},
    {"on_exit", one_job, "call it at the end of main()"},
    {"atexit", "what it calls would run when the processes are gone", "call it at the end of main()"},
    {"setvbuf", "streams belong to process 0", "leave it out"},
    {"setbuf", "streams belong to process 0", "leave it out"},
    {"select", "a process that waits in the system answers nobody", "use condition variables"},
    {"poll", "a process that waits in the system answers nobody", "use condition variables"},
    {"read", "descriptors belong to one process", "use fread()"},
    {"write", "descriptors belong to one process", "use fwrite()"},
    {"open", "descriptors belong to one process", "use fopen()"},
    {"socket", "descriptors belong to one process", "leave it to a program of its own"},
    {"pipe", "descriptors belong to one process", "use a queue with a condition variable"},
});

const refused_name* refused(std::string_view name) {
  const auto found = std::ranges::find_if(refused_names, [&](const refused_name& r) {
    return r.name.ends_with('*') ? name.starts_with(r.name.substr(0, r.name.size() - 1)) : name == r.name;
  });
  return found == refused_names.end() ? nullptr : &*found;
}

// A stream is one of process 0, and only known functions ask that.
void look_at_streams(const parsed& p, const clang::DeclRefExpr* name, const clang::FunctionDecl* function,
                     std::vector<refusal>& to) {
  const bool takes_stream = std::ranges::any_of(function->parameters(), [](const clang::ParmVarDecl* parameter) {
    return parameter->getType()->isPointerType() &&
           parameter->getType()->getPointeeType().getCanonicalType().getAsString() == "struct _IO_FILE";
  });
  const std::string called = function->getNameAsString();
  if (!takes_stream || find_library_function(called) != nullptr || refused(called) != nullptr) return;
  to.push_back({p.place_of(name->getLocation()), called + "()", "streams belong to process 0",
                "use fprintf(), fgets() and their like"});
}

void look_at(const parsed& p, const clang::Stmt* s, std::vector<refusal>& to) {
  if (isa<clang::AsmStmt>(s)) {
    to.push_back({p.place_of(s->getBeginLoc()), "assembly", "nobody knows what memory it reads and writes",
                  "write it in C, with atomic operations where it needs them"});
  }
  const auto* name = dyn_cast<clang::DeclRefExpr>(s);
  const auto* function = name != nullptr ? dyn_cast<clang::FunctionDecl>(name->getDecl()) : nullptr;
  if (function == nullptr || p.is_users(function->getLocation())) return;
  const std::string called = function->getNameAsString();
  look_at_streams(p, name, function, to);
  const std::string trimmed = llvm::StringRef(called).ltrim('_').str();
  if (const refused_name* r = refused(called))
    to.push_back({p.place_of(name->getLocation()), (refused(trimmed) != nullptr ? trimmed : called) + "()",
                  std::string(r->why), std::string(r->instead)});
}

// What calls a function where no call is written.
void look_at_attributes(const parsed& p, const clang::Decl* d, std::vector<refusal>& to) {
  for (const clang::Attr* a : d->attrs()) {
    if (!isa<clang::ConstructorAttr, clang::DestructorAttr, clang::CleanupAttr, clang::AliasAttr, clang::IFuncAttr>(a))
      continue;
    to.push_back({p.place_of(a->getLocation()), fmt::format("the attribute {}", a->getSpelling()),
                  "what it lets happen is not in the text", "call the function where it is to be called"});
  }
}

// A value without a name that lives as long as the program: it would be another in each process.
void look_at_first_value(const parsed& p, const clang::VarDecl* variable, std::vector<refusal>& to) {
  if (!variable->hasGlobalStorage() || !variable->hasInit()) return;
  walk(variable->getInit(), [&](const clang::Stmt* s) {
    const auto* literal = dyn_cast<clang::CompoundLiteralExpr>(s);
    if (literal == nullptr || !literal->isGLValue() || literal->getType().isConstQualified()) return;
    const auto parents = p.ast.getParents(*literal);
    const auto* cast = parents.empty() ? nullptr : parents[0].get<clang::ImplicitCastExpr>();
    if (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) return;  // copied, not pointed to
    to.push_back({p.place_of(s->getBeginLoc()), "the address of a compound literal in a first value",
                  "it would be another datum in each process", "give it a name"});
  });
}

void look_at(const parsed& p, const clang::VarDecl* variable, std::vector<refusal>& to) {
  look_at_attributes(p, variable, to);
  look_at_first_value(p, variable, to);
}

// The text is read by Clang, and what is made of it by another compiler, which must not read what was never seen.
void look_at_conditions(const parsed& p, clang::FileID file, std::vector<refusal>& to) {
  const clang::SourceManager& sources = p.sources();
  const llvm::ArrayRef<clang::syntax::Token> tokens = p.tokens.spelledTokens(file);
  for (std::size_t k = 0; k != tokens.size(); ++k) {
    const llvm::StringRef text = tokens[k].text(sources);
    const bool compared =
        k + 1 != tokens.size() && text == "__GNUC__" && tokens[k + 1].text(sources).find_first_of("<>=") == 0;
    const bool asked =
        text == "__has_builtin" || text == "__has_attribute" || text == "__has_feature" || text == "__has_extension";
    if (!asked && !text.starts_with("__clang") && text != "__GNUC_MINOR__" && text != "__llvm__" && !compared) continue;
    to.push_back({p.place_of(tokens[k].location()), text.str(), "the text would depend on the compiler that reads it",
                  "decide by a macro of your own, with -D"});
  }
}

}  // namespace

std::string told(const refusal& r) {
  return fmt::format("{}:{}:{}: error: {} cannot be placed: {}; {}", r.at.file, r.at.line, r.at.column, r.what, r.why,
                     r.instead);
}

void refuse_constructs(const parsed& p, std::vector<refusal>& to) {
  look_at_conditions(p, p.sources().getMainFileID(), to);
  for (const inclusion& i : p.inclusions) {
    const auto entry = p.sources().getFileManager().getOptionalFileRef(i.file);
    const clang::FileID header = entry ? p.sources().translateFile(*entry) : clang::FileID();
    if (header.isValid()) look_at_conditions(p, header, to);
  }
  for (const clang::Decl* d : p.declarations()) {
    if (const auto* variable = dyn_cast<clang::VarDecl>(d)) look_at(p, variable, to);
    if (isa<clang::FileScopeAsmDecl>(d))
      to.push_back({p.place_of(d->getLocation()), "assembly", "nobody knows what it does", "write it in C"});
    const auto* function = dyn_cast<clang::FunctionDecl>(d);
    if (function != nullptr) look_at_attributes(p, function, to);
    if (function == nullptr || !function->doesThisDeclarationHaveABody()) continue;
    walk(function->getBody(), [&](const clang::Stmt* s) {
      look_at(p, s, to);
      const auto* declarations = dyn_cast<clang::DeclStmt>(s);
      if (declarations == nullptr) return;
      for (const clang::Decl* inner : declarations->decls())
        if (const auto* variable = dyn_cast<clang::VarDecl>(inner)) look_at(p, variable, to);
    });
  }
}

}  // namespace eulash
