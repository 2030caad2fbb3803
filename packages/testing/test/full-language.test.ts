import { isLeft, isRight, right } from '@baton/base';
import { evaluate } from '@baton/executor';
import {
  type Expr,
  type Func,
  type IRModule,
  inferTypes,
  postOrderExprs,
  structuralEqual,
  wellFormed,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { inputsFor, programOf, programs } from '@baton/testing';
import { parseModule, printModule } from '@baton/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const SEED = 20_261_121;

const nodesOf = (m: IRModule): ReadonlyArray<Expr> => postOrderExprs([...m.functions.values()]);

describe('a program of the full language', () => {
  it('is well-formed and inferred, prints and parses, and evaluates', () => {
    fc.assert(
      fc.property(programs({ language: 'whole' }), ({ module, seed }) => {
        expect(wellFormed(module)).toEqual([]);
        expect(inferTypes(module)).toEqual(right(module));
        const parsed = parseModule(printModule(module), { ops: standardOps });
        expect(isRight(parsed) && structuralEqual(parsed.right, module)).toBe(true);
        const value = evaluate(module, inputsFor(module.functions.get('main') as Func, seed));
        if (isLeft(value)) throw new Error(value.left.map((d) => d.message).join('\n'));
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('is the same for the same seed', () => {
    for (let seed = 0; seed < 30; seed++) {
      const texts = [0, 0].map(() => printModule(programOf(seed, { language: 'whole' }).module));
      expect(texts[0]).toBe(texts[1]);
    }
  });

  it('shrinks to the few nodes that matter', () => {
    const fails = (m: IRModule): boolean => nodesOf(m).some((e) => e._tag === 'RefWrite');
    for (const seed of [1, 2, 3]) {
      const holds = fc.property(programs({ language: 'whole' }), ({ module }) => !fails(module));
      const { counterexample } = fc.check(holds, { seed, numRuns: 300 });
      const [program] = counterexample ?? [];
      if (program === undefined) throw new Error('some program writes to a reference');
      expect(nodesOf(program.module).length).toBeLessThanOrEqual(25);
      expect(fails(program.module)).toBe(true);
    }
  });
});

describe('programs of the full language', () => {
  const modules = Array.from(
    { length: 250 },
    (_, seed) => programOf(seed, { language: 'whole' }).module,
  );
  const nodes = modules.flatMap(nodesOf);
  const has = (holds: (node: Expr) => boolean): boolean => nodes.some(holds);

  it.each<readonly [what: string, holds: (node: Expr) => boolean]>([
    ['a function as an argument', (e) => e._tag === 'Call' && e.args.some((a) => isFunction(a))],
    ['a call of what a call gave', (e) => e._tag === 'Call' && e.op._tag === 'Call'],
    ['a constructor', (e) => e._tag === 'Call' && e.op._tag === 'Constructor'],
    ['a complete match', (e) => e._tag === 'Match' && e.complete],
    ['a partial match', (e) => e._tag === 'Match' && !e.complete],
    [
      'a pattern in a pattern',
      (e) => e._tag === 'Match' && e.clauses.some((c) => isDeep(c.pattern)),
    ],
    [
      'a wildcard',
      (e) => e._tag === 'Match' && e.clauses.some((c) => c.pattern._tag === 'PatternWildcard'),
    ],
    ['a reference', (e) => e._tag === 'RefCreate'],
    ['a read', (e) => e._tag === 'RefRead'],
    ['a write', (e) => e._tag === 'RefWrite'],
    ['a reference to a function', (e) => e._tag === 'RefCreate' && isFunction(e.value)],
    ['a local function that calls itself', isRecursive],
    ['a function to leave alone', (e) => isFunction(e) && e.attrs.SkipOptimization === 1],
    ['a polymorphic local function', (e) => e._tag === 'Let' && isPolymorphic(e.value)],
    ['a call that may fail, shared by two branches', isSharedPartial],
    ['a function of the library', (e) => e._tag === 'GlobalVar' && e.nameHint === 'foldl'],
  ])('have %s', (_, holds) => {
    expect(has(holds)).toBe(true);
  });

  it('have global functions of symbolic dimensions, of any shape and of any type', () => {
    const kinds = modules.flatMap((m) =>
      [...m.functions.values()].flatMap((f) => f.typeParams.map((p) => p.kind)),
    );
    for (const kind of ['ShapeVar', 'Shape', 'Type']) expect(kinds).toContain(kind);
  });

  it('have made-up data types, of one and of several constructors', () => {
    const counts = modules.flatMap((m) =>
      [...m.typeDefinitions].flatMap(([name, data]) =>
        name.startsWith('D') ? [data.constructors.length] : [],
      ),
    );
    expect(counts).toContain(1);
    expect(counts).toContain(3);
  });
});

/** `if (c) { match (l) { Cons(_, _) => @hd(l), .. } } else { match (l) { .. } }`, one call. */
function isSharedPartial(e: Expr): boolean {
  if (e._tag !== 'If') return false;
  const [yes, no] = [e.trueBranch, e.falseBranch].map((branch) =>
    branch._tag === 'Match'
      ? branch.clauses.flatMap((c) => postOrderExprs([c.body]).filter(isHeadOf(branch.data)))
      : [],
  );
  return yes?.some((head) => no?.includes(head) === true) === true;
}

const isHeadOf =
  (list: Expr) =>
  (e: Expr): boolean =>
    e._tag === 'Call' && e.op._tag === 'GlobalVar' && e.op.nameHint === 'hd' && e.args[0] === list;

const isFunction = (e: Expr): e is Func => e._tag === 'Function';

const isPolymorphic = (e: Expr): boolean => e._tag === 'Function' && e.typeParams.length > 0;

function isRecursive(e: Expr): boolean {
  return (
    e._tag === 'Let' &&
    e.value._tag === 'Function' &&
    postOrderExprs([e.value.body]).some((inner) => inner === e.variable)
  );
}

const isDeep = (pattern: {
  readonly _tag: string;
  readonly patterns?: ReadonlyArray<{ readonly _tag: string }>;
}): boolean => pattern.patterns?.some((inner) => inner._tag === 'PatternConstructor') ?? false;
