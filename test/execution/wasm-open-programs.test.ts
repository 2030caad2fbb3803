/**
 * Random programs whose sizes are open, at several sizes each: the same bits and the same errors as the
 * interpreter, while sizes follow each other that share code.
 */
import { isLeft, isRight } from '@baton/base';
import { type Executable, interpreter } from '@baton/executor';
import {
  anyDim,
  bind,
  type Expr,
  emptyTypeTable,
  type Func,
  func,
  type IRModule,
  inferTypes,
  irModule,
  tensorType,
  type Var,
  variable,
} from '@baton/ir';
import { type Shape, shapeSize, type Tensor, type TensorData } from '@baton/tensor';
import { type CompiledProgram, compiledProgram, elementDifference, leavesOf } from '@baton/testing';
import { makeWasm, type SpecializationFacts } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { outcome } from './support.ts';

const SEED = 91_000;
const PROGRAMS = 150;

/** The same program with parameters of unknown sizes, if it has types so. */
function opened({ module }: CompiledProgram): IRModule | undefined {
  const main = module.functions.get('main') as Func;
  const params = main.params.map(({ nameHint, typeAnnotation: type }) => {
    if (type?._tag !== 'TensorType' || '_tag' in type.shape) return undefined;
    return variable(
      nameHint,
      tensorType(
        type.shape.map(() => anyDim),
        type.dtype,
      ),
    );
  });
  if (params.includes(undefined)) return undefined;
  const others = new Map(main.params.map((param, i) => [param, params[i] as Expr]));
  const { body } = bind(main, others);
  const functions = new Map([['main', func(params as Var[], body)]]);
  const inferred = inferTypes(irModule({ ...module, functions, types: emptyTypeTable() }));
  return isRight(inferred) ? inferred.right : undefined;
}

/** An input whose axes are longer, but for those of one element: equal sizes stay equal. */
function longer({ dtype, shape, data }: Tensor, by: number): Tensor {
  const dims: Shape = shape.map((dim) => (dim > 1 ? dim + by : dim));
  const made = new (data.constructor as new (count: number) => TensorData)(shapeSize(dims));
  for (let i = 0; i < made.length; i++) made[i] = data[(i * 7) % Math.max(1, data.length)] ?? 0;
  const strides = dims.map((_, axis) => shapeSize(dims.slice(axis + 1)));
  return { _tag: 'Tensor', dtype, shape: dims, strides, offset: 0, data: made };
}

/** The sizes that follow each other: what each is longer by. */
const STEPS = [0, 1, 4, 0, 2, 5];

/** The first difference of two programs. */
function differenceOf(
  program: CompiledProgram,
  wasm: Executable,
  expected: Executable,
): string | undefined {
  for (const by of STEPS) {
    const args = program.inputs.map((input) => longer(input, by));
    const [found, wanted] = [wasm.run(args), expected.run(args)];
    if (isLeft(found) || isLeft(wanted)) {
      const [a, b] = [outcome(found), outcome(wanted)].map((one) => JSON.stringify(one));
      if (a !== b) return `longer by ${by}: ${a}, not ${b}`;
      continue;
    }
    const others = leavesOf(wanted.right);
    for (const [i, leaf] of leavesOf(found.right).entries()) {
      const other = others[i] as Tensor;
      const isShaped = leaf.shape.join() === other.shape.join();
      const problem = isShaped ? elementDifference(other, leaf) : `shape ${leaf.shape}`;
      if (problem !== undefined) return `longer by ${by}, result ${i}: ${problem}`;
    }
  }
  return undefined;
}

describe('random programs of open sizes', () => {
  it('come to the bits and the errors of the interpreter at each of their sizes', () => {
    const problems: string[] = [];
    const facts: SpecializationFacts[] = [];
    let programs = 0;
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const program = compiledProgram(seed);
      const module = opened(program);
      if (module === undefined) continue;
      programs++;
      const level = program.isFractional ? ({ level: 'simd' } as const) : {};
      const executor = makeWasm({ ...level, onSpecialize: (one) => void facts.push(one) });
      const [wasm, expected] = [executor.prepare(module), interpreter.prepare(module)];
      if (isLeft(wasm) || isLeft(expected)) throw new Error(`seed ${seed} is not prepared`);
      const problem = differenceOf(program, wasm.right, expected.right);
      if (problem !== undefined) problems.push(`seed ${seed}: ${problem}\n${program.text}`);
    }
    expect(problems).toEqual([]);
    expect(programs).toBeGreaterThan(PROGRAMS / 2);
    // Most runs at new sizes are compiled, and some of them find all their code.
    expect(facts.length).toBeGreaterThan(programs);
    expect(facts.some(({ modules }) => modules === 0)).toBe(true);
  });
});
