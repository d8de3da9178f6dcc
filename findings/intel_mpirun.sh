#!/usr/bin/env bash
# Intel MPI's mpirun starts whichever mpiexec.hydra comes first in PATH, also another MPI's.
#
# Expected: mpirun called by its path starts the launcher that lies beside it.
# Found, impi-rt 2021.18.1 (PyPI): mpirun is a shell script that calls mpiexec.hydra by name. With MPICH's folder in PATH, and its own
# not, Intel's mpirun is MPICH's launcher, `--version` included: so what that says does not tell which mpirun was called.
#
#     findings/intel_mpirun.sh     installs both wheels into temporary folders; ends with 1 if this has changed
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for package in impi-rt==2021.18.1 mpich==5.0.2; do
  python3 -m venv "$work/${package%%=*}"
  "$work/${package%%=*}/bin/pip" install --quiet --disable-pip-version-check "$package"
done
mpirun=$work/impi-rt/bin/mpirun

changed=0
says() { # WHAT WORDS [NAME=VALUE]: whether the version that mpirun tells, with that environment, has the words
  local told
  told=$(env "${@:3}" "$mpirun" --version 2>&1 | sed -n 1,3p | tr -s ' \n' ' ')
  printf '%-44s %s\n' "$1" "${told:0:90}"
  [[ $told == *"$2"* ]] || { printf '  it had the words: %s\n' "$2"; changed=1; }
}
says "its own folder is first in PATH:" "Intel(R) MPI Library" "PATH=$work/impi-rt/bin:$PATH"
says "MPICH's folder is first in PATH:" "HYDRA build details: Version: 5.0.2" "PATH=$work/mpich/bin:$PATH"
exit "$changed"
