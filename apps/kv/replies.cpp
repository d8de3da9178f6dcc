#include "apps/kv/replies.hpp"

#include "apps/kv/resp.hpp"

namespace kv {

using namespace tsubu;

task<void> replies::wait_to_ask(std::size_t bytes) {
  co_await collect();
  co_await messages_of(bytes).wait(bytes);
  note_asked(bytes);
}

void replies::nothing_is_on_the_way() {
  short_messages().give_back(std::exchange(short_asked_, 0));
  long_messages().give_back(std::exchange(long_asked_, 0));
}

void replies::value(std::shared_ptr<const std::string> shared) {
  begin_part();
  part& last = parts_.back();
  last.text = bulk_header(shared->size());
  come_bytes_ += last.text.size();
  last.shared = std::move(shared);
  last.is_bulk = true;
}

void replies::begin_sum(std::string say) {
  begin_part();
  parts_.back().is_number = say.empty();
  come_bytes_ += say.size();
  parts_.back().text = std::move(say);
}

task<void> replies::collect() {
  for (part& one : parts_) {
    if (one.reply.valid()) {
      pe_reply came = co_await std::move(one.reply);
      if (came.number != 0) one.kept = kept_reply(one.pe, came);
      one.is_bulk = came.is_bulk;
      one.text = std::move(came.text);
      come_bytes_ += one.text.size();
    } else if (!one.others.empty()) {
      for (future<std::int64_t>& other : one.others) one.sum += co_await other;
      one.others.clear();
    }
  }
  expected_ = 0;
  nothing_is_on_the_way();
}

task<void> replies::wait_to_keep(std::size_t more, const outside::connection& to) {
  of_.reply_bytes = bytes();
  of_.hold();
  bool taken = of_.take(more);
  if (!taken) taken = co_await of_.wait_to_take(more);
  if (!taken) throw outside::error(std::make_error_code(std::errc::no_buffer_space), "writing to " + to.peer());
}

// Behind text_, and with its end.
task<void> replies::write_long(part& which, const outside::connection& to) {
  if (which.kept) {
    co_await wait_to_keep(which.kept.bytes(), to);
    const std::size_t on_the_way = which.kept.bytes() + short_reply;
    if (!messages_of(on_the_way).take(on_the_way)) co_await messages_of(on_the_way).wait(on_the_way);
    note_asked(on_the_way);
    future<std::string> coming = which.kept.take();
    which.shared = std::make_shared<const std::string>(co_await std::move(coming));
    nothing_is_on_the_way();
  }
  co_await to.write(text_);
  text_.clear();
  co_await to.write(*which.shared);
  which.shared = nullptr;
  if (which.is_bulk) text_ += "\r\n";
  of_.reply_bytes = bytes();
  of_.hold();
}

task<void> replies::write(const outside::connection& to) {
  co_await collect();
  while (!parts_.empty()) {
    part& first = parts_.front();
    if (first.is_number) {
      add_number(text_, first.sum);
    } else {
      text_ += first.text;
      come_bytes_ -= first.text.size();
      if (first.shared != nullptr || first.kept) co_await write_long(first, to);
    }
    text_ += first.behind;
    if (parts_.size() > 1) earlier_bytes_ -= first.behind.size();
    parts_.pop_front();
    if (text_.size() > most_bytes) {
      co_await to.write(text_);
      text_.clear();
    }
  }
  co_await to.write(text_);
  text_.clear();
  if (text_.capacity() > most_bytes / 8) text_.shrink_to_fit();
  of_.reply_bytes = bytes();
  of_.hold();
}

}  // namespace kv
