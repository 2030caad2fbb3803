/** Runs one kernel of the compiled executor, alone on a memory of its own. */
import { emit, type HandKernel, hostWebAssembly } from '@baton/wasm';

/** Prepares a kernel without epilogue for operands of small numbers. */
export function prepareKernel(
  kernel: HandKernel,
  [data, weight, out]: readonly [number, number, number],
): () => void {
  const packed = kernel.packedBytes === 0 ? weight : kernel.packedBytes / 4;
  const sizes = [data, packed, out, kernel.scratchBytes / 4];
  let end = 0;
  const starts = sizes.map((size) => {
    const start = end;
    end = start + 64 * Math.ceil(size / 16) + 64;
    return start;
  });
  const { run, memory } = runnable(kernel.emit, end);
  const floats = new Float32Array(memory);
  for (let i = 0; i < floats.length; i++) floats[i] = ((i * 7) % 17) / 32 - 0.25;
  return () => run(...starts);
}

/** A function on a memory of its own. */
export function runnable(add: (module: Module) => emit.FunctionRef, bytes: number) {
  const host = hostWebAssembly();
  if (host === undefined) throw new Error('this host has no WebAssembly');
  const module = emit.makeModule();
  module.importMemory('env', 'memory', { minimum: 1 });
  module.exportFunction('run', add(module));
  const memory = new host.Memory({ initial: Math.ceil(bytes / 65536) });
  const { exports } = new host.Instance(new host.Module(module.finish()), { env: { memory } });
  const { run } = exports;
  if (run === undefined) throw new Error('the function is exported');
  return { run, memory: memory.buffer };
}

type Module = ReturnType<typeof emit.makeModule>;

/** **Units** ms. Times of some runs, sorted, after a warm-up that lets V8 compile the code well. */
export async function timesOf(run: () => void, totalMs: number): Promise<number[]> {
  const times: number[] = [];
  for (let spent = 0, warm = true; spent < totalMs; ) {
    const start = performance.now();
    run();
    const ms = performance.now() - start;
    spent += ms;
    if (warm && spent > totalMs / 4) {
      warm = false;
      // Compilation ends on another thread.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (!warm) times.push(ms);
  }
  return times.sort((a, b) => a - b);
}
