#include "eulash/rewrite/decisions.hpp"

#include <algorithm>

namespace eulash {

bool decisions::is_shared(const parsed& p, const clang::VarDecl* variable) const {
  if (variable->hasLocalStorage() || is_own(variable) || !p.is_users(variable->getLocation())) return false;
  if (proven_ == nullptr) return true;
  const auto found = f_->variables.find(key_of(p, variable));
  return found == f_->variables.end() || !proven_->of(found->second).is_private();
}

bool decisions::leads_to_private(const parsed& p, const clang::Expr* pointer) const {
  if (proven_ == nullptr) return false;
  const auto found = f_->pointers.find(key_of(p, pointer));
  return found != f_->pointers.end() && proven_->leads_to_private(found->second);
}

bool decisions::may_lead_to(const parsed& p, const clang::Expr* pointer, const clang::VarDecl* variable) const {
  if (f_ == nullptr) return true;
  const auto known = f_->pointers.find(key_of(p, pointer));
  const auto named = f_->variables.find(key_of(p, variable));
  if (known == f_->pointers.end() || named == f_->variables.end()) return true;
  const auto& objects = f_->values.objects(known->second);
  if (objects.empty()) return true;
  return std::ranges::any_of(objects, [&](object o) {
    return o == named->second || f_->objects[static_cast<std::size_t>(o)].kind == object_kind::unknown;
  });
}

const object_facts* decisions::site(const parsed& p, const clang::CallExpr* allocation) const {
  if (f_ == nullptr) return nullptr;
  const auto found = f_->sites.find(key_of(p, allocation));
  return found == f_->sites.end() ? nullptr : &f_->objects[static_cast<std::size_t>(found->second)];
}

bool decisions::is_defined(const parsed& p, const clang::FunctionDecl* function) const {
  return f_ == nullptr ? p.is_users(function->getLocation()) : f_->is_defined(key_of(p, function));
}

bool decisions::allocates_private(const parsed& p, const clang::CallExpr* allocation) const {
  if (proven_ == nullptr) return false;
  const auto found = f_->sites.find(key_of(p, allocation));
  return found != f_->sites.end() && proven_->of(found->second).is_private();
}

std::string_view decisions::protocol(const place& at) const {
  const recorded_site* const known = recorded_ == nullptr ? nullptr : recorded_->find(at);
  return constant_of(known == nullptr ? keeping::invalidate : known->best);
}

}  // namespace eulash
