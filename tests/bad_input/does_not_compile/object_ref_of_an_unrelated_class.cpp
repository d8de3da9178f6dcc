// wants: conversion from .*ref<box>.* to .*ref<shape>|could not convert .*ref<box>.* to .*ref<shape>|no viable
// conversion
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct shape : object<shape> {
  virtual ~shape() = default;
};
struct box : object<box> {};

task<int> program(arguments) {
  const ref<shape> s = create<box>(here());
  co_return s ? 0 : 1;
}
