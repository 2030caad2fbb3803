/**
 * The engine of other layouts: calls take them over from their arguments as far as they can
 * ([passes §28](https://batonjs.github.io/baton/spec/passes#28)).
 */
import { remember } from '@baton/base';
import {
  type Attrs,
  call,
  type Expr,
  type Func,
  type IRModule,
  isContextual,
  isStateful,
  type TempExpr,
  type Type,
  tempExpr,
  tuple,
  tupleGetItem,
  typeEqual,
  typeOf,
} from '@baton/ir';
import {
  callOp,
  dimsOf,
  isOpCall,
  layoutColumn,
  type OpCall,
  parseLayout,
  type Relayed,
} from '@baton/ops';
import { type Count, isDecidedByCallers, visibleIn } from '@baton/pass-manager';
import { type ForwardRule, forwardRewrite } from '../forward-rewrite.ts';

export const LAYOUT_COUNTERS = [
  'layout wanted',
  'layout taken over',
  'argument transformed',
  'argument expanded',
] as const;

/** The remarks of a pass about layouts: why a call returns a value in its old layout. */
export const LAYOUT_REMARKS = ['kept: no rule', 'kept: refused'] as const;

type LayoutCount = Count<(typeof LAYOUT_COUNTERS)[number] | (typeof LAYOUT_REMARKS)[number]>;

/** The attributes that a call shall have, its own object among them; nothing if it may choose. */
export type Wanted = (node: OpCall) => Attrs | undefined;

/**
 * The function with the wanted layouts. What a call gives in another layout goes on in it through
 * all users that have a rule for it; other users get it back as it was.
 *
 * **Complexity** one application of a rule for each call.
 */
export function inLayouts(f: Func, m: IRModule, wanted: Wanted, count: LayoutCount): Func {
  const site: Site = { m, wanted, count, transforms: new Map(), expanded: new Map() };
  const rule: ForwardRule = (node, args) => (isOpCall(node) ? relaid(site, node, args) : undefined);
  const mayProject = (of: Expr): boolean => !isStateful(m, of) && !isContextual(m, of);
  return forwardRewrite(f, rule, { order: visibleIn(f.body, m).order, mayProject });
}

interface Site {
  readonly m: IRModule;
  readonly wanted: Wanted;
  readonly count: LayoutCount;
  readonly transforms: Map<Expr, Map<string, Expr>>;
  /** Values with new axes in front, by how many these are. */
  readonly expanded: Map<Expr, Map<number, Expr>>;
}

/** A value in another layout than it was in. */
interface LayoutAlternated extends Relayed {
  readonly value: Expr;
}

/** Every `TempExpr` of these passes has such a payload. */
const alternated = (expr: Expr): LayoutAlternated | undefined =>
  expr._tag === 'TempExpr' ? (expr.payload as LayoutAlternated) : undefined;

/** The call in other layouts; nothing if it stays. */
function relaid(site: Site, node: OpCall, args: ReadonlyArray<Expr>): Expr | undefined {
  const { m, count } = site;
  const wanted = site.wanted(node);
  const attrs = wanted ?? node.attrs;
  const tensors = args.map((arg, i) => tensorsOf(arg, typeOf(m, node.args[i] as Expr)));
  const inputs = tensors.flat();
  if (attrs === node.attrs && !inputs.some(({ expr }) => alternated(expr))) return undefined;
  const rule = m.ops.read(layoutColumn, node.op.name)?.rule;
  if (rule === undefined) {
    count('kept: no rule');
    return undefined;
  }
  const was = typeOf(m, node);
  const relayout =
    was === undefined || isDecidedByCallers(m, node)
      ? undefined
      : rule({
          args: inputs.map(({ type }) => type),
          results: was._tag === 'TupleType' ? was.fields : [was],
          inputs: inputs.map(({ expr }) => alternated(expr)),
          attrs: node.attrs,
          wanted,
        });
  if (relayout === undefined || was === undefined) {
    count('kept: refused');
    return undefined;
  }
  let at = 0;
  const taken = tensors.map((of, i) => {
    const parts = of.map((tensor) => inLayout(site, tensor, relayout.inputs[at++]));
    const isTuple = typeOf(m, node.args[i] as Expr)?._tag === 'TupleType';
    return isTuple ? tuple(parts, node.args[i]?.span) : (parts[0] as Expr);
  });
  const made = call(node.op, taken, { attrs: relayout.attrs, span: node.span });
  const result = resultOf(site, made, was, relayout.outputs);
  count(
    result === undefined
      ? 'kept: refused'
      : attrs === node.attrs
        ? 'layout taken over'
        : 'layout wanted',
  );
  return result;
}

interface Input {
  readonly expr: Expr;
  readonly type: Type;
}

/** The tensors of an argument: the fields of a tuple, or the argument itself. */
function tensorsOf(arg: Expr, type: Type | undefined): ReadonlyArray<Input> {
  if (type === undefined) return [];
  if (type._tag !== 'TupleType') return [{ expr: arg, type }];
  return type.fields.map((field, i) => ({
    expr: (arg._tag === 'Tuple' ? arg.fields[i] : undefined) ?? tupleGetItem(arg, i, arg.span),
    type: field,
  }));
}

/** An argument in the layout that its user takes it in. */
function inLayout(site: Site, { expr, type }: Input, layout: Relayed | undefined): Expr {
  const given = alternated(expr);
  if (given !== undefined && given.from === layout?.from) {
    return transformed(site, given.value, given.to, layout.to);
  }
  const plain = given === undefined ? expr : transformed(site, given.value, given.to, given.from);
  const dims = dimsOf(type);
  if (layout === undefined || dims === undefined || layout.from === layout.to) return plain;
  const missing = (parseLayout(layout.from)?.length ?? dims.length) - dims.length;
  const whole = missing > 0 ? expanded(site, plain, missing) : plain;
  return transformed(site, whole, layout.from, layout.to);
}

function expanded({ m, count, expanded: known }: Site, value: Expr, missing: number): Expr {
  const ofValue = remember(known, value, () => new Map<number, Expr>());
  return remember(ofValue, missing, () => {
    count('argument expanded');
    return callOp(m.ops, 'expand_dims', [value], { axis: 0, num_newaxis: missing }, value.span);
  });
}

/** A value in another layout; all users of the value share the transform. */
function transformed(site: Site, value: Expr, from: string, to: string): Expr {
  if (from === to) return value;
  const known = remember(site.transforms, value, () => new Map<string, Expr>());
  return remember(known, `${from} ${to}`, () => {
    site.count('argument transformed');
    const attrs = { src_layout: from, dst_layout: to };
    return callOp(site.m.ops, 'layout_transform', [value], attrs, value.span);
  });
}

/** The results of a call in their layouts; nothing if they would have other types as they were. */
function resultOf(
  site: Site,
  made: Expr,
  was: Type,
  outputs: ReadonlyArray<Relayed | undefined>,
): Expr | undefined {
  if (was._tag !== 'TupleType') return fieldOf(site, made, was, outputs[0]);
  if (typeOf(site.m, made) === undefined) return undefined;
  const fields = was.fields.map((type, i) =>
    fieldOf(site, tupleGetItem(made, i, made.span), type, outputs[i]),
  );
  if (!fields.every((field) => field !== undefined)) return undefined;
  return fields.some(({ _tag }) => _tag === 'TempExpr') ? tuple(fields, made.span) : made;
}

function fieldOf(
  site: Site,
  value: Expr,
  was: Type,
  layout: Relayed | undefined,
): Expr | TempExpr | undefined {
  const isOther = layout !== undefined && layout.from !== layout.to;
  const attrs = { src_layout: layout?.to ?? '', dst_layout: layout?.from ?? '' };
  const back = isOther ? callOp(site.m.ops, 'layout_transform', [value], attrs, value.span) : value;
  const type = typeOf(site.m, back);
  if (type === undefined || !typeEqual(type, was)) return undefined;
  if (!isOther) return value;
  const payload: LayoutAlternated = { value, from: layout.from, to: layout.to };
  return tempExpr(payload, () => transformed(site, value, layout.to, layout.from), value.span);
}
