#include "tsubu/remote/outside_sources.hpp"

#include <cstddef>
#include <utility>

namespace tsubu::remote {

void outside_sources::add(std::shared_ptr<outside_source> source) { sources_.push_back(std::move(source)); }

bool outside_sources::take_in() {
  bool any = false;
  // What comes in may open another.
  for (std::size_t i = 0; i < sources_.size(); ++i) any |= std::shared_ptr(sources_[i])->take_in();
  return any;
}

void outside_sources::let_go_of_ended() {
  std::erase_if(sources_, [](const std::shared_ptr<outside_source>& source) { return source->ended(); });
}

void outside_sources::before_sleep() {
  for (const std::shared_ptr<outside_source>& source : sources_) source->before_sleep();
}

void outside_sources::after_sleep() {
  for (const std::shared_ptr<outside_source>& source : sources_) source->after_sleep();
}

}  // namespace tsubu::remote
