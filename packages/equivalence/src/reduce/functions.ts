/** Reducer steps that remove functions and types, and empty the functions that stay. */
import {
  constant,
  emptyTypeTable,
  type Func,
  type IRModule,
  irModule,
  postOrderExprs,
  rewriteExpr,
  sortOf,
  substitute,
  typeOf,
  withFunctions,
} from '@baton/ir';
import { staticTensor } from '@baton/ops';
import { splat } from '@baton/tensor';
import { type Candidates, withBody } from './candidate.ts';

export function* functionCandidates(m: IRModule, entry: string): Candidates {
  for (const [name, callee] of m.functions) {
    if (name === entry) continue;
    const others = [...m.functions].filter(([other]) => other !== name);
    yield withFunctions(m, new Map(others));
    const inlined = others.map(([other, f]) => [other, withCallee(f, name, callee)] as const);
    yield withFunctions(m, new Map(inlined));
  }
}

export function* typeCandidates(m: IRModule): Candidates {
  for (const [name, data] of m.typeDefinitions) {
    const gone = new Set(data.constructors.map((c) => c.name));
    const typeDefinitions = new Map([...m.typeDefinitions].filter(([other]) => other !== name));
    const constructors = new Map([...m.constructors].filter(([other]) => !gone.has(other)));
    // Types already inferred may mention the removed definition.
    yield irModule({ ...m, typeDefinitions, constructors, types: emptyTypeTable() });
  }
}

export function* zeroCandidates(m: IRModule, entry: string): Candidates {
  for (const [name, f] of m.functions) {
    if (name === entry) continue;
    for (const node of [...postOrderExprs([f.body])].reverse()) {
      const type = sortOf(node) === 'compound' ? typeOf(m, node) : undefined;
      const known = type?._tag === 'TensorType' ? staticTensor(type) : undefined;
      if (known === undefined) continue;
      const zeros = constant(splat(known.shape, known.dtype, 0));
      const next = withBody(f, f.params, substitute(f.body, new Map([[node, zeros]])));
      yield withFunctions(m, new Map([...m.functions, [name, next]]));
    }
  }
}

const withCallee = (f: Func, name: string, callee: Func): Func =>
  rewriteExpr(f, (node) =>
    node._tag === 'GlobalVar' && node.nameHint === name ? callee : undefined,
  ) as Func;
