#include "tsubu/outside/offload.hpp"

#include "tsubu/outside/poller.hpp"

namespace tsubu::outside::detail {

namespace {

class under_way final : public operation {
 public:
  under_way(std::shared_ptr<poller> by, std::unique_ptr<offloaded> one)
      : operation(std::move(by)), one_(std::move(one)) {}
  void run() { one_->run(); }
  void finish() override { one_->give(); }

 private:
  const std::unique_ptr<offloaded> one_;
};

}  // namespace

void offload_one(std::unique_ptr<offloaded> one) {
  const std::shared_ptr<poller> here = poller::here("offload()");
  here->offload(std::make_shared<under_way>(here, std::move(one)),
                [](operation& which) { static_cast<under_way&>(which).run(); });
}

}  // namespace tsubu::outside::detail
