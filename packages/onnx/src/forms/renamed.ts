/** Operators that are one node with the same inputs. */
import { attrEqual, type OpInfo } from '@baton/ir';
import type { OnnxForm } from '@baton/ops';
import { valueOfKind } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

/** The export of an operator by its form in ONNX, which its definition states. */
export function renamed(op: OpInfo, { opType, versions, attributes = [] }: OnnxForm): OnnxExporter {
  const [first = 1] = versions;
  const said = new Set(attributes.map((attribute) => attribute.as));
  const unsaid = op.attrs.fields.filter(({ name }) => !said.has(name));
  return {
    op: op.name,
    write: (context) => {
      if (!context.since(first, opType)) return undefined;
      const other = unsaid.find(
        ({ name, defaultValue: usual = null }) => !attrEqual(context.attrs.value(name), usual),
      );
      if (other !== undefined) return context.fail(`${opType} has no ${other.name}`);
      const values = attributes.flatMap((attribute) => {
        const value = valueOfKind(attribute.kind, context.attrs.value(attribute.as));
        return value === undefined ? [] : [[attribute.name, value] as const];
      });
      return context.node(opType, context.inputs, Object.fromEntries(values));
    },
  };
}

/** The operator as a node with the same inputs and no attributes. */
export const plainNode = (op: string, opType: string): OnnxExporter => ({
  op,
  write: (context) => context.node(opType, context.inputs),
});
