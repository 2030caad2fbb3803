/** Functions in great numbers, and types that grow: inference is linear, or says where it stops. */
import { isLeft, isRight } from '@baton/base';
import { interpreter } from '@baton/executor';
import { freeTypeVars, funcType, inferTypes, type Type, tupleType, typeVar } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

const parsed = (text: string) => {
  const m = parseModule(`#[version = "0.0.5"]\n${text}\n`, { ops: standardOps });
  if (isLeft(m)) throw new Error(m.left[0].message);
  return m.right;
};

const inferred = (text: string) => {
  const m = inferTypes(parsed(text));
  if (isLeft(m)) throw new Error(m.left[0].message);
  return m.right;
};

const problem = (text: string, typeParts?: number): ReadonlyArray<string> => {
  const m = inferTypes(parsed(text), typeParts === undefined ? {} : { limits: { typeParts } });
  return isLeft(m) ? m.left.map((d) => `${d.code} ${d.message}`) : [];
};

/** The functions of a ring: what is cubic in them takes minutes, or a minute. */
const RING = amount(1500, { quick: 600 });

/** Functions that call the next, and the last the first. */
const ring = (count: number, body: (next: string) => string, params = '%x'): string =>
  lines(count, (i) => `def @f${i}(${params}) { ${body(`@f${(i + 1) % count}`)} }`);

describe('S9: untyped functions in a ring', () => {
  test('share one list of type parameters and one of relations', () => {
    const { functions } = inferred(ring(RING, (next) => `${next}(add(%x, %x))`));
    const lists = new Set([...functions.values()].map((f) => f.constraints));
    const params = new Set([...functions.values()].map((f) => f.typeParams));
    expect([lists.size, params.size]).toStrictEqual([1, 1]);
    expect([...lists][0]).toHaveLength(RING);
  });

  test.each<[string, string, number]>([
    ['of one parameter', ring(2 * RING, (next) => `${next}(%x)`), 2],
    ['of three', ring(2 * RING + 1, (next) => `${next}(%y, %z, %x)`, '%x, %y, %z'), 2],
    ['with lambdas', ring(RING, (n) => `let %g = fn (%y) { ${n}(%y) }; %g(%x)`), 2],
    ['with an end', ring(2 * RING, (n) => `if (%c) { %x } else { ${n}(%c, %x) }`, '%c, %x'), 1],
    [
      'that interlock',
      lines(
        1000,
        (i) =>
          `def @f${i}(%x) { let %u = @g${(i + 1) % 1000}(%x); @f${(i + 1) % 1000}(%x) }\n` +
          `def @g${i}(%x) { let %u = @f${(i + 2) % 1000}(%x); @g${(i + 1) % 1000}(%x) }`,
      ),
      3,
    ],
  ])('%s', (_, text, params) => {
    const { functions } = inferred(text);
    expect(functions.get('f0')?.typeParams).toHaveLength(params);
  });

  test('whose lists would be too long for any text are refused by name', () => {
    expect(problem(ring(4000, (next) => `${next}(add(%x, %x))`))).toStrictEqual([
      'TYPE_GROUP_TOO_LARGE @f0 and 3999 other functions call each other, and each gets all 8001 type parameters and relations of them; the limit is 16777216 for all functions together',
    ]);
  });
});

describe('S9: functions in a chain', () => {
  test.each([
    ['callees later', (i: number, n: number) => (i === n - 1 ? '%x' : `@f${i + 1}(%x)`)],
    ['callees earlier', (i: number) => (i === 0 ? '%x' : `@f${i - 1}(%x)`)],
  ])('%s', (_, body) => {
    const count = 2 * RING;
    const m = inferred(lines(count, (i) => `def @f${i}(%x) { ${body(i, count)} }`));
    const again = inferred(printModule(m).replace('#[version = "0.0.5"]', ''));
    expect(again.functions.get('f7')?.typeParams).toHaveLength(1);
  });
});

const doubling = (first: string, count: number): string =>
  `def @main(%y) { let %f0 = fn (%x) { ${first} };
${lines(count, (i) => `let %f${i + 1} = fn (%x) { %f${i}(%f${i}(%x)) };`)}
%f${count}(%y) }`;

describe('S9: functions that use another twice', () => {
  test.each([
    ['pairs', doubling('(%x, %x)', 60)],
    ['references', doubling('ref(%x)', 60)],
    ['relations', doubling('add(%x, %x)', 60)],
    ['functions', doubling('fn (%z) { (%x, %z) }', 60)],
    ['data', `type Box[a] { Box(a) }\n${doubling('Box(%x)', 60)}`],
    [
      'globals',
      `def @f0(%x) { (%x, %x) }\n${lines(60, (i) => `def @f${i + 1}(%x) { @f${i}(@f${i}(%x)) }`)}`,
    ],
  ])('stop at a limit that is named: %s', (_, text) => {
    const found = problem(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^TYPE_TOO_LARGE .* the type of [@%]f\d+ has \d+ parts, and inference copies at most 262144 /,
    );
  });

  test('go on to a higher limit, and stop at a lower one', () => {
    const text = doubling('(%x, %x)', 10);
    expect(problem(text)).toStrictEqual([]);
    expect(problem(text, 5000)).toStrictEqual([]);
    expect(problem(text, 2000)).toHaveLength(1);
  });

  test('grow slowly if only values are paired', () => {
    const text = `def @main(%y) { let %f0 = fn (%x) { (%x, %x) };
${lines(400, (i) => `let %f${i + 1} = fn (%x) { %f0(%f${i}(%x)) };`)}
%f400(%y) }`;
    expect(problem(text)).toStrictEqual([]);
  });
});

test('S9: binders that share binders are looked into once', () => {
  const a = typeVar('a');
  const types: Type[] = [a, tupleType([a])];
  for (let i = 0; i < 200; i++) {
    const own = typeVar('t');
    const [one, other] = types.slice(-2) as [Type, Type];
    types.push(funcType([own], tupleType([one, other]), [own]));
  }
  expect(freeTypeVars(types.at(-1) as Type)).toStrictEqual([a]);
});

describe('inference ends when its host asks', () => {
  const long = `def @main(%x: float32) { ${'negative('.repeat(5000)}%x${')'.repeat(5000)} }`;

  test.each([0, 1, 3])('at its question %i, with a diagnostic, and starts anew later', (last) => {
    const m = parsed(long);
    let asked = 0;
    const shouldStop = (): boolean => asked++ === last;
    const stopped = inferTypes(m, { limits: { shouldStop } });
    expect(isLeft(stopped) && stopped.left[0].code).toBe('LIMIT_TIME');
    expect(asked).toBe(last + 1);
    expect(isRight(inferTypes(m))).toBe(true);
  });

  test('within a run of passes, and within preparing', () => {
    const m = parsed(long);
    let asked = 0;
    // After the questions before the first inference begins.
    const limits = { shouldStop: () => asked++ > 2 };
    const passed = runPass(passes.foldConstant, { limits })(m);
    expect(isLeft(passed) && passed.left[0].message).toContain('type inference');
    asked = 0;
    const prepared = interpreter.prepare(parsed(long), limits);
    expect(isLeft(prepared) && prepared.left[0].message).toContain('type inference');
  });
});
