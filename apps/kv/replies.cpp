#include "apps/kv/replies.hpp"

#include "apps/kv/resp.hpp"

namespace kv {

using namespace tsubu;

task<void> replies::write(const outside::connection& to) {
  while (!parts_.empty()) {
    part& first = parts_.front();
    if (first.reply.valid()) {
      text_ += co_await std::move(first.reply);
    } else {
      for (future<std::int64_t>& other : first.others) first.sum += co_await other;
      if (first.say.empty()) {
        add_number(text_, first.sum);
      } else {
        text_ += first.say;
      }
    }
    text_ += first.behind;
    parts_.pop_front();
    if (text_.size() > most_bytes) {
      co_await to.write(text_);
      text_.clear();
    }
  }
  expected_ = 0;
  earlier_bytes_ = 0;
  co_await to.write(text_);
  text_.clear();
  if (text_.capacity() > most_bytes / 8) text_.shrink_to_fit();
}

}  // namespace kv
