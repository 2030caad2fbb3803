/** The check of an ONNX file before it is written: its bytes are read again. */
import {
  type Diagnostic,
  diagnostic,
  fail,
  isLeft,
  ok,
  type Result,
  renderDiagnostic,
} from '@baton/base';
import { type Ports, rereadOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { check, checkEquivalent, type IRModule } from 'batonjs';
import type { Host } from './host.ts';
import { nameOf, type OnnxFile } from './model-file.ts';

/** What a file is compared with. */
export interface Original {
  /** The inputs and outputs of the model as it came. */
  readonly ports: Ports;
  /** The program of which the file was made, to be run beside it; absent if it is not run. */
  readonly program: IRModule | undefined;
  /** Whether a file that cannot be read again passes, with a warning. */
  readonly allowsUnread?: boolean;
}

/**
 * Reads an ONNX file again, whose inputs and outputs must be those of the original, and runs it on
 * the inputs of a comparison if a program is given.
 *
 * **Errors** `ONNX_SIGNATURE`, `EQUIV_DIFFERENT`, `CLI_NOT_READ`; the errors of the import.
 */
export function checkFile(
  host: Host,
  file: OnnxFile,
  path: string,
  { ports, program, allowsUnread = false }: Original,
): Result<void> {
  host.progress.step(`reading ${nameOf(path)} again`);
  const source = nameOf(path);
  const externalData = file.weights;
  const reread = rereadOnnx(ports, file.bytes(), { ops: standardOps, source, externalData });
  if (isLeft(reread)) return reread;
  const { module, unread } = reread.right;
  if (module === undefined) {
    const [reason] = unread;
    if (reason === undefined) return ok(undefined);
    const problem = notRead(source, reason);
    if (!allowsUnread) return fail(problem);
    host.tell(renderDiagnostic({ ...problem, severity: 'warning' }));
    return ok(undefined);
  }
  return program === undefined ? ok(undefined) : compared(host, source, program, module);
}

/** The file may be valid all the same: sizes and branches may be known at run time only. */
const notRead = (path: string, { message, span }: Diagnostic): Diagnostic =>
  diagnostic('CLI_NOT_READ', `${path} cannot be read again, and so not be checked: ${message}`, {
    span,
    hint: '`--dim` gives sizes; `--unchecked` writes the file all the same',
  });

function compared(host: Host, path: string, program: IRModule, file: IRModule): Result<void> {
  host.progress.step(`running ${path}`);
  const found = checkEquivalent(program, file, { needs: ROUNDING });
  if (isLeft(found)) return found;
  if (found.right.verdict !== 'different') return ok(undefined);
  const how = check.describeDifference(found.right);
  const message = `${path} does not compute what the model computes: ${how}`;
  return fail(diagnostic('EQUIV_DIFFERENT', message, { hint: '`--opset` may avoid it' }));
}

/** Formulas that stand for operators round more often. */
export const ROUNDING = ['nsz', 'reassoc', 'contract', 'arcp', 'afn'] as const;
