// What a step of a PE calls besides its tasks and messages: who keeps sends back, and who watches it idle.
#pragma once

namespace tsubu::remote {

// Messages that wait on their PE until it would send what it has gathered.
class deferred_sends {
 public:
  virtual void send_all() = 0;

 protected:
  ~deferred_sends() = default;
};

// Told when its PE has nothing to run, before it sends what it has gathered; often.
class idle_watcher {
 public:
  virtual void on_idle() = 0;

 protected:
  ~idle_watcher() = default;
};

}  // namespace tsubu::remote
