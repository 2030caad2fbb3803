/** Other optimizers instead of Baton: their files are checked like Baton's. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { referenceBytes } from './model.ts';
import { type Answer, inRuntime, type Path, runFile, type Work } from './paths.ts';

export const TOOLS = ['onnxsim', 'onnxslim', 'onnxruntime'] as const;

export type ToolName = (typeof TOOLS)[number];

export interface Tool {
  readonly path: Path;
  readonly close: () => void;
}

/** The paths of a tool; `python` is the interpreter that has it installed. */
export function makeTool(name: ToolName, python: string): Tool {
  const shared = { name, share: 1, open: true };
  if (name === 'onnxruntime')
    return { path: { ...shared, run: optimizedByRuntime }, close: () => {} };
  const server = startServer(name, python);
  return { path: { ...shared, run: (work) => rewritten(work, server) }, close: server.close };
}

/** onnxruntime's own optimizations, which happen as it loads a model. */
const optimizedByRuntime = (work: Work): Promise<Answer> =>
  inRuntime(referenceBytes(work.subject.model), work, 'all');

/** A Python process that rewrites files, one for each line of its input. */
interface Server {
  /** The mistake, or an empty text once the file is written. */
  readonly rewrite: (from: string, to: string) => Promise<string>;
  readonly folder: string;
  readonly close: () => void;
}

const PROGRAM = `
import contextlib, io, onnx, sys
tool = sys.argv[1]
if tool == 'onnxsim':
    import onnxsim
    def rewrite(m):
        found, ok = onnxsim.simplify(m)
        if not ok:
            raise RuntimeError('the check of onnxsim fails')
        return found
else:
    import onnxslim
    rewrite = onnxslim.slim
for line in sys.stdin:
    source, target = line.rstrip('\\n').split('\\t')
    problem = ''
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            onnx.save(rewrite(onnx.load(source)), target)
    except BaseException as error:
        problem = (type(error).__name__ + ': ' + str(error)).replace('\\n', ' ') or 'error'
    print('\\x01' + problem, flush=True)
`;

function startServer(name: ToolName, python: string): Server {
  const folder = mkdtempSync(join(tmpdir(), 'baton-hunt-'));
  const start = (): { process: ChildProcess; lines: AsyncIterator<string> } => {
    const child = spawn(python, ['-c', PROGRAM, name], { stdio: ['pipe', 'pipe', 'ignore'] });
    return {
      process: child,
      lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    };
  };
  let running = start();
  return {
    folder,
    rewrite: async (from, to) => {
      const { process: child, lines } = running;
      child.stdin?.write(`${from}\t${to}\n`);
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) {
          if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
          const how = child.signalCode ?? `code ${child.exitCode}`;
          running = start();
          return `the process ended: ${how}`;
        }
        // The tool may print other lines.
        if (value.startsWith('\x01')) return value.slice(1);
      }
    },
    close: () => {
      running.process.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function rewritten(work: Work, { rewrite, folder }: Server): Promise<Answer> {
  const [from, to] = [join(folder, 'given.onnx'), join(folder, 'made.onnx')];
  writeFileSync(from, referenceBytes(work.subject.model));
  const problem = await rewrite(from, to);
  if (problem !== '') return { _tag: 'Wrong', kind: 'throws', detail: problem };
  return runFile(new Uint8Array(readFileSync(to)), work);
}
