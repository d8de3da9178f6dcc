"""Running a program in a test, so that a test that fails says why: what the program was, how it ended, all it said.

A self-test is behind `python3 tests/run_told.py`.
"""
import subprocess
import sys


def run_told(words, code=0, timeout=60, **options):
    """Runs it to its end, which must be that exit code. Both its streams come back as text."""
    words = [str(word) for word in words]
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=timeout, **options)
    except subprocess.TimeoutExpired as late:
        said = b"".join(stream or b"" for stream in (late.stdout, late.stderr)).decode(errors="replace")
        sys.exit(f"{' '.join(words)}\nhas not ended after {timeout} s; until then it said:\n{said}")
    if done.returncode != code:
        sys.exit(f"{' '.join(words)}\nended with exit code {done.returncode}, expected was {code}; it said:\n"
                 f"{done.stdout}{done.stderr}")
    return done


def self_test():
    shell = ["sh", "-c"]
    assert run_told([*shell, "echo here; exit 3"], code=3).stdout == "here\n"
    for command, told in (("echo lost >&2; exit 1", "exit code 1, expected was 0; it said:\nlost\n"),
                          ("echo begun; exec sleep 60", "has not ended after 1 s; until then it said:\nbegun\n")):
        try:
            run_told([*shell, command], timeout=1)
            raise AssertionError(command)
        except SystemExit as end:
            assert str(end).endswith(told), end


if __name__ == "__main__":
    self_test()
