// Who may write a file that is code: whoever may, or may put another one into its place, runs code as this user.
#pragma once

#include <string>

namespace tsubu {

// Why a file or folder is not to be trusted, or nothing: "/tmp/x belongs to user 1001, who is neither you, nor root,
// nor the program's owner". A group that is the user's own counts as the user; in a folder with the sticky bit nobody
// replaces what is another's. The folder that a file is in is looked at by another call.
std::string why_not_trusted(const std::string& path);

}  // namespace tsubu
