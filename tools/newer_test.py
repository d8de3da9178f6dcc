"""Promise: tools/newer says what a machine lacks, whatever it has started ends with it, and a bare tree stays bare."""
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from bad_tree import load

TOOLS = pathlib.Path(__file__).parent
newer = load("newer")
# As main() does, with two processes that would stay, the second in the background.
RUNS = """
from bad_tree import load
newer = load("newer")
newer.heed_signals()
newer.run([*newer.ON_OUR_OWN, "sh", "-euc", "mount -t tmpfs tmpfs /mnt; sleep $1 & echo begun; sleep $1", "sh", "86399.25"])
"""


def said_by(*words):
    return subprocess.run([TOOLS / "newer", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)


def sleepers():
    """How many processes sleep for that long; one that is about to become such a sleep does not count yet."""
    found = 0
    for process in pathlib.Path("/proc").iterdir():
        try:
            found += process.name.isdigit() and b"\0".join([b"sleep", b"86399.25", b""]) == (process / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended meanwhile
    return found


def come_to(number):
    """Whether there are so many of them before long."""
    deadline = time.monotonic() + 30
    while sleepers() != number:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


class Newer(unittest.TestCase):
    def test_what_is_lacking(self):
        refused = said_by("--suite", "nowhere")
        self.assertEqual(refused.returncode, 2)
        self.assertRegex(refused.stderr, "^newer: (debootstrap knows no Debian nowhere|this is not root|there is no )")
        left_out = said_by("--suite", "nowhere", "--if-possible")
        self.assertEqual(left_out.returncode, 0)
        self.assertRegex(left_out.stderr, "== newer: left out: ")

    @unittest.skipUnless(newer.may_mount(), "nothing may be mounted here")
    def test_a_bare_tree_stays_as_it_is(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "tsubu").mkdir()
            (tree / "old").write_text("as it was")
            # What is done there: the layer is seen with the tree below it, and takes what is written.
            written = 'cat "$1/old"; echo new >"$1/old"; echo new >"$1/new"; cat "$1/old" "$1/new"; test "$#" = 2'
            done = subprocess.run([*newer.ON_OUR_OWN, "sh", "-euc", newer.ON_TOP + written, "sh", folder, "a word"],
                                  stdout=subprocess.PIPE, text=True, check=True)
            self.assertEqual(done.stdout, "as it wasnew\nnew\n")
            self.assertEqual(sorted(one.name for one in tree.rglob("*")), ["old", "tsubu"])
            self.assertEqual((tree / "old").read_text(), "as it was")

    @unittest.skipUnless(newer.may_mount(), "nothing may be mounted here")
    def test_everything_ends_with_it(self):
        for number in signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL:
            with self.subTest(number), subprocess.Popen([sys.executable, "-Bc", RUNS], cwd=TOOLS, text=True,
                                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as started:
                self.assertEqual(started.stdout.readline(), "begun\n")
                # Both of them sleep before it is ended: else a look too early would find none, and the next one that comes.
                self.assertTrue(come_to(2))
                started.send_signal(number)
                self.assertNotEqual(started.wait(timeout=30), 0)
                self.assertTrue(come_to(0))


if __name__ == "__main__":
    unittest.main()
