/** `TfIdfVectorizer` of integers: how often known sequences stand in the data. */
import type { Expr } from '@baton/ir';
import { tensor } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const tfIdfVectorizer: OnnxImporter = {
  opType: 'TfIdfVectorizer',
  kernelSince: 9,
  convert: (context) => {
    const { attributes, call } = context;
    const x = context.input(0);
    const shape = context.shapeOf(x);
    if (attributes.has('pool_strings')) {
      return context.fail('ONNX_UNSUPPORTED', 'sequences of texts are not imported');
    }
    if (shape === undefined) return context.unknown('expected data of known size', x);
    if (shape.length < 1 || shape.length > 2) {
      return context.fail('ONNX_SHAPE', `expected data of rank 1 or 2, found ${shape.length}`);
    }
    const places = attributes.ints('ngram_indexes') ?? [];
    const grams = gramsOf(context);
    const wrong = grams.length !== places.length || new Set(places).size < places.length;
    if (wrong) {
      return context.fail('ONNX_ATTRIBUTE', 'expected a place of its own for each sequence');
    }
    const nothing = call('zeros', [], { shape: [...shape.slice(0, -1), 1], dtype: 'float32' });
    const counted = countsOf(context, x, shape.at(-1) ?? 0, grams);
    const columns = [nothing, ...counted.map(({ counts }) => counts)];
    const all = call('concatenate', [context.tuple(columns)], { axis: -1 });
    // Column 0 is for the places of what is not counted.
    const columnOf = new Map(
      counted.flatMap(({ indices }) => indices).map((gram, i) => [places[gram], i + 1]),
    );
    const size = places.reduce((most, place) => Math.max(most, place + 1), 0);
    context.room(size);
    const order = Array.from({ length: size }, (_, place) => columnOf.get(place) ?? 0);
    const indices = context.constant(tensor(order, [size], 'int64'));
    return weighted(context, call('take', [all, indices], { axis: -1 }), places, size);
  },
};

/** The sequences that are looked for, from the short ones to the long ones. */
function gramsOf({ attributes }: NodeContext): ReadonlyArray<ReadonlyArray<number>> {
  const pool = attributes.ints('pool_int64s') ?? [];
  const starts = attributes.ints('ngram_counts') ?? [];
  return starts.flatMap((start, i) => {
    const length = i + 1;
    const part = pool.slice(start, starts[length] ?? pool.length);
    return Array.from({ length: Math.floor(part.length / length) }, (_, k) =>
      part.slice(k * length, (k + 1) * length),
    );
  });
}

interface Counted {
  /** The positions of the sequences in the list of all. */
  readonly indices: ReadonlyArray<number>;
  /** A number for each of them. */
  readonly counts: Expr;
}

/** The numbers of sequences of each length that is counted, with each number of skipped elements. */
function countsOf(
  context: NodeContext,
  x: Expr,
  size: number,
  grams: ReadonlyArray<ReadonlyArray<number>>,
): ReadonlyArray<Counted> {
  const { attributes, call } = context;
  const least = attributes.int('min_gram_length', 1);
  const most = attributes.int('max_gram_length', least);
  const skips = attributes.int('max_skip_count', 0);
  const lengths = [...new Set(grams.map(({ length }) => length))];
  return lengths.flatMap((length) => {
    const indices = grams.flatMap((gram, i) => (gram.length === length ? [i] : []));
    const found: Expr[] = [];
    // Single elements are counted once, since nothing is skipped in them.
    for (let step = 1; step <= (length === 1 ? 1 : skips + 1); step++) {
      const windows = size - (length - 1) * step;
      if (length < least || length > most || windows < 1) break;
      const matches = Array.from({ length }, (_, k) => {
        const values = indices.map((i) => grams[i]?.[k] ?? 0);
        return matching(context, x, [k * step, k * step + windows], values);
      });
      const both = matches.reduce((a, b) => call('logical_and', [a, b]));
      found.push(call('sum', [call('cast', [both], { dtype: 'float32' })], { axis: [-2] }));
    }
    return found.length === 0
      ? []
      : [{ indices, counts: found.reduce((a, b) => call('add', [a, b])) }];
  });
}

/** Which of the values each element of a part of the data equals. */
function matching(
  context: NodeContext,
  x: Expr,
  [begin, end]: readonly [number, number],
  values: ReadonlyArray<number>,
): Expr {
  const { call } = context;
  const axis = context.dimsOf(x).length - 1;
  const part = call('strided_slice', [x], { begin: [begin], end: [end], axes: [axis] });
  const dtype = context.dtypeOf(x);
  const wanted = context.constant(tensor(values, [values.length], dtype));
  return call('equal', [call('expand_dims', [part], { axis: axis + 1 }), wanted]);
}

/** The counts, or by `mode` the weights of what occurs, or their products. */
function weighted(
  context: NodeContext,
  counts: Expr,
  places: ReadonlyArray<number>,
  size: number,
): Expr | undefined {
  const { attributes, call } = context;
  const mode = attributes.string('mode', 'TF');
  const given = attributes.floats('weights') ?? places.map(() => 1);
  if (given.length !== places.length) {
    const message = `expected ${places.length} weights, found ${given.length}`;
    return context.fail('ONNX_ATTRIBUTE', message);
  }
  const weightAt = new Map(places.map((place, i) => [place, given[i]]));
  const ordered = Array.from({ length: size }, (_, place) => weightAt.get(place) ?? 0);
  const weights = context.constant(tensor(ordered, [size], 'float32'));
  switch (mode) {
    case 'TF':
      return counts;
    case 'IDF':
      return call('multiply', [call('minimum', [counts, 1]), weights]);
    case 'TFIDF':
      return call('multiply', [counts, weights]);
    default:
      return context.fail('ONNX_ATTRIBUTE', `expected TF, IDF or TFIDF as mode, found ${mode}`);
  }
}
