"""Models, each optimized by several tools: `measure.py MANIFEST`, a JSON file with

- `models`: the paths;
- `tools`: the command of each tool, in which `{in}` and `{out}` stand for the files;
- `seconds`: how long a model's files are timed.

Prints a line of JSON for each model: what each tool made of it, how long that took, with what memory, how fast
onnxruntime runs it beside the others, and how far its results are from those of the file as it came.

This process loads no library: the memory of a process counts from before it becomes the tool.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

JUDGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'judge.py')

# The longest time that a tool may take, in seconds.
PATIENCE = 60


def run(command, errors):
    """Runs a command: its time, that of the processor, its most memory, and whether it succeeded."""
    start = time.perf_counter()
    with open(errors, 'wb') as log:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
        while True:
            done, status, usage = os.wait4(child.pid, os.WNOHANG)
            if done:
                break
            if time.perf_counter() - start > PATIENCE:
                child.kill()
            time.sleep(0.002)
    seconds = time.perf_counter() - start
    with open(errors, errors='replace') as log:
        lines = log.read().strip().splitlines()
    return {
        'isDone': os.waitstatus_to_exitcode(status) == 0,
        'seconds': seconds,
        'processorSeconds': usage.ru_utime + usage.ru_stime,
        'bytes': usage.ru_maxrss * 1024,
        'message': next((line for line in reversed(lines) if 'rror' in line), '')[:200],
    }


def measured(path, manifest):
    with tempfile.TemporaryDirectory() as folder:
        tools = {'original': {'isDone': True}}
        files = {'original': path}
        for name, command in manifest['tools'].items():
            target = os.path.join(folder, name, 'model.onnx')
            os.makedirs(os.path.dirname(target))
            words = [word.replace('{in}', path).replace('{out}', target) for word in command]
            tools[name] = run(words, os.path.join(folder, 'errors'))
            tools[name]['isDone'] &= os.path.exists(target)
            if tools[name]['isDone']:
                files[name] = target
        task = {'files': files, 'seconds': manifest['seconds'], 'folder': folder}
        judged = subprocess.run(
            [sys.executable, JUDGE], input=json.dumps(task), capture_output=True, text=True
        )
        if judged.returncode != 0:
            raise RuntimeError((judged.stderr.strip().splitlines() or ['no answer'])[-1])
        found = json.loads(judged.stdout.splitlines()[-1])
    for name, entry in found['files'].items():
        tools[name] = {**tools[name], **entry}
    return {'model': path, 'samples': found['samples'], 'tools': tools}


def main():
    with open(sys.argv[1]) as file:
        manifest = json.load(file)
    for path in manifest['models']:
        try:
            line = measured(path, manifest)
        except Exception as error:
            line = {'model': path, 'failure': str(error).strip()[:200]}
        print(json.dumps(line), flush=True)


main()
