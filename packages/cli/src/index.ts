/** The public names of `@baton/cli`. */
export { readNpz } from './arrays/inputs.ts';
export { outputFile } from './arrays/outputs.ts';
export { readCommandLine } from './command-line.ts';
export { type BatonConfig, defineConfig } from './config.ts';
export { EXIT, type ExitCode } from './exit-codes.ts';
export type { Host, NewFile } from './host.ts';
export { main } from './main.ts';
export { readBeside } from './node-files.ts';
export { nodeHost } from './node-host.ts';
export { rulesPass } from './pipeline.ts';
export { makeProgress } from './progress.ts';
export {
  type NamedTensors,
  RUNTIME_PACKAGE,
  type RunSamples,
  runtimeIn,
  type SessionOptions,
} from './runtime-sessions.ts';
export { inProcesses } from './timing/processes.ts';
export { serveTimes, type Timed } from './timing/serve.ts';
