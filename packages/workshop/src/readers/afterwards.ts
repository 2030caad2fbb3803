/** The way of a module that a reader accepts: typed, printed, optimized, run, compiled. */
import { InvariantError, isLeft, type Result } from '@baton/base';
import { isDType, isFloat, tensor } from '@baton/tensor';
import { makeWasm } from '@baton/wasm';
import { checked } from '@baton/wasm/checked';
import {
  type Diagnostics,
  evaluate,
  exportOnnx,
  fromJson,
  type IRModule,
  inferTypes,
  optimize,
  printModule,
  runPass,
  type Tensor,
  toJson,
} from 'batonjs';
import { DEPTHS, type Depth } from './reader.ts';

/** **Units** bytes of a result, steps, and nested calls. */
const LIMITS = { maxBytes: 2 ** 22, fuel: 3_000, maxDepth: 2_000 };

/** The most elements of an argument that is made up. */
const MAX_ELEMENTS = 100_000;

const OPEN_SIZE = 2;

const sanitized = makeWasm({ checks: checked, leastElements: 0 });

const level1 = optimize({ level: 1 });

/** How an input ended that a reader refused: by its first code. A bug is thrown. */
export function refused(problems: Diagnostics): string {
  const bug = problems.find(({ severity }) => severity === 'bug');
  if (bug !== undefined) throw new InvariantError(`${bug.code}: ${bug.message}`);
  return problems[0].code;
}

/** Sends a module that a reader accepted as far as it shall go. Says where it ended. */
export function afterwards(read: Result<IRModule>, depth: Depth): string {
  if (isLeft(read)) return refused(read.left);
  const last = DEPTHS.indexOf(depth);
  if (last < DEPTHS.indexOf('infer')) return 'read';
  printModule(read.right);
  const typed = inferTypes(read.right);
  if (isLeft(typed)) return refused(typed.left);
  printModule(typed.right);
  if (last < DEPTHS.indexOf('optimize')) return 'infer';
  const ran = runPass(level1)(typed.right);
  if (isLeft(ran)) return refused(ran.left);
  const again = fromJson(toJson(ran.right.module));
  if (isLeft(again)) throw new InvariantError(`written JSON is refused: ${refused(again.left)}`);
  if (last < DEPTHS.indexOf('evaluate')) return 'optimize';
  const args = argumentsOf(typed.right);
  if (args === undefined) return 'optimize';
  const file = exportOnnx(ran.right.module);
  if (isLeft(file)) refused(file.left);
  const value = evaluate(typed.right, args, LIMITS);
  if (isLeft(value)) return refused(value.left);
  if (last < DEPTHS.indexOf('compile')) return 'evaluate';
  const compiled = evaluate(typed.right, args, { ...LIMITS, executor: sanitized });
  return isLeft(compiled) ? refused(compiled.left) : 'compile';
}

/** Arguments for `main`; `undefined` where they are no tensors, or too large. */
function argumentsOf(m: IRModule): ReadonlyArray<Tensor> | undefined {
  const main = m.functions.get('main');
  const args: Tensor[] = [];
  for (const { typeAnnotation: type } of main?.params ?? []) {
    if (type?._tag !== 'TensorType' || '_tag' in type.shape) return undefined;
    const { dtype } = type;
    if (typeof dtype !== 'string' || !isDType(dtype)) return undefined;
    const shape = type.shape.map((size) => (typeof size === 'number' ? size : OPEN_SIZE));
    const count = shape.reduce((product, size) => product * size, 1);
    if (count > MAX_ELEMENTS) return undefined;
    const numbers = Array.from({ length: count }, (_, i) =>
      isFloat(dtype) ? (i % 7) - 2.5 : i & 1,
    );
    args.push(tensor(numbers, shape, dtype));
  }
  return main === undefined ? undefined : args;
}
