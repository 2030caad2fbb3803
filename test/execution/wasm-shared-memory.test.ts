/** Programs of many compiled functions: those after the first ones share a memory and code. */
import { orThrow } from '@baton/base';
import { evaluate, oracle, type Value } from '@baton/executor';
import {
  anyDim,
  call,
  constant,
  type Expr,
  type Func,
  func,
  globalVar,
  type IRModule,
  ifElse,
  inferTypes,
  irModule,
  tensorType,
  variable,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { scalar, type Tensor, tensor } from '@baton/tensor';
import { makeWasm } from '@baton/wasm';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

const SIZE = 8;

/** Numbers that differ for each `seed`. */
const matrix = (seed: number): Tensor =>
  tensor(
    Float32Array.from({ length: SIZE ** 2 }, (_, i) => Math.fround(Math.sin(seed * 64 + i))),
    [SIZE, SIZE],
    'float32',
  );

/** Each function multiplies by a weight of its own, and calls the next one on one of two branches. */
function chainOfProducts(count: number): IRModule {
  const type = tensorType([SIZE, SIZE], 'float32');
  const functions = new Map<string, Func>();
  for (let i = 0; i < count; i++) {
    const x = variable('x', type);
    const op = (name: string, ...args: Parameters<typeof callOp>[2]) =>
      callOp(standardOps, name, args);
    const product = op('tanh', op('nn.dense', x, constant(matrix(i))));
    const isPositive = op('greater', op('sum', product), constant(scalar(0, 'float32')));
    const next = (given: ReturnType<typeof op>) =>
      i + 1 < count ? call(globalVar(`f${i + 1}`), [given]) : given;
    const body = ifElse(isPositive, next(product), next(op('negative', product)));
    functions.set(i === 0 ? 'main' : `f${i}`, func([x], body, { retType: type }));
  }
  return orThrow(inferTypes(irModule({ ops: standardOps, functions })));
}

/** `main` calls functions of plain dataflow on any number of rows, each with a weight of its own. */
function productsOfAnyRows(count: number): IRModule {
  const type = tensorType([anyDim, SIZE], 'float32');
  const op = (name: string, ...args: Parameters<typeof callOp>[2]) =>
    callOp(standardOps, name, args);
  const functions = new Map<string, Func>();
  const x = variable('x', type);
  let made: Expr = x;
  for (let i = 0; i < count; i++) {
    const rows = variable('rows', type);
    const product = op('tanh', op('nn.dense', rows, constant(matrix(i))));
    functions.set(`f${i}`, func([rows], product, { retType: type }));
    made = call(globalVar(`f${i}`), [made]);
  }
  const isAny = op('less', op('sum', x), constant(scalar(1e6, 'float32')));
  functions.set('main', func([x], ifElse(isAny, made, x), { retType: type }));
  return orThrow(inferTypes(irModule({ ops: standardOps, functions })));
}

const numbersOf = (value: Value): ReadonlyArray<number> =>
  value._tag === 'Tensor' ? Array.from(value.data, Number) : expect.fail('expected a tensor');

/** The memories and the modules that are made. */
function watchedHost() {
  const made = { memories: 0, modules: 0 };
  const host: Readonly<Record<string, unknown>> = Reflect.get(globalThis, 'WebAssembly');
  const counting = (name: string, of: keyof typeof made) =>
    new Proxy(host[name] as new () => object, {
      construct: (maker, given) => {
        made[of]++;
        return Reflect.construct(maker, given);
      },
    });
  const names = Object.getOwnPropertyNames(host);
  vi.stubGlobal('WebAssembly', {
    ...Object.fromEntries(names.map((name) => [name, host[name]])),
    Memory: counting('Memory', 'memories'),
    Module: counting('Module', 'modules'),
  });
  return made;
}

it.each([
  ['with branches', chainOfProducts(150)],
  ['with open sizes', productsOfAnyRows(150)],
])('150 functions %s have 65 memories, and come to the same in every run', (_, m) => {
  const made = watchedHost();
  const prepared = orThrow(makeWasm({ leastElements: 1 }).prepare(m));
  for (const seed of [1000, 2000, 1000]) {
    const args = [matrix(seed)];
    const [found, expected] = [prepared.run(args), evaluate(m, args, { executor: oracle })].map(
      (result) => numbersOf(orThrow(result)),
    );
    expect(found).toEqual(expected?.map((x) => expect.closeTo(x, 5)));
  }
  expect(made.memories).toBe(65);
  expect(made.modules).toBeLessThan(80);
});
