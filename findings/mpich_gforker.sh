#!/usr/bin/env bash
# MPICH's second launcher, mpiexec.gforker, gives all ranks one standard input and calls a killed job a success.
#
# Expected: as under mpiexec (Hydra) of the same package, rank 0 alone has the standard input, and a rank that ends by a
# signal gives the job a code that is not 0.
# Found, MPICH 5.0.2 (the wheel `mpich` of PyPI): every rank has the launcher's own standard input, so that whoever reads
# first has what is there, and the others have none of it; and a job whose ranks end by SIGKILL ends with 0, beside a line
# "Return code = 0, signaled with Killed". The code of a rank that exits by itself is handed on.
#
#     findings/mpich_gforker.sh     installs the wheel into a temporary folder; ends with 1 if one of this has changed
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check mpich==5.0.2
launch() { "$work/python/bin/$1" "${@:2}"; }
launch mpichversion | sed -n 1p

changed=0
expect() { # WHAT FOUND WANTED
  printf '%-58s %s\n' "$1" "$2"
  [[ $2 == "$3" ]] || { printf '  it was: %s\n' "$3"; changed=1; }
}
code_of() { local code=0; "$@" >"$work/said" 2>&1 || code=$?; echo "$code"; }

# Each rank reads all it can get, and says how many lines that was.
readers() { printf 'a\nb\nc\n' | launch "$1" -n 3 sh -c 'echo $(wc -l)' | sort -n | tr '\n' ' '; }
expect "mpiexec.gforker: lines that each of 3 ranks has read" "$(readers mpiexec.gforker)" "0 0 3 "
ranks_with_input=$(printf 'a\nb\nc\n' | launch mpiexec.gforker -n 3 sh -c 'readlink /proc/self/fd/0' | sort -u | wc -l)
expect "mpiexec.gforker: different standard inputs of 3 ranks" "$ranks_with_input" 1
expect "mpiexec.gforker: code when each rank exits with 7" "$(code_of launch mpiexec.gforker -n 2 sh -c 'exit 7')" 7
expect "mpiexec.gforker: code when each rank ends by SIGKILL" "$(code_of launch mpiexec.gforker -n 2 sh -c 'kill -KILL $$')" 0
expect "mpiexec (Hydra): code when each rank ends by SIGKILL" "$(code_of launch mpiexec -n 2 sh -c 'kill -KILL $$')" 9
exit "$changed"
