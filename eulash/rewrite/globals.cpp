// A shared variable with static storage is reached by a pointer, eulash_g_NAME; its own memory is only its first value.
#include <clang/AST/APValue.h>
#include <clang/AST/RecordLayout.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "eulash/rewrite/parts.hpp"
#include "eulash/source/walk.hpp"

namespace eulash {
namespace {

using llvm::dyn_cast;

// Where in the first value addresses of shared variables stand.
void find_pointers(const rewriting& r, const clang::APValue& v, clang::QualType type, std::int64_t offset,
                   std::vector<std::string>& to) {
  const clang::ASTContext& ast = r.p.ast;
  if (v.isLValue()) {
    const auto* named = v.getLValueBase().dyn_cast<const clang::ValueDecl*>();
    const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(named);
    if (variable != nullptr && r.d.is_shared(r.p, variable))
      to.push_back(fmt::format("{}, (size_t)&{}", offset, variable->getNameAsString()));
  } else if (v.isStruct()) {
    const clang::RecordDecl* record = type->getAs<clang::RecordType>()->getDecl();
    const clang::ASTRecordLayout& layout = ast.getASTRecordLayout(record);
    for (const clang::FieldDecl* field : record->fields()) {
      const unsigned k = field->getFieldIndex();
      const auto at = static_cast<std::int64_t>(layout.getFieldOffset(k) / 8);
      find_pointers(r, v.getStructField(k), field->getType(), offset + at, to);
    }
  } else if (v.isUnion() && v.getUnionField() != nullptr) {
    find_pointers(r, v.getUnionValue(), v.getUnionField()->getType(), offset, to);
  } else if (v.isArray()) {
    const clang::QualType element = ast.getAsArrayType(type)->getElementType();
    const std::int64_t size = ast.getTypeSizeInChars(element).getQuantity();
    for (unsigned k = 0; k != v.getArraySize(); ++k) {
      const bool said = k < v.getArrayInitializedElts();
      if (!said && !v.hasArrayFiller()) break;
      find_pointers(r, said ? v.getArrayInitializedElt(k) : v.getArrayFiller(), element, offset + k * size, to);
    }
  }
}

// For each, its offset, and the variable into which it points.
std::vector<std::string> pointers_in(const rewriting& r, const clang::VarDecl* variable) {
  std::vector<std::string> all;
  if (!variable->hasInit()) return all;
  const clang::APValue* first = variable->evaluateValue();
  if (first == nullptr) {
    r.refuse(variable->getLocation(), fmt::format("the first value of {}", variable->getNameAsString()),
             "it cannot be told before the program runs", "assign it in main()");
    return all;
  }
  find_pointers(r, *first, variable->getType(), 0, all);
  return all;
}

// The word by which it is one of each thread's own.
void remove_thread_local(const rewriting& r, const clang::VarDecl* variable) {
  for (const clang::syntax::Token& t : r.p.tokens.expandedTokens(variable->getSourceRange())) {
    const llvm::StringRef text = t.text(r.p.sources());
    if (text != "__thread" && text != "_Thread_local" && text != "thread_local") continue;
    const bool of_system = r.to.is_of_system_macro(t.location());
    r.to.replace(of_system ? r.p.sources().getExpansionLoc(t.location()) : t.location(), "");
    return;
  }
}

}  // namespace

void rewrite_name(const rewriting& r, const clang::DeclRefExpr* name) {
  const auto* variable = dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr) return;
  if (decisions::is_own(variable)) {
    r.to.replace(name->getLocation(), own_name(variable));
  } else if (r.d.is_shared(r.p, variable)) {
    r.to.replace(name->getLocation(), fmt::format("(*eulash_g_{})", variable->getNameAsString()));
  }
}

std::string own_name(const clang::VarDecl* variable) {
  return fmt::format("EULASH_OWN({})", variable->getNameAsString());
}

void rewrite_declaration(const rewriting& r, const clang::VarDecl* variable) {
  if (variable->hasGlobalStorage() && variable->hasInit()) {
    walk(variable->getInit(), [&](const clang::Stmt* s) {
      if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) rewrite_function_name(r, name, false);
    });
  }
  const bool own = decisions::is_own(variable);
  if (!own && !r.d.is_shared(r.p, variable)) return;
  if (own) remove_thread_local(r, variable);
  const std::string name = variable->getNameAsString();
  const auto kind = variable->isThisDeclarationADefinition();
  const bool defines = kind == clang::VarDecl::Definition ||
                       (kind == clang::VarDecl::TentativeDefinition && variable->getActingDefinition() == variable);
  const std::string_view linkage = variable->getStorageClass() == clang::SC_Static ? "static "
                                   : kind == clang::VarDecl::DeclarationOnly       ? "extern "
                                                                                   : "";
  std::string text = own ? fmt::format(" {}size_t eulash_t_{};", linkage, name)
                         : fmt::format(" {}__typeof__({}) *eulash_g_{};", linkage, name, name);
  if (defines) {
    const std::vector<std::string> pointers = pointers_in(r, variable);
    if (!pointers.empty())
      text += fmt::format(" static const size_t eulash_l_{}[] = {{{}}};", name, fmt::join(pointers, ", "));
    const std::string table = pointers.empty() ? "NULL" : "eulash_l_" + name;
    const place at = r.p.place_of(variable->getLocation());
    text += own ? fmt::format(" EULASH_OWN_VARIABLE({}, {}, {});", name, pointers.size(), table)
                : fmt::format(" EULASH_GLOBAL_AT({}, {}, \"{}\", {}, 0, {}, {});", at.line, name, name,
                              r.d.protocol(at), pointers.size(), table);
  }
  r.to.insert_after_declaration(variable->getEndLoc(), std::move(text));
}

}  // namespace eulash
