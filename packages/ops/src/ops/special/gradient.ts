import { funcType, tupleType } from '@baton/ir';
import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { notAFunction } from '../../diagnostics.ts';
import { isOpen, report } from '../../relation/known.ts';

export const gradient = defineOp({
  name: 'gradient',
  doc: 'The function that returns the value of another function and the gradients of its parameters.',
  source: 'language §4 (gradient); decision D7',
  inputs: ['f'],
  attrs: attrs({ mode: withDefault(oneOf('higher_order', 'first_order'), 'higher_order') }),
  relation: ([given], _attrs, context) => {
    const type = given && context.resolve(given);
    if (type === undefined || isOpen(type)) return undefined;
    if (type._tag !== 'FuncType') return report(context, notAFunction(type));
    const { params, result, typeParams, constraints } = type;
    return funcType(params, tupleType([result, tupleType(params)]), typeParams, constraints);
  },
  kernel: 'none',
  kind: 'other',
  numerics: 'exact',
  foldable: 'annotation',
  examples: [],
});
