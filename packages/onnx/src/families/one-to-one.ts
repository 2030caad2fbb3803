/** Operators that are one of Baton's under another name. */
import type { AttrValue, OpInfo } from '@baton/ir';
import type { OnnxAttribute, OnnxForm } from '@baton/ops';
import type { NodeAttributes } from '../operator-api/attributes.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';
import { alignedSecond, checkAligning } from './aligned.ts';

/** The import of an operator whose node becomes one call with the same inputs. */
export function oneToOne(
  op: OpInfo,
  { opType, versions: [since = 1], broadcastsSince, attributes = [] }: OnnxForm,
): OnnxImporter {
  return {
    opType,
    since,
    convert: (context) => {
      const attrs = attributes.flatMap((attribute): ReadonlyArray<[string, AttrValue]> => {
        const value = attributeValue(context.attributes, attribute);
        return value === undefined ? [] : [[attribute.as, value]];
      });
      const isAligned = context.version < (broadcastsSince ?? 0);
      if (broadcastsSince !== undefined && !isAligned) checkAligning(context);
      const args = op.inputs.map((_, index) =>
        isAligned && index === 1 ? alignedSecond(context) : context.input(index),
      );
      if (context.hasFailed()) return undefined;
      return context.call(op.name, args, Object.fromEntries(attrs));
    },
  };
}

function attributeValue(
  given: NodeAttributes,
  { name, kind, defaultValue }: OnnxAttribute,
): AttrValue | undefined {
  if (!given.has(name)) return defaultValue;
  switch (kind) {
    case 'int':
      return given.int(name, 0);
    case 'float':
      return given.float(name, 0);
    case 'string':
      return given.string(name, '');
    case 'ints':
      return given.ints(name);
  }
}
