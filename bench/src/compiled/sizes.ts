/** Programs with open sizes: the time of the first run at new sizes and of the next runs, and what is kept. */
import { readFileSync } from 'node:fs';
import { table } from '@baton/base';
import { makeWasm, type SpecializationFacts } from '@baton/wasm';
import {
  type IRModule,
  importOnnx,
  inferTypes,
  models,
  orThrow,
  standardOps,
  type Tensor,
  tensor,
} from 'batonjs';

/** Times at one tuple of sizes. **Units** ms. */
export interface SizeTimes {
  readonly sizes: string;
  readonly firstMs: number;
  /** The best of some further runs. */
  readonly warmMs: number;
  /** What was made for them; absent if the interpreter ran. */
  readonly facts: Omit<SpecializationFacts, 'func' | 'sizes'> | undefined;
}

/** The times of a program. */
export interface SizesReport {
  readonly name: string;
  readonly times: ReadonlyArray<SizeTimes>;
}

/** Tuples of sizes that a program is run at. */
const TUPLES = 20;

/** Runs at each, after the first. */
const WARM_RUNS = 5;

/** Images have sides that are multiples of this. */
const SIDE = 32;

/** Measures a program: `decoder`, or an ONNX file. */
export function measureSizes(name: string): SizesReport {
  const module = moduleOf(name);
  let last: SpecializationFacts | undefined;
  const executor = makeWasm({
    onSpecialize: (facts) => {
      last = facts;
    },
  });
  const program = orThrow(executor.prepare(module));
  const times = Array.from({ length: TUPLES }, (_, step): SizeTimes => {
    const args = argumentsAt(module, step);
    last = undefined;
    const timed = (): number => {
      const start = performance.now();
      orThrow(program.run(args));
      return performance.now() - start;
    };
    const firstMs = timed();
    const warmMs = Math.min(...Array.from({ length: WARM_RUNS }, timed));
    const shapes = new Set(args.map(({ shape }) => shape.join('×')));
    return { sizes: [...shapes].join(' '), firstMs, warmMs, facts: withoutFunction(last) };
  });
  program.dispose();
  return { name, times };
}

function withoutFunction(facts: SpecializationFacts | undefined): SizeTimes['facts'] {
  if (facts === undefined) return undefined;
  const { func: _, sizes: __, ...others } = facts;
  return others;
}

function moduleOf(name: string): IRModule {
  const ops = standardOps;
  const module =
    name === 'decoder'
      ? models.decoder()
      : orThrow(importOnnx(new Uint8Array(readFileSync(name)), { ops }));
  return orThrow(inferTypes(module));
}

/** Arguments of a program: names of dimensions get sizes that grow. */
function argumentsAt(module: IRModule, step: number): ReadonlyArray<Tensor> {
  const params = module.functions.get('main')?.params ?? [];
  return params.map(({ typeAnnotation: type }) => {
    if (type?._tag !== 'TensorType' || '_tag' in type.shape) throw new Error('expected tensors');
    const isImage = type.shape.length === 4;
    const shape = type.shape.map((dim, axis) => {
      if (typeof dim === 'number') return dim;
      if (!isImage) return 4 + step;
      return axis === 0 ? 1 : SIDE * (1 + ((step + 2 * axis) % 5) + (step >> 3));
    });
    const count = shape.reduce((a, b) => a * b, 1);
    const numbers = Array.from({ length: count }, (_, i) => i);
    if (type.dtype === 'int64') {
      return tensor(
        BigInt64Array.from(numbers, (i) => BigInt((i + step) % 2)),
        shape,
        'int64',
      );
    }
    return tensor(
      Float32Array.from(numbers, (i) => Math.sin(i)),
      shape,
      'float32',
    );
  });
}

const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

const KIB = 1024;

/** The figures of programs, a row each. The first sizes compile most code: they stand alone. */
export function sizesTable(reports: ReadonlyArray<SizesReport>): string {
  const rows = reports.map(({ name, times }) => {
    const later = times.slice(TUPLES / 2);
    const facts = times.flatMap((one) => one.facts ?? []);
    const last = facts.at(-1);
    const kib = (bytes = Number.NaN): string => (bytes / KIB).toFixed(0);
    return [
      name.split('/').at(-1) ?? name,
      (times[0]?.firstMs ?? Number.NaN).toFixed(1),
      median(later.map(({ firstMs }) => firstMs)).toFixed(2),
      median(later.map(({ warmMs }) => warmMs)).toFixed(2),
      `${facts.reduce((all, { modules }) => all + modules, 0)}`,
      kib(last?.constantBytes),
      kib(Math.max(...facts.map(({ arenaBytes }) => arenaBytes))),
      kib(last?.codeBytes),
      kib(facts.reduce((all, { ownBytes }) => all + ownBytes, 0)),
    ];
  });
  const header = [
    `${TUPLES} tuples of sizes`,
    ...['first ms', 'new size ms', 'warm ms', 'modules', 'weights KiB', 'arena KiB', 'code KiB'],
    'of sizes KiB',
  ];
  return table(header, rows);
}
