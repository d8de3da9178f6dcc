#include "tsubu/run/one_memory.hpp"

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::run_detail {
namespace {

struct memory_choice {
  bool let = false;
};
const pe_local<memory_choice> memory_chosen;

}  // namespace

bool uses_one_memory() {
  return memory_chosen->let && simulated == nullptr &&
         remote::current_pe->transport().pes_per_process() == remote::current_pe->count();
}

void let_use_one_memory(bool let) { memory_chosen->let = let; }

}  // namespace tsubu::run_detail
