/** The runtime that an ONNX file is written for. */
import { EXPORT_TARGETS, type ExportTarget } from '@baton/onnx';
import type { CommandOptions, Session } from './command.ts';

export const TARGET_OPTION = {
  target: {
    type: 'string',
    value: EXPORT_TARGETS.join('|'),
    doc: 'what the file is for: onnxruntime, the default, with its own operators and the forms that it fuses, or any runtime of ONNX',
  },
} satisfies CommandOptions;

/** The selected target; `undefined` for any other word. */
export const wantedTarget = ({ text }: Session): ExportTarget | undefined => {
  const given = text('target') ?? 'onnxruntime';
  return EXPORT_TARGETS.find((target) => target === given);
};

export const targetOf = (session: Session): ExportTarget => wantedTarget(session) ?? 'onnxruntime';
