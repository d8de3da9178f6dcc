#include "tsubu/data/variables/control.hpp"

#include "tsubu/data/variables/access_request.hpp"

namespace tsubu::data {
namespace {

// From no PE: the one that has sent it may have a copy in use, or the value.
class control_request : public request {
 protected:
  control_request(kind what, remote::reply_address to) : request(what, no_pe), to_(to) {}
  void refuse(key name) override;
  const remote::reply_address to_;
};

class protocol_request final : public control_request {
 public:
  protocol_request(remote::reply_address to, protocol how) : control_request(kind::new_protocol, to), how_(how) {}
  void run(directory_entry& entry) override {
    data_space::set_protocol(entry, how_);
    home::conclude(entry, *this, false);
    remote::answer_done(to_);
  }
  void discard() override { delete_pooled(this); }

 private:
  protocol how_;
};

// What an adaptive one changes to: it stays adaptive.
class chosen_protocol final : public request {
 public:
  explicit chosen_protocol(protocol how) : request(kind::new_protocol, no_pe), how_(how) {}
  void run(directory_entry& entry) override {
    if (entry.watch()->adapts()) entry.how = how_;  // the program may have said otherwise meanwhile
    home::conclude(entry, *this, false);
  }
  void refuse(key) override {}
  void discard() override { delete_pooled(this); }

 private:
  protocol how_;
};

class end_request final : public control_request {
 public:
  explicit end_request(remote::reply_address to) : control_request(kind::end, to) {}
  void run(directory_entry& entry) override {
    home::refuse_all(entry);
    this_space().variables.remove(entry.name);
    entry.type->destroy(entry);
    remote::answer_done(to_);
  }
  void discard() override { delete_pooled(this); }
};

void answer_ended(remote::reply_address to, const std::string& what) {
  try {
    throw variable_ended(what + " has ended");
  } catch (...) {
    remote::answer_error(to);
  }
}

void control_request::refuse(key name) { answer_ended(to_, describe(name)); }

}  // namespace

void change_protocol_message::call(const message::delivery& d, remote::reply_address to, key name, protocol how) {
  data_space& s = this_space();
  directory_entry* entry = s.find(name, d.from);
  if (entry == nullptr) return answer_ended(to, describe(name));
  require(static_cast<std::uint8_t>(how) < protocols, "PE {} asks for protocol {}, and there is none of that number",
          d.from, static_cast<int>(how));
  home::admit(*entry, *new_pooled<protocol_request>(to, how));
  s.done_with(name);
}

void change_protocol_here(directory_entry& entry, protocol how) {
  const task_group_scope of_nobody(nullptr);
  home::admit(entry, *new_pooled<chosen_protocol>(how));
}

void end_variable_message::call(const message::delivery& d, remote::reply_address to, key name) {
  directory_entry* entry = this_space().find(name, d.from);
  if (entry == nullptr) return answer_ended(to, describe(name));
  home::admit(*entry, *new_pooled<end_request>(to));
}

}  // namespace tsubu::data
