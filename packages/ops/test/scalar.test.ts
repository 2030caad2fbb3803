/** Scalar expressions: functions and texts of every node, and the operators that state them. */
import { isLeft } from '@baton/base';
import type { Attrs } from '@baton/ir';
import { evaluateOp, examplesColumn, formOf, type MapForm, standardOps } from '@baton/ops';
import { DTYPES, type DType, isCoded, scalar, type Tensor, tensor } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { makeLoops } from '../src/kernels/loops.ts';
import { compileText, composed, scalarText, storedAs } from '../src/scalar/compile.ts';
import {
  arityOf,
  isTruth,
  math,
  type NodeName,
  type Scalar,
  width,
  x,
  y,
  z,
} from '../src/scalar/expr.ts';
import { NODES } from '../src/scalar/nodes.ts';
import { elements } from './kernels-support.ts';
import { tellingValues } from './support.ts';

const texts = makeLoops((text) => {
  const made = compileText(text);
  if (made === undefined) throw new Error(`not JavaScript: ${text}`);
  return made;
});
const functions = makeLoops(() => undefined);

/** Every choice of `count` values. */
function choices<A>(values: ReadonlyArray<A>, count: number): ReadonlyArray<ReadonlyArray<A>> {
  if (count === 0) return [[]];
  return choices(values, count - 1).flatMap((rest) => values.map((value) => [...rest, value]));
}

/** The elements of a dtype as its storage holds them. */
const stored = (dtype: DType): ReadonlyArray<number | bigint> =>
  elements(tensor(tellingValues(dtype), [tellingValues(dtype).length], dtype));

const names = Object.keys(NODES) as NodeName[];

describe('each kind of node', () => {
  it.each(names)('%s: its text computes what its function does', (name) => {
    const { arity } = NODES[name];
    // The arity of the kind is the number of operands.
    const make = math[name] as (...args: Scalar[]) => Scalar;
    // A bigint shifted without bound would not fit.
    const count = name.startsWith('shift') ? math.and(y, math.sub(width, 1)) : y;
    const expr = make(...[x, count, z].slice(0, arity));
    let compared = 0;
    for (const dtype of DTYPES) {
      const [text, f] = [texts.onElements(expr, dtype), functions.onElements(expr, dtype)];
      expect(text === undefined).toBe(f === undefined);
      if (text === undefined || f === undefined || arity === 3) continue;
      for (const given of choices(stored(dtype), arity)) {
        expect(text(...(given as number[])), `${name} of ${dtype} ${given.join()}`).toBe(
          f(...(given as number[])),
        );
        compared += 1;
      }
    }
    expect(compared > 0 || arity === 3).toBe(true);
  });

  it('is used by an operator or a kernel', () => {
    const used = new Set<string>();
    const visit = (expr: Scalar): void => {
      if (expr._tag !== 'Operation') return;
      used.add(expr.name);
      expr.args.forEach(visit);
    };
    for (const name of standardOps.names) {
      const form = formOf(standardOps, name, 'Map');
      if (form !== undefined) visit(form.expr);
    }
    // Only reductions wrap an intermediate result.
    expect(names.filter((name) => !used.has(name))).toEqual(['wrap']);
  });
});

interface Stated {
  readonly name: string;
  readonly form: MapForm;
}

const stating: ReadonlyArray<Stated> = standardOps.names.flatMap((name) => {
  const form = formOf(standardOps, name, 'Map');
  return form === undefined ? [] : [{ name, form }];
});

function attrsOf({ name, form }: Stated): Attrs {
  const given = (standardOps.read(examplesColumn, name)?.[0]?.attrs ?? {}) as Attrs;
  const attrs = form.vectorAlong === undefined ? given : { ...given, axis: 0 };
  const decoded = standardOps.get(name)?.attrs.decode(attrs);
  if (decoded === undefined || isLeft(decoded)) throw new Error(`${name} has an example`);
  return decoded.right;
}

/** Compares the kernel with the functions of the nodes; 0 if the operator refuses the dtype. */
function agreeing(op: Stated, dtype: DType): number {
  const { name, form } = op;
  const attrs = attrsOf(op);
  const inputs = standardOps.get(name)?.inputs ?? [];
  const given = choices(tellingValues(dtype), inputs.length);
  const args = inputs.map((input, i): Tensor => {
    const values = given.map((row) => row[i] as number);
    if (input.name !== 'condition') return tensor(values, [values.length], dtype);
    return tensor(values.map(Number), [values.length], 'bool');
  });
  const wanted = evaluateOp(standardOps, name, attrs, args);
  if (isLeft(wanted)) return 0;
  const out = isTruth(form.expr) ? 'bool' : dtype;
  const f = composed(storedAs(form.expr, dtype), dtype);
  if (f === undefined) throw new Error(`${name} has no meaning for ${dtype}`);
  const operands = args.map(elements);
  const numbers = (form.numbers?.(attrs, dtype) ?? []).map((n) => elements(scalar(n, dtype))[0]);
  const found = given.map((_, i) => {
    const value = f(...([...operands.map((list) => list[i]), ...numbers] as number[]));
    return elements(scalar(isCoded(out) ? Math.fround(value) : value, out))[0];
  });
  expect(elements(wanted.right as Tensor), `${name} of ${dtype}`).toEqual(found);
  return given.length;
}

describe('operators with a scalar expression', () => {
  it('are all that work element by element', () => {
    expect(stating.length).toBeGreaterThan(65);
    for (const { name, form } of stating) {
      const inputs = standardOps.get(name)?.inputs?.length ?? 0;
      const numbers = form.numbers?.(attrsOf({ name, form }), 'float32') ?? [];
      expect([name, arityOf(form.expr)]).toEqual([name, inputs + numbers.length]);
    }
  });

  it.each(stating)('$name: the kernel computes the expression in every dtype', (op) => {
    const counts = DTYPES.map((dtype) => agreeing(op, dtype));
    expect(Math.max(...counts)).toBeGreaterThan(0);
  });
});

describe('the text of an expression', () => {
  it('contains the nodes themselves', () => {
    const sigmoid = math.div(1, math.add(1, math.exp(math.neg(x))));
    expect(scalarText(sigmoid, 'float32')).toEqual({
      locals: '',
      value: '((1) / ((1) + (Math.exp((-x)))))',
    });
  });

  it('computes once what occurs twice', () => {
    const difference = math.sub(x, y);
    expect(scalarText(math.mul(difference, difference), 'float64')).toEqual({
      locals: 'const t0 = (x - y);',
      value: '(t0 * t0)',
    });
  });

  it('tests truths as they are', () => {
    const isBelow = math.less(math.abs(x), Number.POSITIVE_INFINITY);
    const both = math.and(isBelow, math.notEqual(x, 0));
    expect(scalarText(math.select(both, x, -1), 'float32')?.value).toBe(
      '((((Math.abs(x)) < (Infinity)) && (x !== (0))) ? x : (-1))',
    );
  });

  it('is absent where a node or a constant has no meaning', () => {
    expect(scalarText(math.exp(x), 'int64')).toBeUndefined();
    expect(scalarText(math.mul(x, 0.5), 'int64')).toBeUndefined();
    expect(scalarText(math.sub(1, x), 'int64')?.value).toBe('((1n) - x)');
  });
});
