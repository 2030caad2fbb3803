/** Options of the passes that need some: patterns, rules and layouts for programs of any kind. */

import { isRight } from '@baton/base';
import type { Type } from '@baton/ir';
import { callOp, type LayoutAttributes, layoutColumn, standardOps } from '@baton/ops';
import type { AlterRule, DesiredLayouts, LegalizeRule, passes } from '@baton/passes';
import { arithmetic, dataflow, type RuleInput, rule } from '@baton/rewrites';

const { isConstant, isIf, isLet, isOp, isTuple, isTupleGetItem, isVar, wildcard } = dataflow;

const elementwise = wildcard().hasAttr({ TOpPattern: 'elemwise' });
const broadcast = wildcard().hasAttr({ TOpPattern: 'broadcast' });
const source = wildcard().hasAttr({ TOpPattern: 'broadcast' })(wildcard(), wildcard());

/** Patterns of calls, diamonds, constants, tuples, branches and bindings. */
export const composites: Parameters<typeof passes.mergeComposite>[0] = [
  {
    name: 'diamond',
    pattern: source.dominates(
      broadcast(wildcard(), wildcard()),
      elementwise(wildcard()).or(isConstant()),
    ),
  },
  { name: 'chain', pattern: elementwise(elementwise(wildcard())) },
  { name: 'sum', pattern: isOp('add')(isConstant(), wildcard()) },
  { name: 'field', pattern: isTupleGetItem(wildcard()(null)) },
  { name: 'tuple', pattern: isTuple() },
  { name: 'choice', pattern: isIf(wildcard(), wildcard()(null), wildcard()(null)) },
  { name: 'binding', pattern: isLet(isVar(), wildcard()(null), wildcard()) },
  { name: 'call', pattern: wildcard()(null) },
];

/** A set, and a rule of its own. */
export const rules: RuleInput = [
  arithmetic,
  rule('relu of relu', 'nn.relu(nn.relu(?x))', 'nn.relu(?x)'),
];

const channelsLast = (layout: string): string => `N${layout.slice(2)}C`;

/** Convolutions with their channels at the end; what lies between goes along. */
export const desired: DesiredLayouts = Object.fromEntries(
  standardOps.names.flatMap((name) => {
    const attrs = standardOps.get(name)?.attrs.decode({});
    const takesWeight = standardOps.read(layoutColumn, name)?.attributes?.partner !== undefined;
    return takesWeight && attrs !== undefined && isRight(attrs)
      ? [[name, [channelsLast(`${attrs.right.data_layout}`), 'default']]]
      : [];
  }),
);

/** Plain images in blocks of two channels, if these divide; else with the channels at the end. */
export const altering: Readonly<Record<string, AlterRule>> = Object.fromEntries(
  standardOps.names.flatMap((name) => {
    const known = standardOps.read(layoutColumn, name)?.attributes;
    return known === undefined ? [] : [[name, altered(known)]];
  }),
);

function altered({ names: [data = '', kernel], partner }: LayoutAttributes): AlterRule {
  return ({ attrs, args }) => {
    const layout = `${attrs[data]}`;
    if (!/^NC[A-Z]+$/.test(layout)) return undefined;
    if (kernel === undefined) return { [data]: channelsLast(layout) };
    const plain = partner?.(layout, attrs, args);
    const last = channelsLast(layout);
    if (attrs[kernel] !== plain || plain === undefined) return undefined;
    return args.every(hasEvenSecond)
      ? { [data]: `${layout}2c`, [kernel]: `${plain}2${plain.charAt(1).toLowerCase()}` }
      : { [data]: last, [kernel]: partner?.(last, attrs, args) ?? plain };
  };
}

const hasEvenSecond = (type: Type): boolean =>
  type._tag === 'TensorType' && !('_tag' in type.shape) && Number(type.shape[1]) % 2 === 0;

/** Products and sums in other words. */
export const legalizing: Readonly<Record<string, LegalizeRule>> = {
  'nn.dense': ({ call, module }) =>
    call.attrs?.out_dtype === ''
      ? callOp(module.ops, 'nn.matmul', call.args, { transpose_b: true }, call.span)
      : undefined,
  add: ({ call, result, module }) => {
    const [left, right] = call.args;
    if (left === undefined || right === undefined || left === right) return undefined;
    if (result._tag !== 'TensorType' || result.dtype === 'bool') return undefined;
    const { span } = call;
    return callOp(
      module.ops,
      'subtract',
      [left, callOp(module.ops, 'negative', [right])],
      {},
      span,
    );
  },
};
