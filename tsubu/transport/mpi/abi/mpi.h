/* What the sources of a plug-in include: here the header of the standard ABI, which no MPI needs to be installed for. */
#pragma once

#include "mpi_abi.h"
