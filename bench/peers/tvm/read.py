"""Asks TVM Relay about programs: for each NAME.relay of a folder, one line of JSON.

The line says whether TVM reads the text. For each NAME.PASS.out beside it, which is the program
after a pass of Baton, it says whether TVM's pass of that name gives the same program.

Run with the Python of an installation of TVM 0.16, the last with Relay: python read.py FOLDER
"""
import json
import os
import pathlib
import sys
import tempfile

import tvm
from tvm import relay
from tvm.relay.expr_functor import ExprMutator


def answers(path):
    """What is known of a program, more each time: a pass may end TVM."""
    try:
        module = relay.fromtext(path.read_text())
    except Exception as error:  # What TVM raises depends on what it stumbles over.
        yield {"name": path.stem, "reads": False, "said": last_line(error)}
        return
    yield {"name": path.stem, "reads": True}
    outputs = sorted(path.parent.glob(f"{path.stem}.*.out"))
    yield {
        "name": path.stem,
        "reads": True,
        "passes": {out.name.split(".")[1]: compared(module, out) for out in outputs},
    }


class WithoutCopies(ExprMutator):
    """A let of a variable is the variable: TVM's A-normal form makes such lets, Baton's does not."""

    def visit_let(self, let):
        if isinstance(let.value, relay.Var):
            self.memo_map[let.var] = self.visit(let.value)
            return self.visit(let.body)
        return super().visit_let(let)


class InOrderOfUse(ExprMutator):
    """The parameters of each kernel in the order in which its body mentions them."""

    def visit_call(self, call):
        call = super().visit_call(call)
        kernel = call.op
        if not isinstance(kernel, relay.Function) or "Primitive" not in (kernel.attrs or {}):
            return call
        order = [v for v in relay.analysis.free_vars(kernel.body) if v in set(kernel.params)]
        at = {v: i for i, v in enumerate(kernel.params)}
        sorted_kernel = relay.Function(order, kernel.body, kernel.ret_type, attrs=kernel.attrs)
        return relay.Call(sorted_kernel, [call.args[at[v]] for v in order], call.attrs)


NORMAL = {"ToANormalForm": WithoutCopies, "FuseOps": InOrderOfUse}


def normal(name, module):
    """The module without what is known to differ between the two, and says nothing."""
    if name in NORMAL:
        for variable, function in module.functions.items():
            module.update_func(variable, NORMAL[name]().visit(function))
    return relay.transform.InferType()(module)


def compared(module, out):
    """`same` if TVM's pass makes of the module what Baton's made of it, `other` if not."""
    name = out.name.split(".")[1]
    try:
        found = normal(name, relay.fromtext(out.read_text()))
        with tvm.transform.PassContext(opt_level=4):
            wanted = getattr(relay.transform, name)()(module)
        wanted = normal(name, wanted)
        if tvm.ir.structural_equal(found, wanted):
            return "same"
        out.with_suffix(".tvm").write_text(wanted.astext(show_meta_data=False))
        return "other"
    except Exception as error:
        return last_line(error)


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
            for known in answers(path):
                out.seek(0)
                out.write(json.dumps(known))
                out.truncate()
                out.flush()
            os._exit(0)
        os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        crashed = {"name": path.stem, "reads": False, "said": "TVM crashed"}
        found = json.loads(out.read() or json.dumps(crashed))
        messages = [line.strip() for line in err if line.startswith("error:")]
        return {**found, "said": messages[0]} if messages and not found["reads"] else found


for program in sorted(pathlib.Path(sys.argv[1]).glob("*.relay")):
    print(json.dumps(in_a_process(program)), flush=True)
