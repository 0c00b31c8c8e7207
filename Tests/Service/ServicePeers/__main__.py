"""Judges `thumbturnd` from outside: by clients that nobody of this project wrote, by hostile ones, and by kills.

usage: python Tests/Service/ServicePeers --daemon PATH [--postgres URI] [--stack DIR] [--child PATH] [--command PATH] [--full] [SUITE...]

Prints a line for each thing seen, and ends with 1 at the first that is not as it should be."""

import argparse
import resource
import sys
import time
import traceback

import daemon
import suite_command
import suite_connections
import suite_documents
import suite_faults
import suite_hostile
import suite_instances
import suite_kill
import suite_ledger
import suite_logins
import suite_operations
import suite_servers
import suite_tiles
import suite_timing
from run import Run

# In the order in which they are run; those of two stores are run on each.
SUITES = {
    "logins": (suite_logins.run, True),
    "servers": (suite_servers.run, False),
    "command": (suite_command.run, False),
    "documents": (suite_documents.run, True),
    "instances": (suite_instances.run, True),
    "tiles": (suite_tiles.run, True),
    "operations": (suite_operations.run, True),
    "kill": (suite_kill.run, True),
    "faults": (suite_faults.run, True),
    "ledger": (suite_ledger.run, True),
    "hostile": (suite_hostile.run, False),
    "connections": (suite_connections.run, False),
    "timing": (suite_timing.run, False),
}


def main():
    parser = argparse.ArgumentParser(prog="ServicePeers")
    parser.add_argument("--daemon", required=True, help="the program to judge")
    parser.add_argument("--child", help="the program with our SRP client, for `servers`")
    parser.add_argument("--command", help="the program `thumbturn`, for `command` and `ledger`")
    parser.add_argument("--postgres", help="a server on which databases may be made")
    parser.add_argument("--stack", help="the folder of Scripts/service-stack.sh, whose server may be stopped")
    parser.add_argument("--full", action="store_true", help="as often as it takes for rare faults to show")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=" ".join(SUITES))
    options = parser.parse_args()
    unknown = [name for name in options.suites if name not in SUITES]
    if unknown:
        parser.error("no such suite: " + " ".join(unknown))

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    daemon.Daemon.binary = options.daemon
    scratch = daemon.scratch_folder()
    for name in options.suites or SUITES:
        suite, needs_both = SUITES[name]
        for store in ["sqlite"] + ([options.postgres] if needs_both and options.postgres else []):
            run = Run(name, store, scratch, options)
            begun = time.monotonic()
            try:
                suite(run)
            except Exception:
                traceback.print_exc()
                run.show_log()
                print(f"peers: {run.title}: FAILED", file=sys.stderr)
                return 1
            finally:
                run.end()
            run.say(f"done in {time.monotonic() - begun:.1f} s")
    return 0


sys.exit(main())
