/** Types of generated programs of the full language: from text, and without annotations. */
import { rebuildDag } from '@baton/base';
import {
  call,
  children,
  clause,
  type Expr,
  type Func,
  func,
  type IRModule,
  inferTypes,
  irModule,
  letIn,
  match,
  type Pattern,
  postOrderExprs,
  type Type,
  typeEqual,
  typeOf,
  type Var,
  variable,
  withChildren,
} from '@baton/ir';
import { programs } from '@baton/testing';
import { parseModule, printModule } from '@baton/text';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const typeOfFunction = (m: IRModule, name: string): Type | undefined => {
  const f = m.functions.get(name);
  return f === undefined ? undefined : typeOf(m, f);
};

it('the printed text has the types of the program, and every node has one', () => {
  fc.assert(
    fc.property(programs({ language: 'whole' }), ({ module }) => {
      const parsed = parseModule(printModule(module, { showTypes: false }), { ops: module.ops });
      expect(parsed._tag).toBe('Right');
      if (parsed._tag === 'Left') return;
      const inferred = inferTypes(parsed.right);
      expect(inferred._tag).toBe('Right');
      if (inferred._tag === 'Left') return;
      for (const [name, f] of inferred.right.functions) {
        const [again, before] = [inferred.right, module].map((m) => typeOfFunction(m, name));
        if (again === undefined || before === undefined) throw new Error(`@${name} has no type`);
        expect(typeEqual(again, before)).toBe(true);
        const nodes = postOrderExprs([f]).filter((node) => node._tag !== 'Op');
        expect(nodes.filter((node) => typeOf(inferred.right, node) === undefined)).toEqual([]);
      }
    }),
    { seed: 20_261_122, numRuns: 100 },
  );
});

/** The module without annotations, except on the parameters of `@main`. */
function bare(m: IRModule): IRModule {
  const main = m.functions.get('main') as Func;
  const vars = new Map<Var, Var>(main.params.map((param) => [param, param]));
  const stripped = (v: Var): Var => {
    const made = vars.get(v) ?? variable(v.nameHint, undefined, v.span);
    vars.set(v, made);
    return made;
  };
  const subPatterns = (p: Pattern): ReadonlyArray<Pattern> => ('patterns' in p ? p.patterns : []);
  const pattern = rebuildDag<Pattern>(subPatterns, (p, get) => {
    if (p._tag === 'PatternVar') return { ...p, variable: stripped(p.variable) };
    return 'patterns' in p ? { ...p, patterns: p.patterns.map(get) } : p;
  });
  const strip = rebuildDag<Expr>(children, (node, get) => {
    switch (node._tag) {
      case 'Var':
        return stripped(node);
      case 'Function':
        return func(node.params.map(stripped), get(node.body), { attrs: node.attrs });
      case 'Let':
        return letIn(stripped(node.variable), get(node.value), get(node.body));
      case 'Match': {
        const clauses = node.clauses.map((one) => clause(pattern(one.pattern), get(one.body)));
        return match(get(node.data), clauses, node.complete);
      }
      case 'Call':
        return call(get(node.op), node.args.map(get), { attrs: node.attrs });
      default:
        return withChildren(node, children(node).map(get));
    }
  });
  const functions = [...m.functions].map(([name, f]): [string, Func] => [name, strip(f) as Func]);
  return irModule({ ...m, functions: new Map(functions) });
}

it('without annotations a program has the same type, or nothing determines a part of it', () => {
  let found = 0;
  fc.assert(
    fc.property(programs({ language: 'whole' }), ({ module }) => {
      const inferred = inferTypes(
        irModule({ ...bare(module), types: irModule({ ops: module.ops }).types }),
      );
      if (inferred._tag === 'Left') {
        const codes = new Set(inferred.left.map((d) => d.code));
        expect([...codes]).toStrictEqual(['TYPE_UNDERCONSTRAINED']);
        return;
      }
      const [again, before] = [inferred.right, module].map((m) => typeOfFunction(m, 'main'));
      if (again === undefined || before === undefined) throw new Error('@main has no type');
      expect(typeEqual(again, before)).toBe(true);
      found++;
    }),
    { seed: 20_261_123, numRuns: 120 },
  );
  expect(found).toBeGreaterThan(20);
});
