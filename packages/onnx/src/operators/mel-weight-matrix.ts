/** `MelWeightMatrix` of constants: the share of each frequency in each band of the mel scale. */
import { fromNumbers } from '@baton/tensor';
import { loneNumber } from '../families/lone-number.ts';
import { namedType } from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const melWeightMatrix: OnnxImporter = {
  opType: 'MelWeightMatrix',
  convert: (context) => {
    const dtype = namedType(context, 'output_datatype', 'float32');
    const values = [0, 1, 2, 3, 4].flatMap(
      (index) => loneNumber(context, context.input(index)) ?? [],
    );
    if (dtype === undefined) return undefined;
    if (values.length < 5) return context.unknown('expected constants as all inputs');
    const [bands = 0, length = 0, rate = 1, low = 0, high = 0] = values;
    const rows = Math.floor(length / 2) + 1;
    context.room(bands + 2);
    context.room(rows, bands);
    const edges = bandEdges({ bands, length, rate, low, high });
    const isGood = bands >= 1 && edges.every((edge) => edge >= 0 && edge < rows);
    if (!isGood) return context.fail('ONNX_VALUE', 'expected bands within the frequencies');
    return context.constant(fromNumbers(shares(edges, rows, bands), [rows, bands], dtype));
  },
};

interface Bands {
  readonly bands: number;
  readonly length: number;
  /** Samples in a second. */
  readonly rate: number;
  /** The lowest and the highest frequency, in hertz. */
  readonly low: number;
  readonly high: number;
}

/** The places among the frequencies where bands begin, peak and end. */
function bandEdges({ bands, length, rate, low, high }: Bands): ReadonlyArray<number> {
  const mel = (hertz: number): number => (2595 * Math.log1p(hertz / 700)) / Math.LN10;
  const step = (mel(high) - mel(low)) / (bands + 2);
  return Array.from({ length: bands + 2 }, (_, i) => {
    const hertz = 700 * Math.expm1(((mel(low) + i * step) / 2595) * Math.LN10);
    return Math.floor(((length + 1) * hertz) / rate);
  });
}

/** Triangles from each edge over the next to the one after it. */
function shares(edges: ReadonlyArray<number>, rows: number, bands: number): Float64Array {
  const data = new Float64Array(rows * bands);
  for (let band = 0; band < bands; band++) {
    const [from = 0, peak = 0, to = 0] = edges.slice(band, band + 3);
    if (peak === from) data[peak * bands + band] = 1;
    for (let row = from; row <= peak && peak > from; row++) {
      data[row * bands + band] = (row - from) / (peak - from);
    }
    for (let row = peak; row < to; row++) data[row * bands + band] = (to - row) / (to - peak);
  }
  return data;
}
