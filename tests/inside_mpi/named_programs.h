/* What the programs in C and in Fortran share with named_programs.cpp. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The values that this rank's PE adds up with those of the others, and where the sum goes. They stay until the next. */
void hand_over(const double* values, int n, double* sum);

#ifdef __cplusplus
}
#endif
