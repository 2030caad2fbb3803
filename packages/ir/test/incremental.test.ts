import { orThrow, rebuildDag } from '@baton/base';
import {
  call,
  children,
  clause,
  type Expr,
  type Func,
  func,
  funcType,
  globalVar,
  type IRModule,
  ifElse,
  inferTypes,
  irModule,
  keepType,
  letIn,
  match,
  postOrderExprs,
  refCreate,
  refRead,
  refWrite,
  type Type,
  tensorType,
  tuple,
  tupleGetItem,
  tupleType,
  typeOf,
  type Var,
  variable,
  withChildren,
  withFunctions,
} from '@baton/ir';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { add, inferred, lit, log, mainOf, moduleOf, num, ops, t, yes } from './infer-support.ts';

/** The module with types, and the number of visited nodes. */
const counted = (m: IRModule): { readonly module: IRModule; readonly visited: number } => {
  const stats = { visited: 0 };
  return { module: orThrow(inferTypes(m, { stats })), visited: stats.visited };
};

const withMain = (m: IRModule, main: Func): IRModule =>
  withFunctions(m, new Map([...m.functions, ['main', main]]));

/** `main` with one node replaced; everything above it is rebuilt. */
const replace = (f: Func, from: Expr, to: Expr): Func =>
  rebuildDag<Expr>(children, (node, get) =>
    node === from ? to : withChildren(node, children(node).map(get)),
  )(f) as Func;

const chain = (x: Expr, length: number): ReadonlyArray<Expr> => {
  const nodes: Expr[] = [x];
  for (let i = 0; i < length; i++) nodes.push(log(nodes.at(-1) ?? x));
  return nodes;
};

describe('a module that shares nodes with an older one', () => {
  const x = variable('x', t(3));
  const nodes = chain(x, 100);
  const last = nodes.at(-1) ?? x;
  const base = inferred(moduleOf({ main: func([x], last) }));

  it('pays nothing when nothing is new', () => {
    expect(counted(base)).toStrictEqual({ module: base, visited: 0 });
    expect(counted(irModule({ ...base })).visited).toBe(0);
  });

  it('visits the new nodes alone', () => {
    // Three new nodes: two calls on top of the old ones, and the function.
    const main = func([x], log(log(nodes[97] ?? x)), mainOf(base));
    expect(counted(withMain(base, main)).visited).toBe(3);
  });

  it('visits the new nodes above a change', () => {
    const old = nodes[90] ?? x;
    const main = replace(mainOf(base), old, add(nodes[89] ?? x, x));
    expect(counted(withMain(base, main)).visited).toBe(1 + 10 + 1);
  });

  it('visits only the nodes that a rebuild of the annotations made', () => {
    const v = variable('v');
    const main = func([x], letIn(v, last, add(v, v)), mainOf(base));
    const { module, visited } = counted(withMain(base, main));
    // The sum, the let and the function.
    expect(visited).toBe(3);
    expect(counted(module).visited).toBe(0);
  });

  it('sees nothing of a table that is not its own', () => {
    const fresh = moduleOf({ main: mainOf(base) });
    expect(counted(fresh).visited).toBe(101);
  });
});

describe('signatures', () => {
  const y = variable('y', t(2));
  const x = variable('x', t(2));
  const prefix = log(log(x));
  const callF = call(globalVar('f'), [prefix]);
  const untouched = log(log(log(x)));
  const body = tuple([log(callF), untouched]);
  const f = func([y], log(y));
  const base = inferred(moduleOf({ f, main: func([x], body), other: func([x], untouched) }));

  it('is not visited again for a new body under an old signature', () => {
    const next = irModule({
      ...base,
      functions: new Map([...base.functions, ['f', func([y], log(log(y)))]]),
    });
    // In f: the outer logarithm, the inner one (both new), the function.
    expect(counted(next).visited).toBe(3);
  });

  it('visits only the functions that rely on a changed signature', () => {
    const wide = func([y], tuple([y, y]));
    const main = func([x], tuple([callF, untouched]));
    const m = inferred(moduleOf({ f, main }));
    const next = irModule({ ...m, functions: new Map([...m.functions, ['f', wide]]) });
    // The result of main was annotated for the old signature: a pass that changes it says so.
    const open = withMain(next, func([x], mainOf(next).body));
    const { module, visited } = counted(open);
    // f: pair, function. main: @f, its call, the tuple, the function.
    expect(visited).toBe(2 + 4);
    expect(typeOf(module, callF)).toMatchObject({ _tag: 'TupleType' });
    // The older module still sees its own types, and the newer one its own.
    expect(typeOf(m, callF)).toStrictEqual(t(2));
    expect(typeOf(module, callF)).toMatchObject({ _tag: 'TupleType' });
  });
});

/** A clause that binds the whole value. */
const bound = (v: Var) => clause({ _tag: 'PatternVar', variable: v, span: undefined }, v);

describe('typeOf', () => {
  const x = variable('x', t(3));
  const base = inferred(moduleOf({ main: func([x], log(x)), g: func([x], tuple([x, x])) }));

  test.each<[string, Expr, Type | undefined]>([
    ['a node of the module', mainOf(base).body, t(3)],
    ['an annotated variable', x, t(3)],
    ['a fresh call of typed nodes', add(log(mainOf(base).body), x), t(3)],
    ['a fresh constant', num(1, 'int64'), tensorType([], 'int64')],
    ['a call of a global', tupleGetItem(call(globalVar('g'), [x]), 1), t(3)],
    ['a function whose parameters are annotated', func([x], log(x)), funcType([t(3)], t(3))],
    ['a number without suffix', lit(1), undefined],
    ['a variable without annotation', variable('v'), undefined],
    ['a call of it', log(log(variable('v'))), undefined],
    ['a global that is not there', globalVar('nope'), undefined],
    ['an ill-typed call', add(x, variable('y', t(4))), undefined],
    ['a call of an ill-typed call', log(add(x, variable('y', t(4)))), undefined],
    ['a let', letIn(variable('v', t(3)), x, tuple([x])), tupleType([t(3)])],
    ['a let whose value has another type', letIn(variable('v', t(4)), x, x), undefined],
    ['a let of a variable without annotation', letIn(variable('v'), x, x), undefined],
    ['a match', match(x, [bound(variable('v', t(3)))], true), t(3)],
    [
      'a match whose variable has another type',
      match(x, [bound(variable('v', t(4)))], true),
      undefined,
    ],
    ['a match of a variable without annotation', match(x, [bound(variable('v'))], true), undefined],
    [
      'a function that says its result',
      func([x], log(x), { retType: t(3) }),
      funcType([t(3)], t(3)),
    ],
    ['a function that says another result', func([x], log(x), { retType: t(4) }), undefined],
    ['a function of a variable without annotation', func([variable('v')], x), undefined],
    ['a condition', ifElse(yes, x, log(x)), t(3)],
    ['a condition that is no bool', ifElse(x, x, x), undefined],
    ['branches that differ', ifElse(yes, x, yes), undefined],
    ['a call with too many arguments', call(globalVar('g'), [x, x]), undefined],
    ['a call with an argument of another type', call(globalVar('g'), [yes]), undefined],
    ['a number without suffix in a tuple', tuple([x, lit(1)]), undefined],
    ['a write of another type', refWrite(refCreate(x), yes), undefined],
    ['a write', refWrite(refCreate(x), x), tupleType([])],
    ['a read', refRead(refCreate(x)), t(3)],
  ])('of %s', (_title, expr, expected) => {
    expect(typeOf(base, expr)).toStrictEqual(expected);
    expect(typeOf(base, expr)).toStrictEqual(expected);
  });

  it('of a chain of 50,000 fresh nodes, from the bottom up and at once', () => {
    const nodes = chain(mainOf(base).body, 8_000);
    expect(typeOf(base, nodes.at(-1) ?? x)).toStrictEqual(t(3));
    const untypable = chain(variable('v'), 8_000);
    for (const node of untypable) expect(typeOf(base, node)).toBeUndefined();
  });

  it('leaves nothing for inference to do', () => {
    const fresh = log(log(mainOf(base).body));
    expect(typeOf(base, fresh)).toStrictEqual(t(3));
    expect(counted(withMain(base, func([x], fresh, mainOf(base)))).visited).toBe(1);
  });
});

describe('the type of a node that gets other parts', () => {
  const [x, y] = [variable('x', t(3)), variable('y', t(3))];
  const base = inferred(moduleOf({ main: func([x], add(x, x)) }));
  const was = mainOf(base).body;

  it('is the object that it was, if the parts have the old types', () => {
    const made = add(y, y);
    keepType(base, was, made);
    expect(typeOf(base, made)).toBe(typeOf(base, was));
  });

  it('stays the one that it has already', () => {
    const made = add(y, y);
    const known = typeOf(base, made);
    expect(known).not.toBe(typeOf(base, was));
    keepType(base, was, made);
    expect(typeOf(base, made)).toBe(known);
  });
});

const sameResult = (a: Func, b: Func): boolean =>
  JSON.stringify(a.retType) === JSON.stringify(b.retType);

describe('random edits', () => {
  /** A module whose functions call those before them. */
  const parameter = (): Var => variable('x', t(2));
  const pick = <A>(items: ReadonlyArray<A>, at: number): A => items[at % items.length] as A;

  it('give the types that inference from scratch gives, at the cost of the new nodes', () => {
    let edits = 0;
    const step = fc.record({
      target: fc.nat(),
      node: fc.nat(),
      other: fc.nat(),
      kind: fc.constantFrom('log', 'pair', 'call', 'first', 'tuple'),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const x = parameter();
        const names = ['a', 'b', 'c'];
        let m = inferred(
          moduleOf(Object.fromEntries(names.map((name) => [name, func([x], log(log(x)))]))),
        );
        for (const { target, node, other, kind } of steps) {
          const index = target % names.length;
          const name = names[index] as string;
          const f = m.functions.get(name) as Func;
          const below = postOrderExprs([f.body]).filter((n) => n._tag !== 'Op');
          const from = pick(below, node);
          const callee = names[other % names.length] as string;
          const isEarlier = other % names.length < index;
          const made: Record<typeof kind, Expr> = {
            log: log(from),
            pair: tupleGetItem(tuple([from, pick(below, other)]), 0),
            call: isEarlier ? call(globalVar(callee), [x]) : add(x, x),
            first: tupleGetItem(tuple([from, x]), 1),
            tuple: tuple([from, x]),
          };
          if (from._tag === 'GlobalVar') continue;
          const to = made[kind];
          const body = rebuildDag<Expr>(children, (n, get) =>
            n === from && n !== x ? to : withChildren(n, children(n).map(get)),
          )(f.body);
          const edited = func([x], from === x ? made.log : body);
          // Another result may change the callers' results, whose annotations are removed.
          const reopened = names
            .slice(index + 1)
            .map((caller) => [caller, func([x], (m.functions.get(caller) as Func).body)] as const);
          const next = irModule({
            ...m,
            functions: new Map([...m.functions, [name, edited], ...reopened]),
          });
          const known = new Set(postOrderExprs([...m.functions.values()]));
          const stats = { visited: 0 };
          const result = inferTypes(next, { stats });
          if (result._tag === 'Left') continue;
          const scratch = inferred(irModule({ functions: next.functions, ops }));
          for (const [key, g] of result.right.functions) {
            const again = scratch.functions.get(key) as Func;
            expect(g.retType).toStrictEqual(again.retType);
            for (const n of postOrderExprs([g])) {
              if (n._tag !== 'Op')
                expect(typeOf(result.right, n)).toStrictEqual(typeOf(scratch, n));
            }
          }
          const old = m.functions.get(name) as Func;
          const isSignatureKept = sameResult(old, result.right.functions.get(name) as Func);
          const fresh = postOrderExprs([...next.functions.values()], (n) => known.has(n));
          const visited = fresh.filter((n) => n._tag !== 'Var' && n._tag !== 'Op').length;
          if (isSignatureKept) expect(stats.visited).toBe(visited);
          else expect(stats.visited).toBeGreaterThanOrEqual(visited);
          edits++;
          m = result.right;
        }
      }),
      { seed: 20_261_120, numRuns: 300 },
    );
    // Some edits give no type and are left out; most do.
    expect(edits).toBeGreaterThan(500);
  });
});
