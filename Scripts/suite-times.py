#!/usr/bin/env python3
"""Runs each suite alone, and prints what it takes: together they wait for each other, so that no suite's time says anything.

usage: suite-times.py [--only REGEX] COMMAND...   COMMAND is what `make test` runs

exit codes: 0 every suite passed, 1 one did not
"""

import argparse
import re
import resource
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--only", default="")
options, command = parser.parse_known_args()

listed = subprocess.run([*command, "--list-tests"], capture_output=True, text=True, check=True).stdout
# "Module.Suite/Inner/`a name`()" or "Module.`a name`()".
suites = sorted({match[1] for line in listed.splitlines() if (match := re.match(r"([\w.]+(?:/\w+)*)/(?:`|\w+\()", line))})
times = []
failed = False
for suite in suites:
    if not re.search(options.only, suite):
        continue
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ended = subprocess.run([*command, "--filter", f"^{re.escape(suite)}/"], capture_output=True, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    times.append((spent, time.monotonic() - start, suite))
    if ended.returncode:
        failed = True
        print(f"{suite} ended with {ended.returncode}", file=sys.stderr)
times.sort(reverse=True)
print("processor   elapsed  suite")
for spent, elapsed, suite in times[:10]:
    print(f"{spent:8.2f} s {elapsed:7.2f} s  {suite}")
print(f"{sum(spent for spent, _, _ in times):8.2f} s {sum(elapsed for _, elapsed, _ in times):7.2f} s  {len(times)} suites")
sys.exit(failed)
