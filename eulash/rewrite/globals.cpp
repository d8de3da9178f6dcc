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
                   std::vector<std::int64_t>& to) {
  const clang::ASTContext& ast = r.p.ast;
  if (v.isLValue()) {
    const auto* named = v.getLValueBase().dyn_cast<const clang::ValueDecl*>();
    const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(named);
    if (variable != nullptr && r.d.is_shared(r.p, variable)) to.push_back(offset);
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

std::vector<std::int64_t> pointers_in(const rewriting& r, const clang::VarDecl* variable) {
  std::vector<std::int64_t> all;
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

}  // namespace

void rewrite_name(const rewriting& r, const clang::DeclRefExpr* name) {
  const auto* variable = dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr || !r.d.is_shared(r.p, variable)) return;
  r.to.replace(name->getLocation(), fmt::format("(*eulash_g_{})", variable->getNameAsString()));
}

void rewrite_declaration(const rewriting& r, const clang::VarDecl* variable) {
  if (variable->hasGlobalStorage() && variable->hasInit()) {
    walk(variable->getInit(), [&](const clang::Stmt* s) {
      if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) rewrite_function_name(r, name, false);
    });
  }
  if (!r.d.is_shared(r.p, variable)) return;
  const std::string name = variable->getNameAsString();
  const auto kind = variable->isThisDeclarationADefinition();
  const bool defines = kind == clang::VarDecl::Definition ||
                       (kind == clang::VarDecl::TentativeDefinition && variable->getActingDefinition() == variable);
  const bool is_static = variable->getStorageClass() == clang::SC_Static;
  std::string text = fmt::format(" {}__typeof__({}) *eulash_g_{};",
                                 is_static                                 ? "static "
                                 : kind == clang::VarDecl::DeclarationOnly ? "extern "
                                                                           : "",
                                 name, name);
  if (defines) {
    const std::vector<std::int64_t> pointers = pointers_in(r, variable);
    if (!pointers.empty())
      text += fmt::format(" static const size_t eulash_l_{}[] = {{{}}};", name, fmt::join(pointers, ", "));
    const place at = r.p.place_of(variable->getLocation());
    text += fmt::format(" EULASH_GLOBAL_AT({}, {}, \"{}\", {}, 0, {}, {});", at.line, name, name, r.d.protocol(at),
                        pointers.size(), pointers.empty() ? "NULL" : "eulash_l_" + name);
  }
  r.to.insert_after_declaration(variable->getEndLoc(), std::move(text));
}

}  // namespace eulash
