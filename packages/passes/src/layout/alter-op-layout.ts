/**
 * AlterOpLayout: calls get the attributes that a function of the user's chooses.
 * [passes §28](https://batonjs.github.io/baton/spec/passes#28).
 */
import { aFunction, type Diagnostic, failure, isLeft, type OptionType, right } from '@baton/base';
import { type Attrs, mapFunctions, type Type, typeOf } from '@baton/ir';
import type { OpCall } from '@baton/ops';
import { inferType, isOpaque, pass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { inLayouts, LAYOUT_COUNTERS, LAYOUT_REMARKS } from './engine.ts';

/** The argument of a function that alters a call. */
export interface AlteredCall {
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Type>;
  readonly result: Type;
}

/** The attributes to change, or `undefined` to leave the call as it is. */
export type AlterRule = (call: AlteredCall) => Attrs | undefined;

export interface AlterOpLayoutOptions {
  /** A function for each operator. Default: none, so that nothing changes. */
  readonly alter?: Readonly<Record<string, AlterRule>>;
}

export const functionsByName: OptionType = {
  expected: 'a function for each operator',
  is: (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every(aFunction.is),
};

/**
 * Gives calls the layouts that functions of the user's choose, blocked ones for instance, and brings
 * what lies between them into these:
 *
 * ```
 * nn.relu(nn.conv2d(%x, %w))                                     (%x of 8 channels, %w of 16)
 * =>       (alter: { 'nn.conv2d': () => ({ data_layout: 'NCHW4c', kernel_layout: 'OIHW4i4o' }) })
 * %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NCHW4c");
 * %1 = layout_transform(%w, src_layout="OIHW", dst_layout="OIHW4i4o");
 * %2 = nn.relu(nn.conv2d(%0, %1, data_layout="NCHW4c", kernel_layout="OIHW4i4o"));
 * layout_transform(%2, src_layout="NCHW4c", dst_layout="NCHW")
 * ```
 *
 * A call whose shapes do not fit the layouts stays.
 *
 * **Errors** of the attributes, when it is run: `ATTR_*`.
 * **Complexity** linear in the function, besides the functions of the user's.
 */
export const alterOpLayout: ConfigurablePass<AlterOpLayoutOptions> = configurable(
  { alter: functionsByName },
  ({ alter = {} }) =>
    pass({
      name: 'AlterOpLayout',
      doc: 'Changes the layouts of calls to those that user functions choose.',
      subject: 'scales',
      level: 3,
      requires: [inferType],
      needs: ['nsz', 'nnan', 'ninf', 'reassoc'],
      counters: LAYOUT_COUNTERS,
      remarks: LAYOUT_REMARKS,
      run: (m, { count }) => {
        const problems: Diagnostic[] = [];
        const wanted = (node: OpCall): Attrs | undefined => {
          const rule = Object.hasOwn(alter, node.op.name) ? alter[node.op.name] : undefined;
          const schema = m.ops.get(node.op.name)?.attrs;
          const args = node.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
          const result = typeOf(m, node);
          if (rule === undefined || schema === undefined || result === undefined) return undefined;
          const changed = rule({ attrs: node.attrs, args, result });
          if (changed === undefined) return undefined;
          const isSame = Object.entries(changed).every(([name, v]) => node.attrs[name] === v);
          if (isSame) return node.attrs;
          const decoded = schema.decode({ ...node.attrs, ...changed });
          if (!isLeft(decoded)) return decoded.right;
          const { span } = node;
          problems.push(...decoded.left.map((d) => (span === undefined ? d : { ...d, span })));
          return undefined;
        };
        const made = mapFunctions(m, (f) => (isOpaque(f) ? f : inLayouts(f, m, wanted, count)));
        return failure(problems) ?? right(made);
      },
    }),
);
