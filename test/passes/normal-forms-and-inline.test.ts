/**
 * The laws of the normal forms and of Inline on random programs with references, branches, functions
 * and sharing.
 */
import { mulberry32, orThrow } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
import {
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
  letIn,
  postOrderExprs,
  refCreate,
  refRead,
  refType,
  refWrite,
  scalarType,
  structuralEqual,
  tuple,
  tupleGetItem,
  type Var,
  variable,
  wellFormed,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { type Pass, runPass } from '@baton/pass-manager';
import { checkBasicBlockNormalForm, passes } from '@baton/passes';
import { scalar } from '@baton/tensor';
import { parseModule, printModule } from '@baton/text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';

const SEED = 20261121;
const RUNS = amount(150, { quick: 50 });
const SIZE = 14;

const int = scalarType('int32');
const bool = scalarType('bool');

/** `@count(n)` may fail for all that an optimizer knows; it returns `abs(n) % 5`, step by step. */
const LIBRARY = `#[version = "0.0.5"]
def @count(%n: int32) -> int32 { if (%n <= 0) { 0 } else { @count(%n - 1) + 1 } }
def @steps(%n: int32) -> int32 { @count(mod(abs(%n), 5)) }`;
const library = orThrow(
  inferTypes(orThrow(parseModule(LIBRARY, { ops: standardOps, source: 'library' }))),
);

/** The values in scope where an expression is made. */
interface Place {
  /** Expressions of type int32; those that other places hold, too, are shared with them. */
  readonly ints: Expr[];
  readonly conditions: ReadonlyArray<Var>;
  readonly references: ReadonlyArray<Var>;
  readonly functions: ReadonlyArray<Var>;
  /** Global functions of two numbers and, in programs with references, a reference. */
  readonly globals: ReadonlyArray<string>;
}

/**
 * The program of a seed: `fn (bool, bool, int32)` returns a number and its references' contents.
 */
function program(seed: number, withReferences: boolean): IRModule {
  const random = mulberry32(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <A>(list: ReadonlyArray<A>): A => list[below(list.length)] as A;
  const op = (name: string, ...args: ReadonlyArray<Expr>): Expr => callOp(standardOps, name, args);
  const conditions = [variable('c', bool), variable('d', bool)];
  const x = variable('x', int);
  const inside = (place: Place, more: Partial<Place> = {}): Place => ({
    ints: [...place.ints, ...(more.ints ?? [])],
    references: [...place.references, ...(more.references ?? [])],
    functions: [...place.functions, ...(more.functions ?? [])],
    globals: place.globals,
    conditions: place.conditions,
  });
  const condition = (place: Place, fuel: number): Expr =>
    place.conditions.length > 0 && random() < 0.6
      ? pick(place.conditions)
      : op('less', make(place, fuel - 1), make(place, fuel - 1));

  const make = (place: Place, fuel: number): Expr => {
    if (fuel <= 0 || random() < 0.25) return pick(place.ints);
    const made = compound(place, fuel - 1);
    place.ints.push(made);
    return made;
  };
  const compound = (place: Place, fuel: number): Expr => {
    const half = Math.floor(fuel / 2);
    const kind = below(withReferences ? 12 : 9);
    switch (kind) {
      case 0:
        return constant(scalar(below(7) - 3, 'int32'));
      case 1:
      case 2:
        return op(pick(['add', 'subtract', 'multiply']), make(place, half), make(place, half));
      case 3: {
        // Made before the branches, so that they may share it without a use in the block.
        make(place, half);
        return ifElse(condition(place, half), make(inside(place), fuel), make(inside(place), fuel));
      }
      case 4:
      case 5: {
        const v = variable('v', int);
        const value = make(place, half);
        return letIn(v, value, make(inside(place, { ints: [v] }), fuel));
      }
      case 6: {
        const f = variable('f');
        const y = variable('y', int);
        const body = make(inside(place, { ints: [y] }), half);
        const rest = inside(place, { functions: [f] });
        return letIn(f, func([y], body, { retType: int }), make(rest, fuel));
      }
      case 7:
        if (place.globals.length > 0 && random() < 0.8) {
          const args = [make(place, half), make(place, half)];
          const reference = withReferences ? [pick(place.references)] : [];
          return call(globalVar(pick(place.globals)), [...args, ...reference]);
        }
        return place.functions.length === 0
          ? call(globalVar('steps'), [make(place, half)])
          : call(pick(place.functions), [make(place, half)]);
      case 8: {
        const pair = tuple([make(place, half), make(place, half)]);
        return op('subtract', tupleGetItem(pair, 1), tupleGetItem(pair, 0));
      }
      case 9: {
        const r = variable('r', refType(int));
        const value = refCreate(make(place, half));
        return letIn(r, value, make(inside(place, { references: [r] }), fuel));
      }
      case 10:
        return refRead(pick(place.references));
      default: {
        const written = refWrite(
          pick(place.references),
          op('subtract', op('multiply', refRead(pick(place.references)), three), make(place, half)),
        );
        return letIn(variable(''), written, make(inside(place), fuel));
      }
    }
  };
  const three = constant(scalar(3, 'int32'));
  const first = variable('first', refType(int));
  const second = variable('second', refType(int));
  const last = variable('last', int);
  const place: Place = {
    ints: [x, constant(scalar(1, 'int32'))],
    conditions,
    references: withReferences ? [first, second] : [],
    functions: [],
    globals: [],
  };
  // Each may call those before it.
  const marked = new Map<string, Func>();
  for (let i = 0; i < 3; i++) {
    const [a, b] = [variable('a', int), variable('b', int)];
    const r = variable('r', refType(int));
    const inner: Place = {
      ints: [a, b],
      conditions: [],
      references: withReferences ? [r] : [],
      functions: [],
      globals: [...marked.keys()],
    };
    const params = withReferences ? [a, b, r] : [a, b];
    const parts = { retType: int, attrs: { Inline: 1 } };
    marked.set(`marked${i}`, func(params, make(inner, SIZE / 2), parts));
  }
  const result = make({ ...place, globals: [...marked.keys()] }, SIZE);
  const body = withReferences
    ? letIn(
        first,
        refCreate(x),
        letIn(
          second,
          refCreate(constant(scalar(2, 'int32'))),
          letIn(last, result, tuple([last, refRead(first), refRead(second)])),
        ),
      )
    : tuple([result]);
  const main = func([...conditions, x], body);
  return orThrow(
    inferTypes(
      irModule({
        functions: new Map([...library.functions, ...marked, ['main', main]]),
        ops: standardOps,
      }),
    ),
  );
}

const INPUTS = [
  [0, 0, 4],
  [1, 0, -3],
  [0, 1, 7],
  [1, 1, 0],
] as const;

const valuesOf = (m: IRModule): ReadonlyArray<Value> =>
  INPUTS.map(([c, d, x]) =>
    orThrow(evaluate(m, [scalar(c, 'bool'), scalar(d, 'bool'), scalar(x, 'int32')])),
  );

const FORMS: ReadonlyArray<readonly [string, Pass]> = [
  ['A-normal form', passes.toANormalForm],
  ['basic-block normal form', passes.toBasicBlockNormalForm],
  ['graph normal form', passes.toGraphNormalForm],
  ['inlined', passes.inline],
];

const run = (pass: Pass, m: IRModule): IRModule => orThrow(runPass(pass)(m)).module;

describe.each([
  ['with references', true],
  ['without references', false],
])('programs %s', (_title, withReferences) => {
  test.each(FORMS)(
    '%s keeps values and the order of effects, and is reached at once',
    (_n, pass) => {
      let changed = 0;
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const m = program(seed, withReferences);
          const normal = run(pass, m);
          if (normal !== m) changed++;
          expect(wellFormed(normal)).toEqual([]);
          expect(valuesOf(normal)).toEqual(valuesOf(m));
          expect(run(pass, normal)).toBe(normal);
          if (pass === passes.toBasicBlockNormalForm) {
            expect(checkBasicBlockNormalForm(normal)).toBe(true);
          }
          const typed = orThrow(inferTypes(normal));
          expect(printModule(typed)).toBe(printModule(normal));
        }),
        { seed: SEED, numRuns: RUNS },
      );
      const floor = withReferences && pass === passes.toGraphNormalForm ? 0 : RUNS / 8;
      expect(changed).toBeGreaterThanOrEqual(floor);
    },
  );
});

test('graph normal form undoes A-normal form, unless calls that may fail stay bound', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const m = program(seed, false);
      const wanted = run(passes.toGraphNormalForm, m);
      if (postOrderExprs([...wanted.functions.values()]).some((e) => e._tag === 'Let')) return;
      compared++;
      const found = run(passes.toGraphNormalForm, run(passes.toANormalForm, m));
      expect(printModule(found)).toBe(printModule(wanted));
      expect(structuralEqual(found, wanted)).toBe(true);
    }),
    { seed: SEED, numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(RUNS / 2);
});
