/** The problems of compilation: what a module of its own cannot have, and what a host lacks. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

/** Why the interpreter runs a part. */
export type Reason = 'control' | 'sizes' | 'effect';

/** The parts of one function that the interpreter runs for one reason. */
export interface InterpretedPart {
  /** The function, such as `@main`. */
  readonly of: string;
  readonly reason: Reason;
  /** Constructs and operators, each with the number of times that it occurs. */
  readonly names: ReadonlyMap<string, number>;
  /** The first of them. */
  readonly span: Span | undefined;
}

/** An entry that is no plain dataflow, with the parts that are none. */
export const noDataflow = (
  entry: string,
  parts: ReadonlyArray<InterpretedPart>,
  span?: Span,
): Diagnostic =>
  diagnostic('WASM_NO_DATAFLOW', dataflowExpected(entry, parts), {
    span: parts[0]?.span ?? span,
    hint: 'control flow, data types and unknown sizes need the interpreter: use the executor `wasm`',
  });

/** An operator that only has a reference kernel. */
export const noCode = (name: string, span?: Span): Diagnostic =>
  diagnostic('WASM_NO_CODE', `${name} has no compiled code for these types and attributes`, {
    span,
    hint: 'the executor `wasm` runs its reference kernel',
  });

/** A name of two inputs or two outputs of a module: it takes and gives arrays by name. */
export const ambiguousPort = (name: string, span?: Span): Diagnostic =>
  diagnostic('WASM_AMBIGUOUS_PORT', `@main has two arrays called ${name}`, {
    span,
    hint: 'rename one',
  });

/** A program that takes more memory than a module of WebAssembly may have. */
export const tooMuchMemory = (bytes: number, most: number, span?: Span): Diagnostic =>
  diagnostic(
    'WASM_MEMORY',
    `the program takes ${bytes} bytes of memory, a module has at most ${most}`,
    {
      span,
      hint: 'run it on the interpreter, or on smaller inputs',
    },
  );

/** A host whose WebAssembly has no vectors: reference kernels run. */
export const noVectors = (): Diagnostic =>
  warning(
    'WASM_NO_VECTORS',
    'this host has no WebAssembly with vectors of 128 bits (SIMD): reference kernels run',
  );

/** A host that compiles no WebAssembly: reference kernels run. */
export const noWebAssembly = (): Diagnostic =>
  warning(
    'WASM_NO_COMPILER',
    'this host compiles no WebAssembly: reference kernels run',
    "a page under a Content-Security-Policy needs script-src 'wasm-unsafe-eval'",
  );

/** Threads that did not finish their share of a run. */
export const lostThread = (times: number): Diagnostic =>
  warning('WASM_LOST_THREAD', `${times} runs were done again: a thread did not finish`);

/** A run that fewer threads shared than are asked for, since some are not there, for a reason or yet. */
export const fewThreads = (took: number, asked: number, reason: string | undefined): Diagnostic =>
  warning('WASM_FEW_THREADS', `the last run had ${took} of ${asked} threads`, reason);

const warning = (code: string, message: string, hint?: string): Diagnostic =>
  diagnostic(code, message, { severity: 'warning', hint });

/** Parts of a function that the interpreter runs. */
export const interpreted = (part: InterpretedPart): Diagnostic =>
  diagnostic(
    'WASM_INTERPRETED',
    `the interpreter runs ${namesOf(part)} in ${part.of}: ${REASONS[part.reason]}`,
    { severity: 'warning', span: part.span, hint: HINTS[part.reason] },
  );

/** An operator whose calls run their reference kernels. */
export const referenceKernel = (name: string, calls: number, span?: Span): Diagnostic =>
  diagnostic(
    'WASM_REFERENCE_KERNEL',
    `${times(name, calls)} ${calls === 1 ? 'has' : 'have'} no compiled code for these types and attributes: the reference kernel runs`,
    { severity: 'warning', span },
  );

function dataflowExpected(entry: string, parts: ReadonlyArray<InterpretedPart>): string {
  const expected = `@${entry} expects plain dataflow on tensors of known sizes`;
  const found = parts.map((part) => `${namesOf(part)} in ${part.of}`);
  return found.length === 0 ? expected : `${expected}, found ${found.join('; ')}`;
}

const REASONS: Readonly<Record<Reason, string>> = {
  control: 'only dataflow on tensors is compiled',
  sizes: 'the sizes are not known before the run',
  effect: 'a call that may fail or has an effect is not compiled',
};

const HINTS: Readonly<Partial<Record<Reason, string>>> = {
  sizes: 'state the sizes in the types of parameters, or give them to an import in the option dims',
};

const namesOf = ({ names }: InterpretedPart): string =>
  [...names].map(([name, count]) => times(name, count)).join(', ');

const times = (name: string, count: number): string => (count === 1 ? name : `${name} × ${count}`);
