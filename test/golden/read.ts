/** Programs of golden files. */
import { isLeft, type Result, renderDiagnostics } from '@baton/base';
import { type IRModule, inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';

const HEADER = '#[version = "0.0.5"]';

/** A program with its types; the header may be missing. */
export function typed(text: string, source: string): Result<IRModule> {
  const whole = text.includes(HEADER) ? text : `${HEADER} ${text}`;
  const parsed = parseModule(whole, { ops: standardOps, source });
  return isLeft(parsed) ? parsed : inferTypes(parsed.right);
}

/** A program with its types, or an error with all diagnostics. */
export function read(text: string, source: string): IRModule {
  const found = typed(text, source);
  if (isLeft(found)) throw new Error(renderDiagnostics(found.left));
  return found.right;
}
