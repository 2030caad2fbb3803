/** Duplicates, dead code, constants, fusion, and sharing across scopes. */
import type { Builder } from '../generate/builder.ts';
import { allowed, type Motif, motif, perhapsStateful } from '../generate/motif.ts';
import { narrower, sizeOf } from '../generate/shapes.ts';
import type { TensorValue } from '../generate/value.ts';
import { convolve, someImage } from '../samplers/contractions.ts';
import { samplerOf } from '../samplers/standard.ts';
import { callOfLiteral } from '../steps.ts';

function anyCall(b: Builder, names: string = ELEMENTWISE): TensorValue | undefined {
  const all = allowed(b, names);
  const name = all.length === 0 ? undefined : b.random.pick(all);
  const op = name === undefined ? undefined : b.ops.get(name);
  const sample = op && samplerOf(b.ops, op);
  const value = sample && op && sample(b, op);
  return value?._tag === 'Tensor' ? value : undefined;
}

const ELEMENTWISE =
  'nn.relu negative abs tanh sigmoid add multiply subtract maximum clip transpose sum max ' +
  'nn.softmax';

const sumOf = (b: Builder, x: TensorValue, y: TensorValue): TensorValue =>
  x.dtype === y.dtype && x.dtype !== 'bool' && x.shape.join() === y.shape.join()
    ? b.tensor('add', [x, y])
    : x;

/** The same call twice, or with another attribute; sometimes through two levels. */
function twice(b: Builder): TensorValue | undefined {
  const first = anyCall(b);
  if (first === undefined) return undefined;
  const second = b.again(first, b.random.chance(0.55) ? otherAttrs(first) : {});
  if (second === undefined) return first;
  if (b.random.chance(0.4)) {
    const [one, two] = [first, second].map((x) =>
      x.dtype === 'bool' ? x : b.tensor(b.random.chance(0.9) ? 'negative' : 'abs', [x]),
    );
    return one && two && sumOf(b, one, two);
  }
  b.keep(second);
  return sumOf(b, first, second);
}

/** Changed attributes that keep the call valid. */
function otherAttrs(value: TensorValue) {
  const attrs = value.expr._tag === 'Call' ? value.expr.attrs : undefined;
  if (attrs === undefined) return {};
  if (typeof attrs.keepdims === 'boolean') return { keepdims: !attrs.keepdims };
  if (typeof attrs.a_max === 'number') return { a_max: attrs.a_max + 1 };
  if (attrs.axis === -1) return { axis: 0 };
  return Array.isArray(attrs.axes) ? { axes: [...attrs.axes].reverse() } : {};
}

/** Equal calls of different scalars, or of different tuples. */
function equalParts(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({ rank: [1, 4] });
  if (random.chance(0.5) && b.allows('concatenate')) {
    const y = b.operand({ shape: x.shape, dtype: x.dtype });
    const joined = () => b.tensor('concatenate', [b.tuple([x, y])], { axis: 0 });
    return sumOf(b, joined(), joined());
  }
  const c = random.pick([0.5, 2, -0]);
  const one = b.tensor('multiply', [x, b.constant([c], [], x.dtype)]);
  const two = b.tensor('multiply', [x, b.constant([random.chance(0.8) ? c : 1], [], x.dtype)]);
  return sumOf(b, one, two);
}

/** Projections of one tuple, equal ones among them. */
function projections(b: Builder): TensorValue {
  const x = b.operand({ rank: [1, 4], fits: (s) => (s[0] ?? 0) > 1, fresh: () => [4, 3] });
  const parts = b.call('split', [x], { indices_or_sections: [1], axis: 0 });
  if (parts._tag !== 'Tuple') return x;
  const first = b.project(parts, 0);
  b.keep(b.project(parts, 0));
  b.keep(b.project(parts, 1));
  return first;
}

/** Equal calls that must stay two: with an effect, or without arguments. */
function notTwice(b: Builder): TensorValue {
  const x = b.operand();
  if (b.random.chance(0.5) && b.allows('test.effect')) {
    return sumOf(b, b.tensor('test.effect', [x]), b.tensor('test.effect', [x]));
  }
  const made = () => b.tensor('ones', [], { shape: x.shape, dtype: x.dtype });
  return sumOf(b, b.tensor('add', [x, made()]), made());
}

export const duplicates: ReadonlyArray<Motif> = [
  motif(4, 'add negative abs', twice),
  motif(2, 'add multiply', equalParts),
  motif(1, 'split', projections),
  motif(1.2, 'add ones', notTwice),
];

/** Unused bindings, in chains, sometimes with effects. */
function dead(b: Builder): TensorValue | undefined {
  const value = anyCall(b);
  if (value === undefined) return undefined;
  const first = b.bind(perhapsStateful(b, value, 0.2));
  if (b.random.chance(0.4) && first.dtype !== 'bool') {
    b.bind(b.tensor(b.random.pick(['negative', 'abs']), [first]));
  }
  if (b.random.chance(0.15)) {
    b.bind(b.scoped(() => b.bind(anyCall(b) ?? first)));
  }
  return undefined;
}

function usedOnce(b: Builder): TensorValue | undefined {
  const value = anyCall(b);
  if (value === undefined || value.dtype === 'bool') return value;
  const v = b.bind(value);
  return b.tensor(b.random.pick(['negative', 'abs']), [v]);
}

function usedInFunction(b: Builder): TensorValue | undefined {
  const value = anyCall(b);
  if (value === undefined || value.dtype === 'bool') return value;
  const v = b.bind(value);
  const { params, result } = b.inFunction(false, () => {
    const x = b.param(v.shape, v.dtype);
    return b.tensor('add', [x, v]);
  });
  return result._tag === 'Tensor' ? callOfLiteral(b, params, result, [value]) : value;
}

export const deadCode: ReadonlyArray<Motif> = [
  motif(3, 'negative abs', dead),
  motif(2, 'negative abs', usedOnce),
  motif(1.2, 'add', usedInFunction),
];

function constantPart(b: Builder): TensorValue | undefined {
  const { random } = b;
  return b.fromConstants(() => {
    let value = anyCall(b, FOLDABLE);
    for (let i = random.int(0, 2); i > 0 && value !== undefined; i--) {
      if (random.chance(0.3)) value = b.bind(value);
      b.keep(value);
      value = anyCall(b, FOLDABLE) ?? value;
    }
    return value;
  });
}

const FOLDABLE =
  'add multiply subtract negative nn.relu transpose reshape concatenate expand_dims sum ' +
  'nn.dense sqrt cast strided_slice tanh';

/** `x + c` for a computed constant. */
function meetsConstant(b: Builder): TensorValue | undefined {
  const part = constantPart(b);
  if (part === undefined || part.dtype === 'bool') return part;
  const x = b.operand({ shape: part.shape, dtype: part.dtype });
  return b.tensor(b.random.pick(['add', 'multiply', 'subtract']), [x, part]);
}

/** A tuple of constants taken apart, or a tuple with one constant in it. */
function constantTuples(b: Builder): TensorValue | undefined {
  const { random } = b;
  if (random.chance(0.5) && b.allows('split')) {
    const c = b.weights([4, 3]);
    const parts = b.call('split', [c], { indices_or_sections: 2, axis: 0 });
    return parts._tag === 'Tuple' ? b.project(parts, random.int(0, 1)) : undefined;
  }
  const x = perhapsStateful(b, b.operand(), 0.5);
  const c = b.weights([3]);
  return b.project(b.tuple([x, c]), random.int(0, 1));
}

function constantBranch(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({ kind: 'number' });
  const [yes, no] = [b.tensor('negative', [x]), b.tensor('nn.relu', [x])];
  const known = b.constant([random.int(0, 1)], [], 'bool');
  const cond =
    random.chance(0.2) && b.allows('logical_not') ? b.tensor('logical_not', [known]) : known;
  const asked = random.chance(0.15) ? b.operand({ shape: [], dtype: 'bool' }) : cond;
  return b.choose(asked, yes, no);
}

/** The shape of a value that is not constant. */
function shapeFacts(b: Builder): TensorValue {
  const x = perhapsStateful(b, b.operand({ kind: 'any' }), 0.15);
  const name = b.random.pick(['shape_of', 'ndarray_size']);
  return b.tensor(name, [x], { dtype: b.random.pick(['int32', 'int64']) });
}

/** An expression of constants that must not be computed. */
function notFolded(b: Builder): TensorValue | undefined {
  const { random } = b;
  const c = b.weights([2, 3]);
  const kind = random.int(0, 3);
  if (kind === 0 && b.allows('test.effect')) return b.tensor('test.effect', [c]);
  if (kind === 1 && b.allows('nn.dropout')) {
    const parts = b.call('nn.dropout', [c]);
    return parts._tag === 'Tuple' ? b.project(parts, 0) : undefined;
  }
  if (kind === 2 && b.allows('ones')) {
    return b.tensor('ones', [], { shape: [2, 3], dtype: c.dtype });
  }
  if (!b.allows('broadcast_to')) return undefined;
  const large = b.tensor('broadcast_to', [c], { shape: [48_000, 2, 3] });
  return b.tensor('max', [large], { axis: [0] });
}

export const constants: ReadonlyArray<Motif> = [
  motif(5, 'add multiply subtract', meetsConstant),
  motif(2.5, '', constantTuples),
  motif(1.2, 'negative nn.relu', constantBranch),
  motif(2, 'shape_of ndarray_size', shapeFacts),
  motif(2.8, 'max', notFolded),
];

/** Chains of elementwise operators after an operator that fuses them, or starts them. */
function fusedChain(b: Builder): TensorValue {
  const { random } = b;
  let x = fusionSource(b);
  for (let i = random.int(1, 3); i > 0 && x.dtype !== 'bool'; i--) x = fusionStep(b, x);
  return x;
}

function fusionSource(b: Builder): TensorValue {
  const { random } = b;
  const kind = random.int(0, 3);
  if (kind === 0 && b.allows('nn.conv2d')) {
    return convolve(b, someImage(b, [4, 4]), { channelAxis: random.pick([1, 3]) });
  }
  const names = 'nn.dense nn.softmax nn.max_pool2d nn.batch_matmul';
  if (kind === 1 && allowed(b, names).length > 0) return anyCall(b, names) ?? b.operand();
  return b.operand({ rank: [1, 4] });
}

function fusionStep(b: Builder, x: TensorValue): TensorValue {
  const { random } = b;
  const kind = random.int(0, 10);
  const unary = allowed(b, 'nn.relu negative abs copy tanh sigmoid');
  if (kind <= 3 && unary.length > 0) return b.tensor(random.pick(unary), [x]);
  if (kind <= 5) {
    const y = b.random.chance(0.5)
      ? b.operand({ shape: narrower(random, x.shape), dtype: x.dtype })
      : b.constant([0.5, 2], narrower(random, x.shape), x.dtype);
    return b.tensor('add', random.chance(0.7) ? [x, y] : [y, x]);
  }
  if (kind === 6 && b.allows('transpose')) return b.tensor('transpose', [x]);
  if (kind === 7 && !x.shape.includes(0)) {
    return b.tensor('reshape', [x], { newshape: [sizeOf(x.shape)] });
  }
  if (kind >= 9 && x.shape.length > 0 && !x.shape.includes(0) && b.allows('sum')) {
    return b.tensor(random.pick(allowed(b, 'sum max')), [x], { axis: [0], keepdims: true });
  }
  if (kind === 8 && b.allows('annotation.stop_fusion') && random.chance(0.8)) {
    return b.tensor('annotation.stop_fusion', [x]);
  }
  return perhapsStateful(b, x, 0.25);
}

/** Two chains from one value, joined by a sum or by a concatenation. */
function diamond(b: Builder): TensorValue {
  const { random } = b;
  const x = b.random.chance(0.4) ? fusionSource(b) : b.operand({ rank: [1, 4] });
  if (x.shape.length === 0) return x;
  const unary = allowed(b, 'nn.relu negative abs copy');
  const side = (): TensorValue => {
    const half = b.constant([0.5], narrower(random, x.shape), x.dtype);
    const one = random.chance(0.35)
      ? b.tensor('add', [x, half])
      : b.tensor(random.pick(unary), [x]);
    return random.chance(0.4) ? b.tensor('reshape', [one], { newshape: x.shape }) : one;
  };
  const [left, right] = [side(), side()];
  if (random.chance(0.4)) return b.tensor('add', [left, right]);
  if (random.chance(0.25)) {
    b.keep(left);
    return right;
  }
  const joined = b.tensor('concatenate', [b.tuple([left, right])], { axis: 0 });
  return random.chance(0.7) ? fusionStep(b, joined) : joined;
}

/** A chain and a product, added. */
function residual(b: Builder): TensorValue {
  const { random } = b;
  const x = convolve(b, someImage(b, [4, 4]), { channelAxis: 1 });
  const other = b.operand({ shape: x.shape, dtype: x.dtype });
  const side = random.chance(0.5)
    ? b.tensor(random.pick(allowed(b, 'nn.relu negative abs')), [other])
    : b.tensor('add', [other, b.constant([0.5, 1], narrower(random, x.shape), x.dtype)]);
  return b.tensor('add', random.chance(0.5) ? [x, side] : [side, x]);
}

/** A convolution whose result is moved, separately or together with another value. */
function moved(b: Builder): TensorValue {
  const { random } = b;
  const x = convolve(b, someImage(b, [4, 4]), { channelAxis: 1 });
  if (random.chance(0.5)) return b.tensor('reshape', [x], { newshape: x.shape });
  const other = b.operand({ shape: x.shape, dtype: x.dtype });
  const parts = random.chance(0.5) ? [x, other] : [other, x];
  return b.tensor('concatenate', [b.tuple(parts)], { axis: 1 });
}

/** A chain that ends in a reduction. */
function reduced(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({ rank: [1, 4], fits: (shape) => !shape.includes(0), fresh: () => [2, 3] });
  const side = random.chance(0.5)
    ? b.tensor(random.pick(allowed(b, 'nn.relu negative abs')), [x])
    : b.tensor('add', [x, b.constant([0.5, 1], narrower(random, x.shape), x.dtype)]);
  return b.tensor(random.pick(allowed(b, 'sum max')), [side], { axis: [0] });
}

/** A call of an existing kernel, sometimes with effectful arguments. */
function kernel(b: Builder): TensorValue | undefined {
  const { random } = b;
  const x = b.operand({ rank: [1, 4] });
  const { params, result } = b.inFunction(true, () => {
    const [first, second] = [b.param(x.shape, x.dtype), b.param(x.shape, x.dtype)];
    const used = random.chance(0.85) ? [second, first] : [second, second];
    const sum = b.tensor('add', used);
    return random.chance(0.5) ? b.tensor('negative', [sum]) : sum;
  });
  if (result._tag !== 'Tensor') return undefined;
  const args = [x, b.operand({ shape: x.shape, dtype: x.dtype })];
  const given = args.map((arg) => perhapsStateful(b, b.within(arg, [-4, 4]), 0.5));
  return callOfLiteral(b, params, result, given, { Primitive: 1 });
}

/** A value that is made wider for several calls, one of which may not be element by element. */
function widened(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({ dtype: b.float, rank: [0, 3] });
  const wide = b.tensor('cast', [x], { dtype: 'float64' });
  const one = b.tensor(random.pick(['negative', 'abs']), [wide]);
  const other = random.chance(0.8) ? b.tensor('nn.relu', [wide]) : wide;
  const all = random.chance(0.3) ? b.tensor('sum', [wide]) : one;
  return b.tensor('cast', [b.tensor('add', [b.tensor('maximum', [one, other]), all])], {
    dtype: b.float,
  });
}

export const fusable: ReadonlyArray<Motif> = [
  motif(4, 'add reshape nn.relu', fusedChain),
  motif(3, 'add reshape concatenate nn.relu', diamond),
  motif(3, 'add nn.relu nn.conv2d', residual),
  motif(1.1, 'concatenate reshape nn.conv2d', moved),
  motif(1.2, 'add nn.relu sum', reduced),
  motif(1.6, 'add negative', kernel),
  motif(8, 'abs add cast maximum negative nn.relu sum', widened),
];

/** A value that only branches of an `if` use, both of them, or a function and its outside. */
function acrossScopes(b: Builder): TensorValue | undefined {
  const { random } = b;
  const value = anyCall(b);
  if (value === undefined || value.dtype === 'bool') return value;
  const cond = b.operand({ shape: [], dtype: 'bool' });
  const inner = (name: string): TensorValue =>
    b.scoped(() => {
      const used = b.tensor(name, [value]);
      return random.chance(0.4) ? b.bind(used) : used;
    }) as TensorValue;
  const [yes, no] = [inner('negative'), inner(random.pick(['abs', 'nn.relu']))];
  const chosen = b.choose(cond, yes, no);
  if (!random.chance(0.35)) return chosen;
  // The same value one level deeper.
  const other = b.operand({ shape: [], dtype: 'bool' });
  const outer = b.scoped(() => b.tensor('abs', [value])) as TensorValue;
  return b.choose(other, chosen, outer);
}

/** A shared value, bound, and used twice. */
function boundAndShared(b: Builder): TensorValue | undefined {
  const value = anyCall(b);
  if (value === undefined || value.dtype === 'bool') return value;
  const v = b.bind(value);
  return b.tensor('multiply', [v, b.bind(b.tensor('negative', [v]))]);
}

export const normalForms: ReadonlyArray<Motif> = [
  motif(3, 'negative abs nn.relu', acrossScopes),
  motif(2, 'negative multiply', boundAndShared),
];
