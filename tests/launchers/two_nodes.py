"""A Slurm of two nodes on this machine, for as long as this process lives.

enter() starts the calling script again as the first process of namespaces of its own (processes, mounts, network, host
name), so all that it starts, mounts and connects is gone when it ends, however it ends. In there Cluster starts munged,
slurmctld, and on each node a slurmd: a node has a network of its own, joined to the others' by a bridge, a name, its
own /dev/shm and its own folder for what Slurm keeps.
"""
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

INSIDE = "TSUBU_TEST_INSIDE_NODES"
COMMANDS = ("unshare", "nsenter", "ip", "mount", "munged", "slurmctld", "slurmd", "srun", "sbatch", "salloc", "scontrol", "sinfo")
NODES = ("n1", "n2")
HERE = Path("/run/cluster")
ADDRESS = "10.77.0."  # of the controller 100, of node i i
READY_S = 60

# Without accounting, cgroups and a database. Each node says that it has more cores than it has.
CONFIGURATION = f"""
ClusterName=tsubu
SlurmctldHost=control({ADDRESS}100)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={HERE}/munge.socket
CredType=cred/munge
StateSaveLocation={HERE}/state
SlurmdSpoolDir={HERE}/node/spool
TmpFS={HERE}/node/tmp
SlurmctldPidFile={HERE}/slurmctld.pid
SlurmdPidFile={HERE}/node/slurmd.pid
SlurmctldLogFile={HERE}/slurmctld.log
SlurmdLogFile={HERE}/node/slurmd.log
SlurmctldTimeout=30
SlurmdTimeout=30
KillWait=5
ReturnToService=2
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
""" + "".join(f"NodeName={name} NodeAddr={ADDRESS}{i} CPUs=4 RealMemory=1000 State=UNKNOWN\n"
              for i, name in enumerate(NODES, 1)) + f"PartitionName=all Nodes={','.join(NODES)} Default=YES MaxTime=10\n"
NAMES = "127.0.0.1 localhost\n" + "".join(f"{ADDRESS}{i} {name}\n" for i, name in (*enumerate(NODES, 1), (100, "control")))


def why_not():
    """What is missing for it; "": nothing."""
    if os.geteuid() != 0:
        return "it needs root, for namespaces"
    missing = [name for name in COMMANDS if shutil.which(name) is None]
    if missing:
        return f"{', '.join(missing)}: not found (apt install slurm-wlm munge iproute2)"
    tried = subprocess.run([*UNSHARE, "sh", "-ec", "mount -t tmpfs none /run; ip link add one type bridge; "
                            "ip link add two type veth peer name three"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else f"this system lets root make no namespaces: {tried.stderr.strip()}"


UNSHARE = ["unshare", "--fork", "--kill-child", "--pid", "--mount-proc", "--mount", "--net", "--uts", "--ipc"]


def enter():
    """Returns in the namespaces only. Outside of them the process becomes unshare, and ends as the one inside does."""
    if os.environ.pop(INSIDE, None) is None:
        os.execvpe("unshare", [*UNSHARE, sys.executable, "-B", *sys.argv], {**os.environ, INSIDE: "1"})


def run(*words):
    subprocess.run(words, check=True)


class Cluster:
    def __init__(self):
        self.daemons = {}
        run("mount", "-t", "tmpfs", "none", "/run")
        for folder in (HERE / "state", HERE / "node" / "tmp", HERE / "job"):
            folder.mkdir(parents=True)
        self.write("slurm.conf", CONFIGURATION)
        self.write("cgroup.conf", "CgroupPlugin=cgroup/v1\n")
        self.write("hosts", NAMES)
        run("mount", "--bind", str(HERE / "hosts"), "/etc/hosts")
        run("hostname", "control")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "nodes", "type", "bridge")
        run("ip", "address", "add", f"{ADDRESS}100/24", "dev", "nodes")
        run("ip", "link", "set", "nodes", "up")
        os.environ["SLURM_CONF"] = str(HERE / "slurm.conf")
        os.environ["TMPDIR"] = str(HERE / "node" / "tmp")
        self.start_munge()
        self.start("slurmctld", ["slurmctld", "-D", "-c"])
        for i, name in enumerate(NODES, 1):
            self.start_node(i, name)

    def write(self, name, text):
        (HERE / name).write_text(text, encoding="utf-8")

    def start(self, name, words):
        said = open(HERE / f"{name}.said", "w", encoding="utf-8")
        self.daemons[name] = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)

    def start_munge(self):
        key = HERE / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.start("munged", ["munged", "--foreground", f"--key-file={key}", f"--socket={HERE}/munge.socket",
                              f"--pid-file={HERE}/munged.pid", f"--seed-file={HERE}/munge.seed"])

    def start_node(self, i, name):
        """The shell waits until its network has been given to it, and becomes slurmd."""
        script = (f"read go; mount -t tmpfs none {HERE}/node; mount -t tmpfs none /dev/shm; mkdir {HERE}/node/tmp {HERE}/node/spool; "
                  f"mount -t sysfs none /sys; hostname {name}; ip link set lo up; ip link set eth name eth0; "
                  f"ip address add {ADDRESS}{i}/24 dev eth0; ip link set eth0 up; exec slurmd -D -c -N {name}")
        said = open(HERE / f"{name}.said", "w", encoding="utf-8")
        shell = subprocess.Popen(["unshare", "--mount", "--net", "--uts", "--ipc", "sh", "-ec", f"echo; {script}"],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True)
        shell.stdout.readline()  # it is there
        run("ip", "link", "add", f"to_{name}", "type", "veth", "peer", "name", "eth", "netns", str(shell.pid))
        run("ip", "link", "set", f"to_{name}", "master", "nodes", "up")
        shell.stdin.write("\n")
        shell.stdin.close()
        self.daemons[name] = shell

    def wait_until_ready(self):
        """What is wrong; "": all nodes are idle."""
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            for name, daemon in self.daemons.items():
                if daemon.poll() is not None:
                    return f"{name} has ended with {daemon.returncode}\n{self.logs()}"
            seen = subprocess.run(["sinfo", "-h", "-N", "-o", "%N %T"], capture_output=True, text=True)
            if seen.stdout.split() == [word for name in NODES for word in (name, "idle")]:
                return ""
            time.sleep(0.2)
        return f"the nodes are not idle after {READY_S} s: {seen.stdout} {seen.stderr}\n{self.logs()}"

    def logs(self):
        logs = [*HERE.glob("*.said"), HERE / "slurmctld.log"]
        logs += [Path(f"/proc/{self.daemons[name].pid}/root{HERE}/node/slurmd.log") for name in NODES if name in self.daemons]
        return "".join(f"--- {log}\n" + "".join(log.read_text(errors="replace").splitlines(True)[-30:])
                       for log in logs if log.exists())
