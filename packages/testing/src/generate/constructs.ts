/** The part of a builder for expressions that are not calls of operators. */
import { InvariantError } from '@baton/base';
import { call, ifElse, tuple, tupleGetItem, tupleType } from '@baton/ir';
import { hull } from '@baton/ops';
import type { Builder } from './builder.ts';
import { type Draft, madeFrom } from './draft.ts';
import { tensorValue } from './value.ts';

export const constructs = (
  draft: Draft,
): Pick<Builder, 'tuple' | 'project' | 'choose' | 'apply'> => ({
  tuple: (fields) => {
    const type = tupleType(fields.map((field) => field.type));
    const expr = tuple(fields.map((field) => field.expr));
    return madeFrom(draft, { _tag: 'Tuple', expr, type, fields }, ...fields);
  },
  project: (value, index) => {
    const field = value.fields[index];
    if (field === undefined) throw new InvariantError(`a projection has a field: ${index}`);
    const expr = tupleGetItem(value.expr, index);
    return madeFrom(draft, tensorValue(expr, field.type, field.facts), value);
  },
  choose: (cond, yes, no) => {
    const expr = ifElse(cond.expr, yes.expr, no.expr);
    return madeFrom(draft, { ...yes, expr, facts: hull([yes.facts, no.facts]) }, cond, yes, no);
  },
  apply: (callee, args) => {
    const exprs = args.map((arg) => arg.expr);
    const expr = call(callee.expr, exprs);
    if (callee.isEffectful) draft.effects.add(expr);
    return madeFrom(draft, { ...callee.result, expr }, ...args);
  },
});
