#include "eulash/source/program.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Tooling/Tooling.h>
#include <fmt/format.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <optional>

#include "tsubu/base/files.hpp"

namespace eulash {
namespace {

// Remembers what is included of the user's.
class inclusion_recorder : public clang::PPCallbacks {
 public:
  explicit inclusion_recorder(std::vector<inclusion>& to) : to_(to) {}
  void InclusionDirective(clang::SourceLocation at, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange name, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    if (file && !clang::SrcMgr::isSystem(kind)) to_.push_back({at, name, file->getName().str()});
  }

 private:
  std::vector<inclusion>& to_;
};

class reading : public clang::ASTFrontendAction {
 public:
  reading(std::string file, const std::function<void(const parsed&)>& then, bool& done)
      : file_(std::move(file)), then_(then), done_(done) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    collector_.emplace(compiler.getPreprocessor());
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<inclusion_recorder>(inclusions_));
    return std::make_unique<clang::ASTConsumer>();
  }
  void ExecuteAction() override {
    clang::ASTFrontendAction::ExecuteAction();
    clang::CompilerInstance& compiler = getCompilerInstance();
    const clang::syntax::TokenBuffer tokens = std::move(*collector_).consume();
    if (compiler.getDiagnostics().hasErrorOccurred()) return;
    then_({file_, compiler.getASTContext(), compiler.getPreprocessor(), tokens, inclusions_});
    done_ = true;
  }

 private:
  std::string file_;
  const std::function<void(const parsed&)>& then_;
  bool& done_;
  std::optional<clang::syntax::TokenCollector> collector_;
  std::vector<inclusion> inclusions_;
};

}  // namespace

bool parsed::is_users(clang::SourceLocation at) const {
  const clang::SourceLocation in_file = sources().getFileLoc(at);
  return in_file.isValid() && sources().getFileEntryForID(sources().getFileID(in_file)) != nullptr &&
         !sources().isInSystemHeader(in_file);
}

place parsed::place_of(clang::SourceLocation at) const {
  const clang::PresumedLoc shown = sources().getPresumedLoc(sources().getFileLoc(at));
  if (shown.isInvalid()) return {};
  return {shown.getFilename(), shown.getLine(), shown.getColumn()};
}

std::vector<clang::Decl*> parsed::declarations() const {
  std::vector<clang::Decl*> all;
  for (clang::Decl* d : ast.getTranslationUnitDecl()->decls())
    if (is_users(d->getLocation())) all.push_back(d);
  return all;
}

std::string line_directive(unsigned line, const std::string& file) {
  std::string quoted;
  for (const char c : file) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return fmt::format("#line {} \"{}\"\n", line, quoted);
}

program::program(std::vector<std::string> files, std::vector<std::string> flags)
    : files_(std::move(files)), flags_(std::move(flags)) {}

bool program::parse(const std::string& file, const std::function<void(const parsed&)>& then) const {
  const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk = llvm::vfs::getRealFileSystem();
  const auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (const auto here = disk->getCurrentWorkingDirectory()) memory->setCurrentWorkingDirectory(*here);
  for (const auto& [name, text] : changed_) memory->addFile(name, 0, llvm::MemoryBuffer::getMemBufferCopy(text, name));
  const auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
  both->pushOverlay(memory);
  const auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), both);
  // The compiler that is called later warns; here, only what cannot be read matters.
  std::vector<std::string> words{"eulash", "-fsyntax-only", "-w", "-x", "c", "-resource-dir", EULASH_CLANG_RESOURCES};
  words.insert(words.end(), flags_.begin(), flags_.end());
  words.push_back(file);
  bool done = false;
  clang::tooling::ToolInvocation call(words, std::make_unique<reading>(file, then, done), files.get());
  return call.run() && done;
}

std::string program::text_of(const std::string& file) const {
  const auto changed = changed_.find(file);
  if (changed != changed_.end()) return changed->second;
  std::string why;
  return tsubu::read_file(file, why).value_or("");
}

bool program::parse_all(const std::function<void(const parsed&)>& then) const {
  bool all = true;
  for (const std::string& file : files_) all = parse(file, then) && all;
  return all;
}

}  // namespace eulash
