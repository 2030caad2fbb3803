import { isRight } from '@baton/base';
import { noAttrs } from '@baton/ir';
import { evaluateOp, kernelColumn, standardOps } from '@baton/ops';
import {
  DTYPES,
  type DType,
  isBig,
  isFloat,
  readBigInt,
  readNumber,
  scalar,
  type Tensor,
} from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tellingValues } from './support.ts';

const element = (t: Tensor): number | bigint =>
  isBig(t.dtype) ? readBigInt(t, 0) : readNumber(t, 0);

const elementwise = standardOps.names.flatMap((name) => {
  const rule = standardOps.read(kernelColumn, name)?.scalar;
  return rule === undefined ? [] : [{ name, rule, arity: standardOps.get(name)?.inputs.length }];
});

/** Compares the rule with the kernel on these elements; false if the operator refuses the dtype. */
function agrees(
  { name, rule }: (typeof elementwise)[number],
  dtype: DType,
  given: ReadonlyArray<number | bigint>,
): boolean {
  const operands = given.map((value) => scalar(value, dtype));
  const wanted = evaluateOp(standardOps, name, noAttrs, operands);
  if (!isRight(wanted)) return false;
  const found = rule(dtype);
  const [x, y] = operands.map(element);
  if (found === undefined) throw new Error(`${name} has no rule for ${dtype}`);
  const result = wanted.right as Tensor;
  // The rule may not round where `scalar` does: its own value is compared, too.
  const raw = found.apply(x as number, y ?? 0);
  const text = `${name} of ${dtype} ${given.join(' and ')}`;
  expect(found.out, text).toBe(result.dtype);
  expect([raw, element(scalar(raw, found.out))], text).toEqual([element(result), element(result)]);
  return true;
}

describe('the rules on single elements', () => {
  it('belong to all elementwise operators', () => {
    const names = elementwise.map((e) => e.name);
    expect(names).toEqual(expect.arrayContaining(['add', 'divide', 'equal', 'exp', 'logical_not']));
    expect(elementwise.length).toBeGreaterThan(45);
  });

  it.each(elementwise)('of $name agree with its kernel', (op) => {
    let checked = 0;
    for (const dtype of DTYPES) {
      for (const x of tellingValues(dtype)) {
        for (const y of op.arity === 1 ? [undefined] : tellingValues(dtype)) {
          if (agrees(op, dtype, y === undefined ? [x] : [x, y])) checked += 1;
        }
      }
    }
    expect(checked).toBeGreaterThan(0);
  });

  it('agree with kernels on any bits', () => {
    const ops = fc.constantFrom(...elementwise);
    const given = fc.constantFrom(...DTYPES).chain((dtype) => {
      const one = fc
        .bigInt({ min: -(1n << 70n), max: 1n << 70n })
        .map((bits) => element(scalar(bits, dtype)));
      const any = isFloat(dtype) ? fc.double().map((value) => element(scalar(value, dtype))) : one;
      return fc.tuple(fc.constant(dtype), any, any);
    });
    fc.assert(
      fc.property(ops, given, (op, [dtype, x, y]) => {
        agrees(op, dtype, op.arity === 1 ? [x] : [x, y]);
      }),
      { seed: 20_481, numRuns: 3000 },
    );
  });
});
