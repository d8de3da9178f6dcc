// A sequence that grows at its end, and whose copies share what they have in common: a copy is a pointer for each 64
// elements, whatever these are. So a program that grows by an input at a time, of which each version stays as it was
// for those that execute it, does not cost the more for each input the longer it is.
//
// Copies may be read and destroyed by several threads. Only the last part of one, which others may share, is ever
// changed by growing: then it is copied first.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace abcl::code {

template <class T>
class shared_vector {
 public:
  class iterator {
   public:
    iterator(const shared_vector& of, std::size_t at) : of_(&of), at_(at) {}
    const T& operator*() const { return (*of_)[at_]; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    const shared_vector* of_;
    std::size_t at_;
  };

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t at) const { return (*parts_[at / most])[at % most]; }
  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, size_}; }

  void push_back(T element) {
    if (size_ % most == 0) {
      parts_.push_back(std::make_shared<std::vector<T>>());
      parts_.back()->reserve(most);
    }
    own(parts_.size() - 1).push_back(std::move(element));
    ++size_;
  }

  // For changes; not of what other copies read.
  T& change(std::size_t at) { return own(at / most)[at % most]; }

 private:
  static constexpr std::size_t most = 64;  // elements of a part

  std::vector<T>& own(std::size_t part) {
    std::shared_ptr<std::vector<T>>& p = parts_[part];
    if (p.use_count() > 1) {
      auto copy = std::make_shared<std::vector<T>>();
      copy->reserve(most);
      copy->assign(p->begin(), p->end());
      p = std::move(copy);
    }
    return *p;
  }

  std::vector<std::shared_ptr<std::vector<T>>> parts_;
  std::size_t size_ = 0;
};

}  // namespace abcl::code
