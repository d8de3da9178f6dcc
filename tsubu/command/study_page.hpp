// The page of a scaling study: pictures, what bounds each application on how many PEs, and where more PEs are slower.
#pragma once

#include <filesystem>

#include "tsubu/command/child.hpp"

namespace tsubu::command {

// From what a study has written. A page that is there already keeps all but what is between the lines
// <!-- study:begin --> and <!-- study:end -->; one without these lines is not touched, and the process ends. Pictures
// go into the folder images/ beside the page, or where there is none, beside it.
void write_study_page(const std::filesystem::path& study, const std::filesystem::path& page, const workplace& here);

}  // namespace tsubu::command
