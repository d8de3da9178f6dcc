#include "tsubu/remote/ended_pe.hpp"

namespace tsubu::remote {
namespace {

constinit thread_local bool one_destroys = false;

}  // namespace

ended_pe::ended_pe() { one_destroys = true; }

ended_pe::~ended_pe() { one_destroys = false; }

bool ended_pe::is_here() { return one_destroys; }

}  // namespace tsubu::remote
