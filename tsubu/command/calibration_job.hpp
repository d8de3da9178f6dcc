// The program that `tsubu calibrate` runs, on this computer and in the simulator: it measures what the runtime's steps
// take between the first PE and the last, and prints the figures of each repetition as one line of JSON.
#pragma once

namespace tsubu::command {

int calibration_job(int argc, char** argv);

}  // namespace tsubu::command
