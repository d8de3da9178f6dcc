#include "tsubu/data/settings.hpp"

#include "tsubu/remote/pe_local.hpp"

namespace tsubu::data {
namespace {

pe_local<space_settings> settings_here;

}  // namespace

void configure(const space_settings& settings) { *settings_here = settings; }

const space_settings& configured() { return *settings_here; }

const profiler*& linked_profiler() {
  static const profiler* linked = nullptr;
  return linked;
}

}  // namespace tsubu::data
