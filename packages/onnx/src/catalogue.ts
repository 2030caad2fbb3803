/** Every operator that the import or the export has. */
import { onnxColumn, standardOps, staticFormColumn } from '@baton/ops';
import { converted } from './converted.ts';
import { oneToOne } from './families/one-to-one.ts';
import { knownOperands } from './forms/known-operands.ts';
import { renamed as renamedWriter } from './forms/renamed.ts';
import type { OnnxExporter } from './operator-api/exporter.ts';
import { type ImporterIndex, operatorKey } from './operator-api/importer.ts';
import { written } from './written.ts';

/** The operators that are one of Baton's under another name, as that one's definition states. */
const renamed = standardOps.names.flatMap((name) => {
  const op = standardOps.get(name);
  const form = standardOps.read(onnxColumn, name);
  return op === undefined || form === undefined ? [] : [{ op, form }];
});

/** The operators that take sizes as operands, and are written as their static forms. */
const dynamic = standardOps.names.flatMap((name) => {
  const form = standardOps.read(staticFormColumn, name);
  const [op, to] = [standardOps.get(name), form && standardOps.get(form.name)];
  return form === undefined || op === undefined || to === undefined
    ? []
    : [knownOperands(op, form, to)];
});

/** The importable operators of ONNX by domain and name. */
export const onnxImporters: ImporterIndex = new Map(
  [...renamed.map(({ op, form }) => oneToOne(op, form)), ...converted].map((operator) => [
    operatorKey(operator.domain ?? '', operator.opType),
    operator,
  ]),
);

/** The exportable operators of Baton by name: a file of its own goes before the form. */
export const onnxExporters: ReadonlyMap<string, OnnxExporter> = new Map(
  [...renamed.map(({ op, form }) => renamedWriter(op, form)), ...dynamic, ...written].map(
    (writer) => [writer.op, writer],
  ),
);
