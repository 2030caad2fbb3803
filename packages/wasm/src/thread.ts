/** Threads of compiled programs: what a host starts, and what runs in them. */
import { endCrew, MEMORY, SERVE } from './crew.ts';
import {
  hostWebAssembly,
  type WasmImports,
  type WasmInstance,
  type WasmMemory,
  type WasmModule,
  type WebAssemblyHost,
} from './web-assembly.ts';

/** The work of a thread, which can be posted to a worker. */
export interface ThreadWork {
  readonly module: WasmModule;
  /** Shared between all threads of a program. */
  readonly memory: WasmMemory;
}

/**
 * Starts a thread that calls {@link serveThread} with this work. It need not be there when this
 * function returns, and must not keep the process alive.
 */
export type StartThread = (work: ThreadWork) => void;

/**
 * Takes part in the runs of a program. A worker calls it; it returns when the program is no longer used,
 * as far as the host collects garbage.
 */
export function serveThread({ module, memory }: ThreadWork): void {
  const host = hostWebAssembly();
  if (host !== undefined) instanceOf(module, memory, host).exports[SERVE]?.();
}

/** The programs with threads, which end with them. */
const programs = new FinalizationRegistry<WasmMemory>(({ buffer }) => endCrew(buffer));

/** Ends the threads on a memory when a program is no longer used. */
export const endWith = (program: object, memory: WasmMemory): void =>
  programs.register(program, memory);

/** A module on a memory. */
export function instanceOf(
  module: WasmModule,
  memory: WasmMemory,
  host: WebAssemblyHost,
  others: WasmImports = {},
): WasmInstance {
  const [from, name] = MEMORY;
  return new host.Instance(module, { [from]: { [name]: memory }, ...others });
}
