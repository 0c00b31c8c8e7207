"""`schemathesis` reads the service's own document and looks for a breach of it."""

import os
import subprocess
import sys

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def run(run):
    with run.daemon() as service:
        command = [
            os.path.join(os.path.dirname(sys.executable), "schemathesis"), "run", service.origin + "/openapi.json",
            "--checks", CHECKS, "--no-color",
        ]
        if not run.is_full:
            command += ["--max-examples", "30" if run.kind == "sqlite" else "10"]
        folder = os.path.join(run.scratch, "schemathesis")
        os.makedirs(folder, exist_ok=True)
        hooks = os.path.join(os.path.dirname(os.path.abspath(__file__)), "document_hooks.py")
        environment = os.environ | {"SCHEMATHESIS_HOOKS": hooks}
        told = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        if told.returncode != 0:
            print(told.stdout[-8000:], told.stderr[-2000:])
        assert told.returncode == 0, f"schemathesis ended with {told.returncode}"
        counts = [line.strip() for line in told.stdout.splitlines() if "generated," in line]
        run.say("schemathesis: " + "; ".join(counts))
        assert service.stop() == 0
