/** Recurrences: LSTM and GRU with their initial states, loops over rows, scans. */
import { tensor } from '@baton/tensor';
import { type Builder, type Dim, dimAt, known, like, sizeOf, type Val } from '../builder.ts';
import { binary, concat, factor, sizeAt, squeeze, transpose, withScalar } from '../calls.ts';
import { type Fragment, fragment } from './fragment.ts';

/** Zeros of the size of the batch, as PyTorch's exporter makes them. */
function firstState(b: Builder, x: Val, directions: number, hidden: number): Val {
  const sizes = concat(b, [b.ints(directions), sizeAt(b, x, 1, true), b.ints(hidden)], 0);
  const dims = [known(directions), dimAt(x, 1), known(hidden)];
  const value = { tensor: tensor([0], [1], 'float32') };
  return b.node('ConstantOfShape', [sizes], { dtype: 'float32', dims, most: 1 }, { value });
}

const recurrence = fragment('LSTM and GRU', 3, (b, x) => {
  const wide = sizeOf(x.dims.at(-1));
  if (x.dtype !== 'float32' || x.dims.length !== 3 || wide === undefined) return undefined;
  const isLstm = b.draw.chance(0.6);
  const directions = b.draw.chance(0.3) ? 2 : 1;
  const hidden = b.draw.int(2, 4);
  const gates = isLstm ? 4 : 3;
  const rows = transpose(b, x, [1, 0, 2]);
  const weights = [
    factor(b, 'float32', [directions, gates * hidden, wide], wide),
    factor(b, 'float32', [directions, gates * hidden, hidden], hidden),
    b.draw.chance(0.8) ? b.weight('float32', [directions, 2 * gates * hidden]) : undefined,
  ];
  const hasState = b.draw.chance(0.6);
  const state = hasState ? firstState(b, rows, directions, hidden) : undefined;
  const states = hasState ? [undefined, state, ...(isLstm ? [state] : [])] : [];
  const [time, batch] = rows.dims;
  if (time === undefined || batch === undefined) return undefined;
  const all = {
    dtype: 'float32',
    dims: [time, known(directions), batch, known(hidden)],
    most: 1,
  } as const;
  const last = { ...all, dims: [known(directions), batch, known(hidden)] };
  const [isAll, isLast] = b.draw.pick([
    [true, false],
    [true, true],
    [false, true],
  ] as Uses);
  const attributes = {
    hidden_size: hidden,
    direction: directions === 2 ? 'bidirectional' : b.draw.pick(['forward', 'forward', 'reverse']),
    ...(isLstm ? {} : { linear_before_reset: b.draw.int(0, 1) }),
  };
  const [y, h] = b.nodes(
    isLstm ? 'LSTM' : 'GRU',
    [rows, ...weights, ...states],
    [isAll ? all : undefined, isLast ? last : undefined] as const,
    attributes,
  );
  const out = y && (directions === 1 ? transpose(b, squeeze(b, y, 1), [1, 0, 2]) : y);
  return [out, h].filter((value) => value !== undefined);
});

/** Whether all rows, and whether the last one is used. */
type Uses = [readonly [boolean, boolean], ...(readonly [boolean, boolean])[]];

const BOOL: Pick<Val, 'dtype' | 'dims' | 'most'> = { dtype: 'bool', dims: [], most: 1 };
const COUNT: Pick<Val, 'dtype' | 'dims' | 'most'> = { dtype: 'int64', dims: [], most: 100 };

/** A loop over the rows of the first axis, which carries a sum and collects what it was. */
const loop = fragment('Loop over rows', 2, (b, x) => {
  if (x.dtype !== 'float32' || x.dims.length < 2 || x.dims.length > 3 || b.opset < 11)
    return undefined;
  const [first, ...rest] = x.dims;
  if (first === undefined || Math.max(...first.sizes) > 8 || rest.some(({ isOpen }) => isOpen))
    return undefined;
  const trips =
    b.draw.chance(0.5) && !first.isOpen
      ? b.scalar(first.sizes[0], 'int64')
      : sizeAt(b, x, 0, false);
  const start = b.constant(
    tensor(
      Array(sizesOf(rest)).fill(0),
      rest.map(({ sizes }) => sizes[0]),
      'float32',
    ),
  );
  const row = { dtype: 'float32', dims: rest, most: 10 * x.most } as const;
  const [at, going, carried] = [b.named(COUNT), b.named(BOOL), b.named(row)];
  const body = b.inner([at, going, carried], () => {
    const own = b.node('Gather', [x, at], row, { axis: 0 });
    const sum = binary(b, 'Add', withScalar(b, 'Mul', carried, 0.5), own);
    return [b.node('Identity', [going], BOOL), sum, b.node('Identity', [sum], row)];
  });
  const isTrue = b.constant(tensor([1], [], 'bool'));
  const types = [row, { ...row, dims: [first, ...rest] }] as const;
  const [last, all] = b.nodes('Loop', [trips, isTrue, start], types, { body: { graph: body } });
  return b.draw.chance(0.5) ? all : [last, all];
});

const sizesOf = (dims: ReadonlyArray<Dim>): number =>
  dims.reduce((product, { sizes }) => product * sizes[0], 1);

/** A scan: a running maximum of rows. */
const scan = fragment('Scan', 1, (b, x) => {
  if (x.dtype !== 'float32' || x.dims.length !== 2 || b.opset < 11) return undefined;
  const [first, second] = x.dims;
  if (first === undefined || second === undefined || second.isOpen || Math.max(...first.sizes) > 12)
    return undefined;
  const row = { dtype: 'float32', dims: [second], most: x.most } as const;
  const start = b.weight('float32', [second.sizes[0]]);
  const [carried, own] = [b.named(row), b.named(row)];
  const body = b.inner([carried, own], () => {
    const most = b.node('Max', [carried, own], row);
    return [most, b.node('Identity', [most], row)];
  });
  const types = [row, { ...row, dims: x.dims }] as const;
  const [, all] = b.nodes('Scan', [start, x], types, { body: { graph: body }, num_scan_inputs: 1 });
  return all;
});

/** A branch on a value: both sides compute something of one shape. */
const branch = fragment('If on a value', 2, (b, x) => {
  if (x.dtype !== 'float32' || b.opset < 11) return undefined;
  const flag = b.input('bool', []);
  const side = (op: string): ReturnType<Builder['inner']> =>
    b.inner([], () => [
      b.draw.chance(0.3) ? b.node('Identity', [x], like(x)) : b.node(op, [x], like(x)),
    ]);
  return b.node('If', [flag], like(x), {
    then_branch: { graph: side('Relu') },
    else_branch: { graph: side('Neg') },
  });
});

export const recurrentFragments: ReadonlyArray<Fragment> = [recurrence, loop, scan, branch];
