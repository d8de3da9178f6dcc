"""Small trees for the tests of the tools: write them, run a tool on them, look at what it says."""
import importlib.machinery
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

TOOLS = Path(__file__).resolve().parent


def load(tool: str):
    """tools/<tool> as a module."""
    loader = importlib.machinery.SourceFileLoader(tool, str(TOOLS / tool))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(tool, loader))
    loader.exec_module(module)
    return module


def run(tool: str, files: dict):
    """Exit code and standard output of tools/<tool> on a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        ended = subprocess.run([sys.executable, "-B", str(TOOLS / tool), folder], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
        return ended.returncode, ended.stdout
