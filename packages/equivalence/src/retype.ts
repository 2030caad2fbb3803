/** Changes the types, constants and attributes of a module, keeping its structure. */
import {
  type Attrs,
  type AttrValue,
  binders,
  type Func,
  func,
  type IRModule,
  irModule,
  mapParts,
  postOrderExprs,
  rewriteExpr,
  type Type,
  type TypeParts,
  type Var,
  variable,
} from '@baton/ir';
import type { Tensor } from '@baton/tensor';

/** How to replace the parts; each function returns the same object if nothing changes. */
export interface Retyping {
  readonly types: TypeParts;
  readonly tensor: (t: Tensor) => Tensor;
  readonly attr: (value: AttrValue) => AttrValue;
  /** Whether to drop annotations that inference can find again. */
  readonly forgetDerived: boolean;
}

/**
 * The module with its parts replaced, without types; the module itself if nothing changed.
 *
 * **Complexity** linear in the module.
 */
export function retype(m: IRModule, change: Retyping): IRModule {
  const vars = newVars(m, change);
  const parts = {
    binder: (v: Var) => vars.get(v) ?? v,
    types: change.types,
    callAttrs: (attrs: Attrs) => changedAttrs(attrs, change.attr),
    tensor: change.tensor,
  };
  let changed = false;
  const functions = new Map<string, Func>();
  for (const [name, f] of m.functions) {
    const next = rewriteExpr(f, (node, get) => {
      if (node._tag === 'Var') return vars.get(node);
      const made = mapParts(node, { ...parts, child: get });
      const isBare = made._tag !== 'Function' || made.retType === undefined;
      if (isBare || !change.forgetDerived) return made;
      return func(made.params, made.body, { ...made, retType: undefined });
    });
    changed ||= next !== f;
    functions.set(name, next as Func);
  }
  if (!changed) return m;
  const { typeDefinitions, constructors, ops, attrs } = m;
  return irModule({ functions, typeDefinitions, constructors, ops, attrs });
}

/** The replacement of each variable, computed first: a walk reaches uses before binders. */
function newVars(m: IRModule, change: Retyping): ReadonlyMap<Var, Var> {
  const vars = new Map<Var, Var>();
  const bind = (v: Var, type: Type | undefined): void => {
    vars.set(v, type === v.typeAnnotation ? v : variable(v.nameHint, type, v.span));
  };
  for (const node of postOrderExprs([...m.functions.values()])) {
    const isDerived = node._tag !== 'Function' && change.forgetDerived;
    for (const v of binders(node)) {
      bind(v, isDerived ? undefined : v.typeAnnotation && change.types.type(v.typeAnnotation));
    }
  }
  return vars;
}

function changedAttrs(attrs: Attrs, change: (value: AttrValue) => AttrValue): Attrs {
  const entries = Object.entries(attrs);
  const next = entries.map(([name, value]) => [name, change(value)] as const);
  return next.every(([, value], i) => value === entries[i]?.[1]) ? attrs : Object.fromEntries(next);
}
