/** The attributes of an operator, in a call of it or in a constraint that names it. */
import { type Diagnostic, isLeft, type Span } from '@baton/base';
import * as diagnose from '../../diagnostics.ts';
import type { OpInfo } from '../../ops/op-table.ts';
import type { Attrs } from '../../types/attrs.ts';

/** The mistake in the names of attributes: their values were checked when the call was made. */
export function attributeProblem(
  attrs: Attrs,
  { name, attrs: schema }: OpInfo,
  span: Span | undefined,
): Diagnostic | undefined {
  const { fields } = schema;
  let found = 0;
  for (const field of fields) if (Object.hasOwn(attrs, field.name)) found++;
  if (found === fields.length && Object.keys(attrs).length === found) return undefined;
  const decoded = schema.decode(attrs);
  if (isLeft(decoded)) return diagnose.badAttributes(name, decoded.left[0], span);
  const missing = fields.filter((field) => !Object.hasOwn(attrs, field.name));
  return diagnose.incompleteAttributes(
    name,
    missing.map((field) => field.name),
    span,
  );
}
