/** Programs that state less of their types than they could. */
import { rebuildDag } from '@baton/base';
import {
  anyDim,
  children,
  clause,
  type Dim,
  dimOf,
  type Expr,
  type Func,
  freeTypeVars,
  func,
  letIn,
  match,
  type Pattern,
  type Type,
  type TypeVar,
  tensorType,
  typeVar,
  type Var,
  variable,
  withChildren,
} from '@baton/ir';
import type { Choices } from '../generate/random.ts';

/** What becomes of the sizes that the parameters of `main` state. */
export type Sizes = 'stated' | 'unknown' | 'named';

/** How much is left out. */
export interface Stripping {
  /** The share of the annotations that go. */
  readonly share: number;
  readonly sizes: Sizes;
}

/** The functions with fewer annotations: types then come from where values are used. */
export function stripped(
  functions: ReadonlyMap<string, Func>,
  { share, sizes }: Stripping,
  random: Choices,
): ReadonlyMap<string, Func> {
  // A type that mentions type parameters says which: it stays.
  const goes = (type: Type | undefined): boolean =>
    type !== undefined && freeTypeVars(type).length === 0 && random.chance(share);
  const vars = new Map<Var, Var>();
  const barer = (v: Var): Var => {
    const known = vars.get(v);
    if (known !== undefined) return known;
    const made = goes(v.typeAnnotation) ? variable(v.nameHint, undefined, v.span) : v;
    vars.set(v, made);
    return made;
  };
  const pattern = rebuildDag<Pattern>(subPatterns, (p, get) => {
    if (p._tag === 'PatternVar') return { ...p, variable: barer(p.variable) };
    return 'patterns' in p ? { ...p, patterns: p.patterns.map(get) } : p;
  });
  const strip = rebuildDag<Expr>(children, (node, get) => {
    switch (node._tag) {
      case 'Var':
        return barer(node);
      case 'Function': {
        const { attrs, typeParams, constraints, span } = node;
        const retType = goes(node.retType) ? undefined : node.retType;
        const parts = { attrs, typeParams, constraints, span, retType };
        return func(node.params.map(barer), get(node.body), parts);
      }
      case 'Let':
        return letIn(barer(node.variable), get(node.value), get(node.body), node.span);
      case 'Match': {
        const clauses = node.clauses.map((one) => clause(pattern(one.pattern), get(one.body)));
        return match(get(node.data), clauses, node.complete, node.span);
      }
      default:
        return withChildren(node, children(node).map(get));
    }
  });
  const main = functions.get('main');
  const free = freeSizes(sizes, random);
  for (const param of main?.params ?? []) {
    const type = param.typeAnnotation;
    vars.set(param, type === undefined ? param : variable(param.nameHint, free(type), param.span));
  }
  return new Map(
    [...functions].map(([name, f]): [string, Func] => {
      const made = strip(f) as Func;
      // What the result has to do with free sizes is for inference to say.
      const isOpen = f === main && sizes !== 'stated';
      return [name, isOpen ? func(made.params, made.body, { attrs: f.attrs }) : made];
    }),
  );
}

const subPatterns = (p: Pattern): ReadonlyArray<Pattern> => ('patterns' in p ? p.patterns : []);

/** Sizes become known when the program runs. Equal sizes get the same name, or two names. */
function freeSizes(sizes: Sizes, random: Choices): (type: Type) => Type {
  if (sizes === 'stated') return (type) => type;
  const names = new Map<number, TypeVar>();
  const named = (size: number): Dim => {
    const known = names.get(size);
    if (known !== undefined && random.chance(0.8)) return dimOf(known);
    const name = typeVar(`n${size}`, 'ShapeVar');
    names.set(size, name);
    return dimOf(name);
  };
  const free = (dim: Dim): Dim => {
    if (typeof dim !== 'number' || random.chance(0.5)) return dim;
    return sizes === 'unknown' ? anyDim : named(dim);
  };
  return (type) =>
    type._tag === 'TensorType' && !('_tag' in type.shape)
      ? tensorType(type.shape.map(free), type.dtype)
      : type;
}
