/** Every operator that the import or the export has: the chapters one after another. */
import { onnxColumn, standardOps, staticFormColumn } from '@baton/ops';
import { activationOperators } from './chapters/activations.ts';
import { annotationOperators } from './chapters/annotations.ts';
import { arithmeticOperators } from './chapters/arithmetic.ts';
import { attentionOperators } from './chapters/attention.ts';
import { castOperators } from './chapters/casts.ts';
import { constantOperators } from './chapters/constants.ts';
import { convolutionOperators } from './chapters/convolutions.ts';
import { fourierOperators } from './chapters/fourier.ts';
import { imageOperators } from './chapters/images.ts';
import { indexingOperators } from './chapters/indexing.ts';
import { layoutOperators } from './chapters/layouts.ts';
import { lossOperators } from './chapters/losses.ts';
import { microsoftOperators } from './chapters/microsoft.ts';
import { normalizationOperators } from './chapters/normalizations.ts';
import { poolOperators } from './chapters/pools.ts';
import { productOperators } from './chapters/products.ts';
import { quantizedOperators } from './chapters/quantized.ts';
import { randomOperators } from './chapters/random.ts';
import { recurrenceOperators } from './chapters/recurrence.ts';
import { reductionOperators } from './chapters/reductions.ts';
import { resizeOperators } from './chapters/resizes/resizes.ts';
import { sequenceOperators } from './chapters/sequences.ts';
import { shapeOperators } from './chapters/shapes.ts';
import { sliceOperators } from './chapters/slices.ts';
import type { OnnxExporter } from './operator-api/exporter.ts';
import { type ImporterIndex, type OnnxImporter, operatorKey } from './operator-api/importer.ts';
import { type Chapter, readsForm, writesForm, writesStatic } from './shared/rows.ts';

/** The operators that are one of Baton's under another name, as that one's definition states. */
const renamed: Chapter = standardOps.names.flatMap((name) => {
  const op = standardOps.get(name);
  const form = standardOps.read(onnxColumn, name);
  return op === undefined || form === undefined ? [] : [readsForm(op, form), writesForm(op, form)];
});

/** The operators that take sizes as operands, and are written as their static forms. */
const dynamic: Chapter = standardOps.names.flatMap((name) => {
  const form = standardOps.read(staticFormColumn, name);
  const [op, to] = [standardOps.get(name), form && standardOps.get(form.name)];
  return form === undefined || op === undefined || to === undefined
    ? []
    : [writesStatic(op, form, to)];
});

/** The rows of all chapters. */
export const chapterRows: Chapter = [
  ...activationOperators,
  ...annotationOperators,
  ...arithmeticOperators,
  ...attentionOperators,
  ...castOperators,
  ...constantOperators,
  ...convolutionOperators,
  ...fourierOperators,
  ...imageOperators,
  ...indexingOperators,
  ...layoutOperators,
  ...lossOperators,
  ...microsoftOperators,
  ...normalizationOperators,
  ...poolOperators,
  ...productOperators,
  ...quantizedOperators,
  ...randomOperators,
  ...recurrenceOperators,
  ...reductionOperators,
  ...resizeOperators,
  ...sequenceOperators,
  ...shapeOperators,
  ...sliceOperators,
];

/** All rows; the row of a chapter replaces the one that a definition states, since it comes later. */
const rows: Chapter = [...renamed, ...dynamic, ...chapterRows];

const isImporter = (row: Chapter[number]): row is OnnxImporter => 'opType' in row;

/** The importable operators of ONNX by domain and name. */
export const onnxImporters: ImporterIndex = new Map(
  rows
    .filter(isImporter)
    .map((operator) => [operatorKey(operator.domain ?? '', operator.opType), operator]),
);

/** The exportable operators of Baton by name. */
export const onnxExporters: ReadonlyMap<string, OnnxExporter> = new Map(
  rows.flatMap((row) => (isImporter(row) ? [] : [[row.op, row]])),
);
