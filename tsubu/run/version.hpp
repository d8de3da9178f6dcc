// Which Tsubu a program was linked with.
#pragma once

namespace tsubu {

// As "0.1.0": the numbers of the library, which may be another than the headers' that the program was compiled with.
// Local; does not block; throws nothing.
const char* version();

}  // namespace tsubu
