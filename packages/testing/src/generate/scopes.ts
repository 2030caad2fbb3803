/** The part of a builder for scopes: visible values, and bindings. */
import { letIn, variable } from '@baton/ir';
import type { Builder } from './builder.ts';
import { type Draft, inScope, madeFrom } from './draft.ts';
import type { TensorValue, Value } from './value.ts';

/** Names are few, so that inner variables shadow outer ones. */
const NAMES = ['a', 'b', 'c', 'd'];

export const bindings = (
  draft: Draft,
  b: Builder,
): Pick<Builder, 'keep' | 'bind' | 'bindExpr' | 'hasEffect' | 'use'> => ({
  keep: (value) => {
    draft.scope.visible.push(b.hasEffect(value) ? b.bind(value) : value);
  },
  bind: (value) => {
    b.use(value);
    return { ...value, expr: b.bindExpr(value.expr, value.type) };
  },
  bindExpr: (expr, type, isEffectful = false) => {
    if (isEffectful) draft.effects.add(expr);
    const v = variable(b.random.pick(NAMES), type);
    draft.scope.bindings.push({ variable: v, value: expr });
    return v;
  },
  hasEffect: (value) => draft.effects.has(value.expr),
  use: (...values) => {
    for (const { expr } of values) draft.used.add(expr);
  },
});

/** The contents of the innermost scope, and scopes inside it. */
export const scopes = (
  draft: Draft,
): Pick<
  Builder,
  'visible' | 'unused' | 'callees' | 'locals' | 'params' | 'fromConstants' | 'scoped' | 'inFunction'
> => {
  const scoped = (body: () => Value): Value => {
    const { visible, callees, locals } = draft.scope;
    const own: typeof draft.scope.bindings = [];
    const result = inScope(
      draft,
      { visible: [...visible], callees: [...callees], locals: [...locals], bindings: own },
      body,
    );
    const expr = own.reduceRight((rest, b) => letIn(b.variable, b.value, rest), result.expr);
    if (own.some(({ value }) => draft.effects.has(value))) draft.effects.add(expr);
    return madeFrom(draft, { ...result, expr }, result);
  };
  return {
    visible: () => draft.scope.visible,
    unused: () => draft.scope.visible.filter((value) => !draft.used.has(value.expr)),
    callees: () => draft.scope.callees,
    locals: () => draft.scope.locals,
    params: () => draft.scope.params,
    fromConstants: (body) => inScope(draft, { visible: [], isConstant: true }, body),
    scoped,
    inFunction: (closed, body) => {
      const params: TensorValue[] = [];
      const inner = closed
        ? { params, visible: [], callees: [], locals: [] }
        : { params, visible: [...draft.scope.visible] };
      return { params, result: inScope(draft, inner, () => scoped(body)) };
    },
  };
};
