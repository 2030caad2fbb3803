/**
 * Compiled code reaches no byte outside of its buffers: places are checked when a region is compiled,
 * and here each kernel runs in memory whose other bytes are poisoned, and must be found as they were.
 */
import { orThrow } from '@baton/base';
import { type Func, type IRModule, inferTypes } from '@baton/ir';
import { regionOf, type Window, windowsIn, windowsOf } from '@baton/lower';
import { standardOps } from '@baton/ops';
import { shapeSize, storageOf, type Tensor } from '@baton/tensor';
import { callsOf, GENERATORS, inputsFor } from '@baton/testing';
import { hostWebAssembly, simdLevel, type WebAssemblyHost } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { type Compiled, compileRegion } from '../../packages/wasm/src/compile.ts';
import { MEMORY } from '../../packages/wasm/src/crew.ts';
import { checkPlaces, type Places } from '../../packages/wasm/src/places.ts';
import { amount } from '../tier.ts';
import { parse } from './support.ts';

const host = hostWebAssembly() as WebAssemblyHost;
const level = simdLevel();
const SEED = 16_200;
const CALLS = amount(8, { quick: 3 });
const PROGRAMS = amount(6, { quick: 3 });
const PAGE_BYTES = 65_536;

/** The compiled `main`, if it has no reference kernel. */
function compiledMain(m: IRModule, transforms: boolean): Compiled | undefined {
  const region = regionOf(m.functions.get('main') as Func, m);
  if (region === undefined) return undefined;
  const compiled = compileRegion(region, m, { level, isExact: false, transforms });
  const isWhole = compiled.tasks.every(({ _tag }) => _tag === 'Run');
  return isWhole && compiled.code !== undefined ? compiled : undefined;
}

interface Run {
  /** The memory before and after. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly results: ReadonlyArray<Uint8Array>;
}

/** Runs a region in memory that is full of one byte, but for its constants and arguments. */
function runIn(poison: number, compiled: Compiled, args: ReadonlyArray<Tensor>): Run {
  const { lowered, addressOf, bytes, placed, tasks, code } = compiled;
  const memory = new host.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) + 1 });
  const all = new Uint8Array(memory.buffer).fill(poison);
  for (const { write } of placed) write(memory.buffer);
  const bytesOf = ({ data, dtype, shape, offset }: Tensor): Uint8Array => {
    const width = new (storageOf(dtype))(0).BYTES_PER_ELEMENT;
    return new Uint8Array(data.buffer, data.byteOffset + offset * width, shapeSize(shape) * width);
  };
  const placeOf = (window: Window): Uint8Array => {
    const width = new (storageOf(window.dtype))(0).BYTES_PER_ELEMENT;
    const at = addressOf(window.buffer) + window.offset * width;
    return all.subarray(at, at + shapeSize(window.shape) * width);
  };
  for (const [i, window] of lowered.params.flatMap(windowsIn).entries()) {
    placeOf(window).set(bytesOf(args[i] as Tensor));
  }
  const before = all.slice();
  const [module, name] = MEMORY;
  const instance = new host.Instance(new host.Module(code as Uint8Array<ArrayBuffer>), {
    math: Math as never,
    [module]: { [name]: memory },
  });
  for (const task of tasks) if (task._tag === 'Run') instance.exports[task.name]?.();
  const results = windowsIn(lowered.result)
    .filter(({ buffer }) => lowered.buffers[buffer]?.constant === undefined)
    .map((window) => placeOf(window).slice());
  return { before, after: all, results };
}

/** Which bytes a run may write: those of the buffers of the arena. */
function writable({ lowered, addressOf, bytes }: Compiled): Uint8Array {
  const may = new Uint8Array(bytes);
  for (const [buffer, one] of lowered.buffers.entries()) {
    if (one.constant !== undefined) continue;
    const at = addressOf(buffer);
    may.fill(1, at, at + one.bytes);
  }
  return may;
}

/** The fault of a program's code, if it has one. */
function faultOf(compiled: Compiled, args: ReadonlyArray<Tensor>): string | undefined {
  const may = writable(compiled);
  const runs = [0xff, 0x3f].map((poison) => runIn(poison, compiled, args));
  for (const { before, after } of runs) {
    for (let i = 0; i < after.length; i++) {
      if (after[i] !== before[i] && may[i] !== 1) return `byte ${i} of ${may.length} is written`;
    }
  }
  const [one, other] = runs as [Run, Run];
  const isSame = one.results.every(
    (bytes, i) => Buffer.compare(bytes, other.results[i] ?? bytes) === 0,
  );
  return isSame
    ? undefined
    : 'the result depends on bytes that are in no buffer, or were not written';
}

const tensorsIn = (values: ReturnType<typeof inputsFor>): ReadonlyArray<Tensor> =>
  values.flatMap((value) =>
    value._tag === 'Tensor'
      ? [value]
      : value._tag === 'Tuple'
        ? value.fields.flatMap((field) => (field._tag === 'Tensor' ? [field] : []))
        : [],
  );

/** Checks a program, and says whether it was compiled. */
function check(m: IRModule, seed: number, problems: string[], transforms = false): boolean {
  const compiled = compiledMain(m, transforms);
  if (compiled === undefined) return false;
  const fault = faultOf(compiled, tensorsIn(inputsFor(m.functions.get('main') as Func, seed)));
  if (fault !== undefined) problems.push(`seed ${seed}: ${fault}`);
  return true;
}

describe('compiled code stays in its buffers', () => {
  it('on calls of every operator', () => {
    const problems: string[] = [];
    const compiled = new Set<string>();
    for (const name of standardOps.names) {
      for (let seed = SEED; seed < SEED + CALLS; seed++) {
        const m = callsOf(standardOps, name, [seed], 'float32');
        const own: string[] = [];
        if (m !== undefined && check(m, seed, own, seed % 2 === 0)) compiled.add(name);
        problems.push(...own.map((problem) => `${name}, ${problem}`));
      }
    }
    expect(problems).toEqual([]);
    expect(compiled.size).toBeGreaterThan(60);
  });

  it.each(GENERATORS)('on programs of $name', ({ program }) => {
    const problems: string[] = [];
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      check(orThrow(inferTypes(program(seed).module)), seed, problems);
    }
    expect(problems).toEqual([]);
  });
});

describe('places', () => {
  const text = `
    def @main(%a: Tensor[(4, 6), float32], %b: Tensor[(4, 6), float32]) {
      let %s = add(%a, %b);
      (concatenate((%s, %b), axis=1), nn.softmax(transpose(%s)))
    }`;
  const compiled = compiledMain(orThrow(inferTypes(parse(text))), false) as Compiled;
  const { lowered, addressOf, bytes } = compiled;
  const places: Places = { start: 64, end: bytes, addressOf, constants: new Map() };
  const [first, ...others] = lowered.kernels as [
    Compiled['lowered']['kernels'][number],
    ...Compiled['lowered']['kernels'],
  ];
  const withOut = (change: (out: Window) => Partial<Window>) => {
    if (first._tag === 'Reference') throw new Error('the kernel is compiled');
    const out = { ...first.out, ...change(first.out) } as Window;
    return { ...lowered, kernels: [{ ...first, out }, ...others] };
  };

  it('are as they must be', () => {
    expect(() => checkPlaces(lowered, places)).not.toThrow();
  });

  it.each([
    ['begins before it', { offset: -1 }, undefined],
    ['ends behind it', { offset: 1 }, undefined],
    [
      'has a row too many',
      undefined,
      (shape: ReadonlyArray<number>) => shape.map((dim) => dim + 1),
    ],
    ['runs backwards out of it', { strides: [-6, 1] }, undefined],
  ])('a window that %s is found out', (_, part, grow) => {
    const wrong = withOut(({ shape }) => ({ ...part, ...(grow && { shape: grow(shape) }) }));
    expect(() => checkPlaces(wrong, places)).toThrow('a window lies inside');
  });

  it('a buffer beside the arena is found out, as is a part beside its whole', () => {
    const short = { ...places, end: bytes - 64 };
    expect(() => checkPlaces(lowered, short)).toThrow('a buffer lies in its part of memory');
    const low = { ...places, addressOf: (buffer: number) => addressOf(buffer) - 64 };
    expect(() => checkPlaces(lowered, low)).toThrow('a buffer lies in its part of memory');
    const parted = lowered.buffers.map((buffer, i) => ({
      ...buffer,
      within: i === 0 ? { buffer: 1, offset: 4 } : buffer.within,
    }));
    expect(() => checkPlaces({ ...lowered, buffers: parted }, places)).toThrow(
      'a part lies in its',
    );
  });

  it.each([
    ['an address other than that of what it reads', { offset: 6, shape: [3, 6] }],
    ['another order', { shape: [4, 6], strides: [0, 1] }],
    ['another shape', { shape: [24], strides: [1] }],
  ])('a result in the place of an operand, in %s, is found out', (_, part) => {
    if (first._tag !== 'Map') throw new Error('a sum is a loop nest');
    const [read] = windowsOf(first.element) as [Window, ...Window[]];
    const inPlace = (out: Partial<Window>) => ({
      ...lowered,
      kernels: [{ ...first, out: { ...read, ...out } as Window }, ...others],
    });
    expect(() => checkPlaces(inPlace({}), places)).not.toThrow();
    expect(() => checkPlaces(inPlace(part), places)).toThrow('kernels overwrite in step');
  });

  it('only a loop nest may write where it reads', () => {
    const fold = lowered.kernels.find(({ _tag }) => _tag === 'Fold');
    if (fold?._tag !== 'Fold') throw new Error('softmax is folded');
    const [read] = windowsOf(fold.element) as [Window, ...Window[]];
    const wrong = { ...lowered, kernels: [{ ...fold, out: read }] };
    expect(() => checkPlaces(wrong, places)).toThrow('kernels overwrite in step');
  });
});
