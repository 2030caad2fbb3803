"""Asks TVM Relay to read programs: for each NAME.relay of a folder, one line of JSON.

Run with the Python of an installation of TVM 0.16, the last with Relay: python read.py FOLDER
"""
import json
import os
import pathlib
import sys
import tempfile

from tvm import relay


def answer(path):
    """What TVM says of one program: whether its text is read, and whether its types are found."""
    try:
        module = relay.fromtext(path.read_text())
    except Exception as error:  # What TVM raises depends on what it stumbles over.
        return {"name": path.stem, "reads": False, "said": last_line(error)}
    try:
        relay.transform.InferType()(module)
    except Exception as error:
        return {"name": path.stem, "reads": True, "types": False, "said": last_line(error)}
    return {"name": path.stem, "reads": True, "types": True}


def last_line(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines or [type(error).__name__])[-1][:300]


def in_a_process(path):
    """The answer of a process of its own: some programs end TVM. What it prints is what it means."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = os.fork()
        if child == 0:
            os.dup2(err.fileno(), 2)
            os.dup2(err.fileno(), 1)
            out.write(json.dumps(answer(path)))
            out.flush()
            os._exit(0)
        os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        found = json.loads(out.read() or json.dumps({"name": path.stem, "reads": False, "said": "TVM crashed"}))
        messages = [line.strip() for line in err if line.startswith("error:")]
        return {**found, "said": messages[0]} if messages else found


for program in sorted(pathlib.Path(sys.argv[1]).glob("*.relay")):
    print(json.dumps(in_a_process(program)), flush=True)
