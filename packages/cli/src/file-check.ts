/** Checks an ONNX file before it is written, by reading its bytes again. */
import {
  type Diagnostic,
  diagnostic,
  fail,
  isLeft,
  type Limits,
  ok,
  type Result,
  renderDiagnostic,
} from '@baton/base';
import { type Ports, rereadOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { check, checkEquivalent, type IRModule } from 'batonjs';
import { inOptions } from './diagnostics.ts';
import type { Host } from './host.ts';
import { nameOf, type OnnxFile } from './model-file.ts';
import { showRegimes } from './stages.ts';

export interface Original {
  readonly ports: Ports;
  /** The exported program, whose values are compared; absent if they are not. */
  readonly program: IRModule | undefined;
  /** Whether a file that cannot be read again is accepted, with a warning. */
  readonly allowsUnread?: boolean;
  /** The most bytes that one node of the file may fill, if not the default of the import. */
  readonly maxConstantBytes?: number | undefined;
  /** Ends the comparison of values. */
  readonly shouldStop?: Limits['shouldStop'];
}

export interface Checked {
  readonly module: IRModule | undefined;
  readonly isCompared: boolean;
}

/**
 * Reads an ONNX file again, possibly moving its bytes; its inputs and outputs must be those of the
 * original. If a program is given, runs it on the inputs of a comparison.
 *
 * **Errors** `ONNX_SIGNATURE`, `EQUIV_DIFFERENT`, `CLI_NOT_READ`; the errors of the import.
 */
export function checkFile(
  host: Host,
  file: OnnxFile,
  path: string,
  { ports, program, allowsUnread = false, shouldStop, maxConstantBytes }: Original,
): Result<Checked> {
  host.progress.step(`reading ${nameOf(path)} again`);
  const source = nameOf(path);
  const externalData = file.weights;
  const room = maxConstantBytes === undefined ? {} : { maxConstantBytes };
  const options = { ops: standardOps, source, externalData, ownsBytes: true, ...room };
  const reread = rereadOnnx(ports, file.bytes(), options);
  if (isLeft(reread)) return reread;
  const { module, unread } = reread.right;
  if (module === undefined) {
    const [reason] = unread;
    const nothing = ok({ module, isCompared: false });
    if (reason === undefined) return nothing;
    const problem = notRead(source, reason);
    if (!allowsUnread) return fail(problem);
    host.tell(renderDiagnostic({ ...inOptions(problem), severity: 'warning' }));
    return nothing;
  }
  if (program === undefined) return ok({ module, isCompared: false });
  const onRegime = showRegimes(host);
  const found = checkEquivalent(program, module, { needs: ROUNDING, shouldStop, onRegime });
  if (isLeft(found)) return found;
  const { verdict } = found.right;
  if (verdict !== 'different') return ok({ module, isCompared: verdict !== 'unknown' });
  const how = check.describeDifference(found.right);
  const message = `${source} does not compute what the model computes: ${how}`;
  return fail(diagnostic('EQUIV_DIFFERENT', message, { hint: '`--opset` may avoid it' }));
}

/** The file may still be valid: sizes and branches may be known only at run time. */
const notRead = (path: string, { message, span }: Diagnostic): Diagnostic =>
  diagnostic('CLI_NOT_READ', `${path} cannot be read again, and so not be checked: ${message}`, {
    span,
    hint: '`--dim` gives sizes; `--unchecked` writes the file all the same',
  });

/** Formulas round more often than the operators that they replace. */
export const ROUNDING = ['nsz', 'reassoc', 'contract', 'arcp', 'afn'] as const;
