/** Incremental inference against inference from scratch, over random edits of small modules. */
import { rebuildDag } from '@baton/base';
import {
  type Constructor,
  call,
  callGraph,
  children,
  clause,
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
  match,
  type Pattern,
  postOrderExprs,
  refCreate,
  refRead,
  tuple,
  tupleGetItem,
  typeEqual,
  typeOf,
  variable,
  withChildren,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { scalar, tensor } from '@baton/tensor';
import { printModule } from '@baton/text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';
import { moduleOf, typed } from './support.ts';

const PARTS = 10;
const MODULES = amount(50, { quick: 3 });
const EDITS = 20;

const START = moduleOf(`
type List[A] { Cons(A, List[A]), Nil }
def @id[A](%x: A) -> A { %x }
def @inc(%x) { %x + 1 }
def @swap(%p) { (%p.1, %p.0) }
def @map(%f, %xs) { match (%xs) { Cons(%x, %r) => Cons(%f(%x), @map(%f, %r)), Nil => Nil } }
def @twice(%f, %x) { let %g = fn (%y) { %f(%f(%y)) }; %g(%x) }
def @even(%n) { if (%n == 0) { True } else { @odd(%n - 1) } }
def @odd(%n) { if (%n == 0) { False } else { @even(%n - 1) } }
def @rows(%x: Tensor[(n, 2), float32], %y: Tensor[(m, 2), float32]) { concatenate((%x, %y), axis=0) }
def @use(%x: float32, %t: Tensor[(3, 2), float32]) {
  let %l = Cons(%x, Cons(%x * 2, Nil));
  let %pair = fn (%a, %b) { (%a, %b) };
  let %s = %pair(@map(fn (%v) { %v + 1 }, %l), %pair(@id(1), ()));
  (%s, @rows(%t, %t), @twice(fn (%z) { %z * 3 }, %x), @swap((%x, True)))
}
def @main(%x: float32, %t: Tensor[(3, 2), float32]) { (@use(%x, %t).0, @inc(2), @even(3)) }
`);

const yes = constant(tensor([1], [], 'bool'));
const one = constant(scalar(1, 'float32'));
const wild: Pattern = { _tag: 'PatternWildcard', span: undefined };

/** The replacements of a node: an expression with the same value, and another shape or type. */
const wrappers: ReadonlyArray<(e: Expr, m: IRModule) => Expr> = [
  (e) => tupleGetItem(tuple([e, e]), 0),
  (e) => tupleGetItem(tuple([one, e]), 1),
  (e) => ifElse(yes, e, e),
  (e) => {
    const v = variable('v');
    return letIn(v, e, v);
  },
  (e) => call(globalVar('id'), [e]),
  (e) => refRead(refCreate(e)),
  (e) => {
    const y = variable('y');
    return call(func([y], y), [e]);
  },
  (e) => {
    const [f, y] = [variable('f'), variable('y')];
    return letIn(f, func([y], tuple([y, one])), tupleGetItem(call(f, [e]), 0));
  },
  (e, m) => {
    const h = variable('h');
    const cons = m.constructors.get('Cons') as Constructor;
    const nil = m.constructors.get('Nil') as Constructor;
    const pattern: Pattern = {
      _tag: 'PatternConstructor',
      ctor: cons,
      patterns: [{ _tag: 'PatternVar', variable: h, span: undefined }, wild],
      span: undefined,
    };
    const list = call(cons, [e, call(nil, [])]);
    return match(list, [clause(pattern, h), clause(wild, e)], true);
  },
  (e, m) => tupleGetItem(tuple([e, call(m.constructors.get('Nil') as Constructor, [])]), 0),
];

interface Edit {
  readonly target: number;
  readonly node: number;
  readonly wrapper: number;
  readonly kind: 'wrap' | 'wrap' | 'reopen' | 'pair';
}

const pick = <A>(items: ReadonlyArray<A>, at: number): A => items[at % items.length] as A;

const isValue = (node: Expr, callees: ReadonlySet<Expr>): boolean =>
  node._tag !== 'Op' && !callees.has(node);

/** The functions with one changed; an edit of kind `pair` changes the type of its result. */
function edited(m: IRModule, { target, node, wrapper, kind }: Edit): ReadonlyMap<string, Func> {
  const [name, f] = pick([...m.functions], target);
  const nodes = postOrderExprs([f.body]);
  const callees = new Set(nodes.flatMap((n) => (n._tag === 'Call' ? [n.op] : [])));
  const values = nodes.filter((n) => isValue(n, callees));
  const from = pick(values, node);
  const to = pick(wrappers, wrapper)(from, m);
  const body =
    kind === 'pair'
      ? tuple([f.body, one])
      : rebuildDag<Expr>(children, (n, get) =>
          n === from ? to : withChildren(n, children(n).map(get)),
        )(f.body);
  const isOpen = kind !== 'wrap';
  const next = func(f.params, body, { ...f, retType: isOpen ? undefined : f.retType });
  return new Map([...m.functions, [name, next]]);
}

/** Some functions of a module as text, with the types of all nodes. */
const shown = (m: IRModule, names: ReadonlyArray<string>): string =>
  printModule(
    irModule({
      ...m,
      functions: new Map(names.map((name) => [name, m.functions.get(name) as Func])),
    }),
    { typeOf: (node) => typeOf(m, node) },
  );

describe('10,000 random edits', () => {
  const parts = Array.from({ length: PARTS }, (_, i) => i + 1);
  test.each(parts)('give the types that inference from scratch gives: part %i', (part) => {
    let edits = 0;
    let kept = 0;
    let revisits = 0;
    const edit = fc.record({
      target: fc.nat(),
      node: fc.nat(),
      wrapper: fc.nat(),
      kind: fc.constantFrom<Edit['kind']>('wrap', 'wrap', 'wrap', 'reopen', 'pair'),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: EDITS, maxLength: EDITS }), (steps) => {
        let m = typed(irModule({ ...START, types: irModule({ ops: standardOps }).types }));
        // Leaves return in later edits; the table knows them since the first attempt.
        const leaves = new Set<Expr>();
        for (const step of steps) {
          edits++;
          const functions = edited(m, step);
          const known = new Set(postOrderExprs([...m.functions.values()]));
          const stats = { visited: 0, revisited: 0 };
          const next = inferTypes(irModule({ ...m, functions }), { stats });
          const scratch = inferTypes(
            irModule({ ...m, functions, types: irModule({ ops: standardOps }).types }),
          );
          expect(next._tag).toBe(scratch._tag);
          const addLeaves = (): void => {
            for (const n of postOrderExprs([...functions.values()])) {
              if (children(n).length === 0) leaves.add(n);
            }
          };
          if (next._tag === 'Left' || scratch._tag === 'Left') {
            addLeaves();
            continue;
          }
          kept++;
          revisits += stats.revisited;
          const isSameSignature = [...functions.keys()].every((name) => {
            const [a, b] = [m, next.right].map((one) => {
              const f = one.functions.get(name);
              return f === undefined ? undefined : typeOf(one, f);
            });
            return a !== undefined && b !== undefined && typeEqual(a, b);
          });
          const [name] = pick([...m.functions], step.target);
          // Under the same signatures the other functions are unchanged.
          const only = isSameSignature ? [name] : [...functions.keys()];
          expect(shown(next.right, only)).toBe(shown(scratch.right, only));
          // A group whose signatures are inferred again is visited as a whole.
          const isStated = step.kind === 'wrap' || !callGraph(functions).recursive.has(name);
          if (isSameSignature && isStated) {
            const fresh = postOrderExprs(
              [...functions.values()],
              (n) => known.has(n) || leaves.has(n),
            );
            const count = fresh.filter((n) => n._tag !== 'Var' && n._tag !== 'Op').length;
            expect(stats.visited - stats.revisited).toBe(count);
          }
          addLeaves();
          m = next.right;
        }
      }),
      { seed: 20_261_120 + part, numRuns: MODULES, endOnFailure: true },
    );
    expect(edits).toBe(MODULES * EDITS);
    // Most edits give types; few typed nodes are visited again.
    expect(kept).toBeGreaterThan(edits / 2);
    expect(revisits).toBeLessThan(kept);
  });
});
