#include "abcl/messages/sync.hpp"

#include "abcl/messages/boxes.hpp"
#include "abcl/messages/effects.hpp"
#include "abcl/messages/values.hpp"
#include "abcl/resolve/waits.hpp"

namespace abcl::messages {

values sync(const context& outside, const tree::sync& e, const type* want) {
  context at = outside;
  at.in_sync = true;
  std::vector<value> boxes;
  for (const variable* v : e.boxes) {
    boxes.push_back(open_box(at, at.program.words_of(v->of), true));
    at.names.open(*v, boxes.back());
  }
  run(at, e.body);
  values more;
  if (e.last != nullptr) {
    const bool known = want != nullptr && want->is(type::kind::message) && !want->parts.empty();
    more = eval(at, *e.last, known ? want->parts.back() : nullptr);
  }
  values all;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    at.out.stand_at(e.where);
    const values v = take_reply(at, boxes[i], e.boxes[i]->of, false, {awaited_in_box(e, *e.boxes[i])});
    all.insert(all.end(), v.begin(), v.end());
  }
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace abcl::messages
