/**
 * ConvertLayout: operators on images compute in another layout.
 * [passes §28](https://batonjs.github.io/baton/spec/passes#28).
 */
import {
  type Diagnostic,
  failure,
  isLeft,
  listOf,
  type OptionType,
  right,
  wholeNumber,
} from '@baton/base';
import { type Attrs, type IRModule, mapFunctions, type OpTable, typeOf } from '@baton/ir';
import { layoutColumn, type OpCall, parseLayout } from '@baton/ops';
import { inferType, isOpaque, pass } from '@baton/pass-manager';
import { canonicalizeOps } from '../canonicalize-ops.ts';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { noLayout, noLayouts, tooManyLayouts, unknownLayoutOperator } from '../diagnostics.ts';
import { inLayouts, LAYOUT_COUNTERS, LAYOUT_REMARKS } from './engine.ts';

/**
 * For each operator the layouts that its calls shall have: of the data, of the weight, of the
 * result. The word `default` for a weight is the layout that goes with the data's: OIHW with NCHW,
 * HWIO with NHWC, and HWOI for a depthwise convolution.
 */
export type DesiredLayouts = Readonly<Record<string, ReadonlyArray<string>>>;

export interface ConvertLayoutOptions {
  /** Default: none, so that nothing changes. */
  readonly desired?: DesiredLayouts;
  /** The calls to leave out, by their number in the order of evaluation, from 0. */
  readonly skip?: ReadonlyArray<number>;
}

const DEFAULT = 'default';

const layoutLists: OptionType = {
  expected: 'a list of layouts for each operator',
  is: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (list: unknown) =>
        Array.isArray(list) && list.length > 0 && list.every((text) => typeof text === 'string'),
    ),
};

/**
 * Brings calls of some operators into other layouts, and all that lies between them:
 *
 * ```
 * nn.relu(nn.conv2d(%x, %w, data_layout="NHWC", kernel_layout="HWIO"))
 * =>                                          (desired: { 'nn.conv2d': ['NCHW', 'default'] })
 * %0 = layout_transform(%x, src_layout="NHWC", dst_layout="NCHW");
 * %1 = layout_transform(%w, src_layout="HWIO", dst_layout="OIHW");
 * layout_transform(nn.relu(nn.conv2d(%0, %1)), src_layout="NCHW", dst_layout="NHWC")
 * ```
 *
 * **Errors** when it is run: `LAYOUT_OPERATOR` for an operator that is unknown or names no layouts,
 * `LAYOUT_UNKNOWN` for a text that is no layout of its axes.
 * **Complexity** linear in the function.
 */
export const convertLayout: ConfigurablePass<ConvertLayoutOptions> = configurable(
  { desired: layoutLists, skip: listOf(wholeNumber(0), 'numbers of calls') },
  ({ desired = {}, skip = [] }) =>
    pass({
      name: 'ConvertLayout',
      doc: 'Changes the layouts of operators on images, and of the operators between them.',
      subject: 'layers',
      level: 3,
      requires: [inferType, canonicalizeOps],
      needs: ['nsz', 'nnan', 'ninf', 'reassoc'],
      counters: [...LAYOUT_COUNTERS, 'kept: skipped'],
      remarks: LAYOUT_REMARKS,
      run: (m, { count }) => {
        const problems: Diagnostic[] = problemsOf(desired, m.ops);
        let number = 0;
        const wanted = (node: OpCall): Attrs | undefined => {
          const layouts = desired[node.op.name];
          if (layouts === undefined || problems.length > 0) return undefined;
          if (skip.includes(number++)) {
            count('kept: skipped');
            return undefined;
          }
          return attrsIn(m, node, layouts, problems);
        };
        const made = mapFunctions(m, (f) => (isOpaque(f) ? f : inLayouts(f, m, wanted, count)));
        return failure(problems) ?? right(made);
      },
    }),
);

function problemsOf(desired: DesiredLayouts, ops: OpTable): Diagnostic[] {
  return Object.entries(desired).flatMap(([name, layouts]) => {
    const known = ops.read(layoutColumn, name)?.attributes;
    if (known === undefined) {
      return [
        ops.get(name) === undefined ? unknownLayoutOperator(name, ops.names) : noLayouts(name),
      ];
    }
    const { names, partner } = known;
    if (layouts.length > names.length) return [tooManyLayouts(name, names, layouts.length)];
    return layouts.flatMap((layout, i) => {
      const isPartner = layout === DEFAULT && partner !== undefined && i === 1;
      return isPartner || parseLayout(layout) !== undefined
        ? []
        : [noLayout(name, names[i] ?? '', layout)];
    });
  });
}

/** The attributes with the layouts; the same object if the call has them. */
function attrsIn(
  m: IRModule,
  node: OpCall,
  layouts: ReadonlyArray<string>,
  problems: Diagnostic[],
): Attrs {
  const known = m.ops.read(layoutColumn, node.op.name)?.attributes;
  const schema = m.ops.get(node.op.name)?.attrs;
  if (known === undefined || schema === undefined) return node.attrs;
  const next: Record<string, Attrs[string]> = { ...node.attrs };
  for (const [i, layout] of layouts.entries()) {
    const name = known.names[i] ?? '';
    const types = node.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
    const found =
      layout === DEFAULT ? known.partner?.(layouts[0] ?? '', node.attrs, types) : layout;
    if (found === undefined) problems.push(noLayout(node.op.name, name, layout, node.span));
    else next[name] = found;
  }
  if (known.names.every((name) => next[name] === node.attrs[name])) return node.attrs;
  const decoded = schema.decode(next);
  if (!isLeft(decoded)) return decoded.right;
  problems.push(...decoded.left);
  return node.attrs;
}
