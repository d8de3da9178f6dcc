#!/usr/bin/env bash
# MPI_Put and MPI_Get of Debian 12's MPICH wait, on one node, until the target calls MPI.
#
# Expected: memory of MPI_Win_allocate is shared on a node, so a put with MPI_Win_flush is a store, whatever the target does.
# Found, mpich 4.0.2-3+b1 (Debian 12; device ch4:ucx): while the target computes and calls nothing, put, get and fetch-and-op each take
# until it calls MPI again. With the wheel mpich 4.0.3 (PyPI; devices ch4:ofi and ucx), of the same series, they take microseconds. So a
# program whose ranks read each other's memory while they compute runs in lockstep with one package of a release, and not with another.
#
#     findings/mpich_put_waits.sh     takes both packages into a temporary folder; needs gcc, python3, and what Debian's mpich
#                                     depends on; ends with 1 if this has changed
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download mpich=4.0.2-3+b1 libmpich12=4.0.2-3+b1 libmpich-dev=4.0.2-3+b1
for package in ./*.deb; do dpkg -x "$package" debian; done
python3 -m venv wheel
wheel/bin/pip install --quiet --disable-pip-version-check mpich==4.0.3

cat > access.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <time.h>

/* Rank 1 computes for a second between two barriers. A tenth of a second after the first, rank 0 accesses its memory. */
static double access_once(int kind, MPI_Win win) {
  long value = 7, got = 0;
  double start = MPI_Wtime();
  if (kind == 0) MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
  if (kind == 1) MPI_Get(&got, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
  if (kind == 2) MPI_Fetch_and_op(&value, &got, MPI_LONG, 1, 0, MPI_SUM, win);
  MPI_Win_flush(1, win);
  return MPI_Wtime() - start;
}

int main(int argc, char** argv) {
  const char* names[] = {"put", "get", "fetch_and_op"};
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long* mine;
  MPI_Win win;
  MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  MPI_Win_lock_all(0, win);
  for (int kind = 0; kind < 3; ++kind) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
      for (double start = MPI_Wtime(); MPI_Wtime() - start < 1;) continue;
    } else {
      struct timespec tenth = {0, 100000000};
      nanosleep(&tenth, NULL);
      printf("%s %s\n", names[kind], access_once(kind, win) > 0.5 ? "waited" : "at once");
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
PROGRAM
libraries=debian/usr/lib/x86_64-linux-gnu
gcc -O2 -Idebian/usr/include/x86_64-linux-gnu/mpich access.c -o access.debian -L"$libraries" -l:libmpich.so.12
wheel/bin/mpicc -O2 access.c -o access.wheel

changed=0
says() { # WHAT WORDS COMMAND...: whether it prints the words
  local told
  told=$("${@:3}" | tr '\n' ';')
  printf '%-28s %s\n' "$1" "$told"
  [[ $told == "$2" ]] || { printf '  it was: %s\n' "$2"; changed=1; }
}
says "Debian's mpich 4.0.2-3+b1:" "put waited;get waited;fetch_and_op waited;" \
  env LD_LIBRARY_PATH="$libraries" debian/usr/bin/mpiexec.hydra -n 2 ./access.debian
says "PyPI's mpich 4.0.3:" "put at once;get at once;fetch_and_op at once;" wheel/bin/mpiexec -n 2 ./access.wheel
exit "$changed"
