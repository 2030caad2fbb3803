/** Expands calls by the definitions of their operators. */
import { isLeft, type Result, right } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  attrEqual,
  constant,
  type Expr,
  type OpTable,
} from '@baton/ir';
import { isTensor, scalar, type Tensor } from '@baton/tensor';
import { buildPattern } from '../pattern/instantiate.ts';
import { holesOf } from '../pattern/pattern.ts';
import { definitionColumn, type FormulaCase } from './column.ts';
import {
  type CallFacts,
  type DefinitionSite,
  dtypeOf,
  type FactSite,
  ofKnown,
  siteOf,
} from './site.ts';

export interface DefinitionOptions {
  /** Only definitions whose result is bit-identical to the operator's. @defaultValue false */
  readonly exactly?: boolean;
}

/**
 * The call as an expression of simpler operators; `undefined` if its operator has no definition of
 * such a call. **Errors** `GRADIENT_UNKNOWN_SIZE` if it depends on an unknown size, and the errors
 * that definition code reports.
 */
export function definitionOf(
  ops: OpTable,
  called: CallFacts,
  { exactly = false }: DefinitionOptions = {},
): Result<Expr> | undefined {
  const definition = ops.read(definitionColumn, called.name);
  if (definition === undefined) return undefined;
  const site = siteOf(ops, called);
  const found = ofKnown(() => {
    if (typeof definition === 'function') {
      return exactly && definition.isExact !== true ? undefined : definition(site);
    }
    const inputs = ops.get(called.name)?.inputs.map(({ name }) => name) ?? [];
    const one = definition.find((each) => isFor(each, site) && (each.isExact || !exactly));
    return one && ofFormula(one, site, inputs, called);
  });
  if (isLeft(found)) return found;
  return found.right === undefined ? undefined : right(found.right);
}

const isFor = ({ where, when }: FormulaCase<Attrs>, site: FactSite<Attrs>): boolean =>
  Object.entries(where).every(([name, value]) => attrEqual(value, site.attrs[name] ?? null)) &&
  when?.(site) !== false;

function ofFormula(
  one: FormulaCase<Attrs>,
  site: DefinitionSite<Attrs>,
  inputs: ReadonlyArray<string>,
  { args, types, span }: CallFacts,
): Expr | undefined {
  const values = valuesIn(one, site);
  if (values === undefined) return undefined;
  const terms = new Map<string, Expr>(inputs.map((name, i) => [name, args[i] as Expr]));
  for (const [name, value] of values.terms) terms.set(name, constant(value, span));
  return buildPattern<Expr>(one.formula.pattern, {
    term: (hole) => terms.get(hole) as Expr,
    attrs: values.attrs,
    number: (value, own) => constant(scalar(value, own ?? dtypeOf(types[0]) ?? 'float32'), span),
    call: site.op,
    tuple: (fields) => site.items(...fields),
    field: site.item,
  });
}

export interface HoleValues {
  readonly terms: ReadonlyMap<string, Tensor>;
  readonly attrs: ReadonlyMap<string, AttrValue | Attrs>;
}

/**
 * The values of holes, from the attributes of a call and the computed values; scalars in the
 * position of an expression become constants. `undefined` if one has no value.
 */
export function valuesIn(
  { formula, computed }: FormulaCase<Attrs>,
  site: FactSite<Attrs>,
): HoleValues | undefined {
  const attrs = new Map<string, AttrValue | Attrs>(Object.entries(site.attrs));
  attrs.set('attrs', site.attrs);
  const terms = new Map<string, Tensor>();
  for (const [name, compute] of computed) {
    const value = compute(site);
    if (value === undefined) return undefined;
    if (isTensor(value)) terms.set(name, value);
    else attrs.set(name, value);
  }
  for (const name of holesOf(formula.pattern).terms) {
    const value = attrs.get(name);
    if (typeof value === 'number') terms.set(name, scalar(value, site.dtype(0)));
  }
  return { terms, attrs };
}
