/** Operators that take sizes as operands, which their static forms take as attributes. */
import { isLeft } from '@baton/base';
import type { OpInfo } from '@baton/ir';
import { type StaticForm, staticParts } from '@baton/ops';
import type { OnnxExporter } from '../operator-api/exporter.ts';

/** The export of such an operator as its static form, if the operands are known. */
export const knownOperands = (op: OpInfo, form: StaticForm, to: OpInfo): OnnxExporter => ({
  op: op.name,
  write: (context) => {
    const { all } = context.attrs;
    const parts = staticParts(op, form, to, all, (index) => context.input(index).constant);
    if (parts === undefined) {
      const names = Object.keys(form.operands).join(', ');
      return context.unknown(`expected known values of ${names}`);
    }
    if (isLeft(parts)) return context.fail(parts.left[0].message);
    const { args, attrs } = parts.right;
    const results = context.callOf(form.name, args.map(context.arg), attrs);
    return context.results.length === 1 ? results[0] : results;
  },
});
