"""Reads and optimizes programs with TVM Relay: for each NAME.relay of a folder, one line of JSON.

Times are seconds of processor time of this process and its children, since what else runs on the
machine does not enter them.

Run with the Python of an installation of TVM 0.16, the last with Relay: python optimize.py FOLDER
"""
import json
import pathlib
import resource
import sys

import tvm
from tvm import relay

PASSES = [
    relay.transform.SimplifyInference(),
    relay.transform.FoldConstant(),
    relay.transform.FoldScaleAxis(),
    relay.transform.SimplifyExpr(),
    relay.transform.CanonicalizeOps(),
    relay.transform.EliminateCommonSubexpr(),
    relay.transform.FoldConstant(),
    relay.transform.FuseOps(),
]


def processor_time():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def kernels(module):
    found = []

    def visit(node):
        if isinstance(node, relay.Call) and isinstance(node.op, relay.Function):
            found.append(node)

    relay.analysis.post_order_visit(module["main"], visit)
    return len(found)


for path in sorted(pathlib.Path(sys.argv[1]).glob("*.relay")):
    text = path.read_text()
    start = processor_time()
    module = relay.fromtext(text)
    read = processor_time()
    with tvm.transform.PassContext(opt_level=4):
        module = tvm.transform.Sequential(PASSES)(module)
    done = processor_time()
    line = {"name": path.stem, "read": read - start, "optimize": done - read, "kernels": kernels(module)}
    print(json.dumps(line), flush=True)
