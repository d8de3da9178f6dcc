// Walks of the elements that a PE has, and what may happen meanwhile.
//
// A walk that waits lets messages in. What they change of a value is no trouble; a key that comes or goes would move
// elements under the walk's feet. So a part knows that it is walked, and then refuses that, with the line of the walk,
// whether the walk would have been hurt or not: a program that is refused is so on any number of PEs.
#pragma once

#include <cstdint>
#include <ranges>
#include <source_location>
#include <utility>

#include "tsubu/base/check.hpp"

namespace tsubu::containers {

// What is known of a part's walks.
class walks {
 public:
  void begin(std::source_location where) {
    if (open_++ == 0) where_ = where;
  }
  void end() { --open_; }
  bool any() const { return open_ != 0; }
  [[noreturn, gnu::cold]] void refuse(const char* what) const {
    fail(std::string("a container is walked by line ") + std::to_string(where_.line()) + " of " + where_.file_name() +
         ", and " + what + " meanwhile: end the walk first, or collect what it finds");
  }

 private:
  std::uint32_t open_ = 0;
  std::source_location where_;  // of the first one that is open
};

// A view of a range that is walked as long as the view, or a copy of it, lives.
template <std::ranges::forward_range R>
class walked : public std::ranges::view_interface<walked<R>> {
 public:
  walked(const R& elements, walks& of, std::source_location where) : elements_(&elements), of_(&of), where_(where) {
    of_->begin(where_);
  }
  walked(const walked& other) : walked(*other.elements_, *other.of_, other.where_) {}
  walked& operator=(const walked& other) {
    other.of_->begin(other.where_);
    of_->end();
    elements_ = other.elements_;
    of_ = other.of_;
    where_ = other.where_;
    return *this;
  }
  ~walked() { of_->end(); }

  auto begin() const { return elements_->begin(); }
  auto end() const { return elements_->end(); }
  std::size_t size() const { return elements_->size(); }

 private:
  const R* elements_;
  walks* of_;
  std::source_location where_;
};

}  // namespace tsubu::containers
