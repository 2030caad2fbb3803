/** `LinearAttention`: a state that each step writes a value to under a key, and reads by a query. */
import type { Expr } from '@baton/ir';
import { withHeads, withoutHeads } from '../families/attention.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

/** The rules of the state: whether it decays, and whether what is known under a key is replaced. */
const RULES: Readonly<Record<string, { readonly decays: boolean; readonly replaces: boolean }>> = {
  linear: { decays: false, replaces: false },
  gated: { decays: true, replaces: false },
  delta: { decays: false, replaces: true },
  gated_delta: { decays: true, replaces: true },
};

export const linearAttention: OnnxImporter = {
  opType: 'LinearAttention',
  convert: (context) => {
    const { attributes, call, optional } = context;
    const [heads, groups] = [attributes.int('kv_num_heads', 1), attributes.int('q_num_heads', 1)];
    const rule = RULES[attributes.string('update_rule')];
    if (rule === undefined || heads < 1 || groups % heads !== 0) {
      return context.fail('ONNX_ATTRIBUTE', 'expected a known rule, and groups of heads');
    }
    const dtype = context.dtypeOf(context.input(0));
    const [query, key, value] = [groups, heads, heads].map((count, i) =>
      stepsOf(context, context.input(i), count),
    ) as [Expr, Expr, Expr];
    const [steps, batch, , size] = context.shapeOf(key) ?? [];
    const width = context.dimsOf(value)[3];
    if (steps === undefined || size === undefined || typeof width !== 'number') {
      return context.unknown('expected known sizes of queries, keys and values');
    }
    const past = optional(3);
    const [decay, beta] = [optional(4), optional(5)].map(
      // One number for all heads is the same for each.
      (x) => x && stepsOf(context, x, context.dimsOf(x)[2] === 1 ? 1 : heads),
    );
    const shape = [batch ?? 1, heads, size, width];
    const blank = (dims: ReadonlyArray<number>): Expr =>
      call('zeros', [], { shape: dims, dtype: 'float32' });
    const start = past ? call('cast', [past], { dtype: 'float32' }) : blank(shape);
    const given = attributes.float('scale');
    const scale = given === 0 ? 1 / Math.sqrt(size) : given;
    const [, results, state] = context.loop({
      fixed: [query, key, value, rule.decays ? decay : undefined, rule.replaces ? beta : undefined],
      start: [context.scalar(0, 'int32'), blank([steps, batch ?? 1, groups, width]), start],
      goesOn: (_, [time]) => call('less', [time, steps]),
      next: ([queries, keys, values, decays, betas], [time, done, before]) => {
        const at = (x: Expr): Expr => call('take', [x, time], { axis: 0 });
        const now = {
          key: at(keys),
          value: at(values),
          decay: decays && at(decays),
          beta: betas && at(betas),
        };
        const after = written(context, before, now);
        const shared = call('repeat', [after], { repeats: groups / heads, axis: 1 });
        const read = call('multiply', [readBy(context, shared, at(queries)), scale]);
        const place = call('reshape', [time], { newshape: [1, 1] });
        const update = call('expand_dims', [read], { axis: 0 });
        return [call('add', [time, 1]), call('scatter_nd', [done, place, update]), after];
      },
    });
    const result = withoutHeads(context, call('transpose', [results], { axes: [1, 2, 0, 3] }));
    const stateType = past ? context.dtypeOf(past) : dtype;
    return [call('cast', [result], { dtype }), call('cast', [state], { dtype: stateType })];
  },
};

/** A tensor of batch, steps and features as floats: steps first, and heads. */
function stepsOf(context: NodeContext, x: Expr, heads: number): Expr {
  const split = withHeads(context, context.call('cast', [x], { dtype: 'float32' }), heads);
  return context.call('transpose', [split], { axes: [2, 0, 1, 3] });
}

/** What the state holds under a key. */
function readBy({ call }: NodeContext, state: Expr, key: Expr): Expr {
  const product = call('multiply', [state, call('expand_dims', [key], { axis: 3 })]);
  return call('sum', [product], { axis: [2] });
}

interface Step {
  readonly key: Expr;
  readonly value: Expr;
  readonly decay: Expr | undefined;
  readonly beta: Expr | undefined;
}

/** The state after a step. */
function written(context: NodeContext, before: Expr, { key, value, decay, beta }: Step): Expr {
  const { call } = context;
  const faded = decay
    ? call('multiply', [before, call('expand_dims', [call('exp', [decay])], { axis: 3 })])
    : before;
  const fresh = beta
    ? call('multiply', [beta, call('subtract', [value, readBy(context, faded, key)])])
    : value;
  const outer = call('multiply', [
    call('expand_dims', [key], { axis: 3 }),
    call('expand_dims', [fresh], { axis: 2 }),
  ]);
  return call('add', [faded, outer]);
}
