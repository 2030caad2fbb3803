import { remember } from '@baton/base';
import { type Dim, tensorType } from '@baton/ir';
import { text } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { magnitude, ZERO } from '../../bounds/bounds.ts';
import { symmetric } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, dimMismatch } from '../../diagnostics.ts';
import { f32, i64 } from '../../example-types.ts';
import { contractionOf } from '../../form/contraction.ts';
import { broadcastDim } from '../../relation/dims.ts';
import { type Equation, expandEllipsis, parseEquation } from '../../relation/einsum.ts';
import { inDomain, report, sameDType, tupleArg } from '../../relation/known.ts';

/** The labels of generated equations. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The most characters of an equation in a message. */
const SHOWN_CHARACTERS = 80;

export const einsum = defineOp({
  name: 'einsum',
  doc: 'The sum of products given by the labels of an equation: `ij,jk->ik`.',
  source: 'operators §4; NumPy einsum',
  inputs: ['data'],
  attrs: attrs({ equation: text }),
  relation: (args, { equation }, context) => {
    const fields = tupleArg(args, 0, context);
    if (fields === undefined) return undefined;
    const parsed = parseEquation(equation);
    const shown = equation.slice(0, SHOWN_CHARACTERS);
    const [first] = fields;
    if (parsed === undefined || parsed.operands.length !== fields.length || first === undefined) {
      const message = `expected labels for ${fields.length} operands, found ${shown}`;
      return report(context, badAttr('equation', message));
    }
    const ranks = fields.map((field) => field.shape.length);
    const labels = expandEllipsis(parsed, ranks);
    if (labels === undefined) {
      const message = `${shown} does not fit operands of rank ${ranks.join(', ')}`;
      return report(context, badAttr('equation', message));
    }
    const sizes = new Map<string, Dim>();
    let dtype = first.dtype;
    for (const [i, field] of fields.entries()) {
      const same = sameDType(dtype, field.dtype, `operand ${i}`, context);
      if (same === undefined || !inDomain(same, 'number', context)) return undefined;
      dtype = same;
      for (const [axis, label] of (labels.operands[i] ?? []).entries()) {
        const [known, dim] = [sizes.get(label) ?? 1, field.shape[axis] as Dim];
        const joined = broadcastDim(known, dim);
        if (joined === undefined) {
          const what = `axis ${axis} of operand ${i}`;
          return report(context, dimMismatch(what, known, dim, `label ${label} before`));
        }
        sizes.set(label, joined);
      }
    }
    return tensorType(
      labels.result.map((label) => sizes.get(label) ?? 1),
      dtype,
    );
  },
  form: {
    _tag: 'Contract',
    contraction: ({ equation }, shapes) => {
      const labels = labelsOf(
        equation,
        shapes.map(({ length }) => length),
      );
      return labels && contractionOf(labels, shapes);
    },
  },
  // As in TVM, whose einsum is no product for FuseOps.
  fusion: 'injective',
  bounds: ([x = ZERO]) => symmetric(magnitude(x) ** 2 * 64, 2 * x.fraction),
  // Each operand is swapped with the result; ones supply the labels that only it has.
  gradient: ({ args: [data], g, attrs: { equation }, fieldSizes, refuse, ...d }) => {
    const parsed = parseEquation(equation);
    const ranks = fieldSizes(0).map((sizes) => sizes.length);
    const labels = parsed && expandEllipsis(parsed, ranks);
    if (labels === undefined) return refuse('its equation does not fit');
    if (labels.operands.some((own) => new Set(own).size < own.length)) {
      return refuse('an operand repeats a label');
    }
    const letters = new Map<string, string>();
    const short = (own: ReadonlyArray<string>): string =>
      own.map((label) => remember(letters, label, () => LETTERS[letters.size] ?? '')).join('');
    const operands = ranks.map((_, i) => d.item(data, i));
    const parts = operands.map((own, i) => {
      const others = operands.map((other, j) => (j === i ? d.op('ones_like', [own]) : other));
      const written = [labels.result, ...labels.operands].map(short).join(',');
      const attrs = { equation: `${written}->${short(labels.operands[i] ?? [])}` };
      return d.sumLike(d.op('einsum', [d.items(g, ...others)], attrs), own);
    });
    return [d.items(...parts)];
  },
  examples: [
    { args: [[f32(2, 3), f32(3, 5)]], attrs: { equation: 'ij,jk->ik' }, result: f32(2, 5) },
    { args: [[f32(3, 3)]], attrs: { equation: 'ii->i' }, result: f32(3) },
    { args: [[i64(3), i64(3)]], attrs: { equation: 'i,i' }, result: i64() },
    {
      args: [[f32(4, 2, 3), f32(1, 3, 5)]],
      attrs: { equation: '...ij,...jk->...ik' },
      result: f32(4, 2, 5),
    },
  ],
});

function labelsOf(equation: string, ranks: ReadonlyArray<number>): Equation | undefined {
  const parsed = parseEquation(equation);
  return parsed && expandEllipsis(parsed, ranks);
}
