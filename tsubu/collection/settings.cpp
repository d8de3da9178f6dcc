#include "tsubu/collection/settings.hpp"

#include "tsubu/remote/pe_local.hpp"

namespace tsubu::collection {
namespace {

pe_local<collection_settings> settings_here;

}  // namespace

void configure(const collection_settings& settings) { *settings_here = settings; }

const collection_settings& configured() { return *settings_here; }

}  // namespace tsubu::collection
