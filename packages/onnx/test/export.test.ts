/**
 * Exported calls come back from the importer and compute the same; what cannot be exported says so.
 * That onnxruntime computes the same, too, is tested in `test/oracle`.
 */
import { isLeft, mulberry32, orThrow } from '@baton/base';
import {
  type Attrs,
  call,
  constant,
  type Expr,
  func,
  globalVar,
  type IRModule,
  ifElse,
  irModule,
  opRef,
  type Type,
  tensorType,
  tuple,
  type Var,
  variable,
} from '@baton/ir';
import { decodeModel, exportOnnx, exportOnnxPieces, importOnnx } from '@baton/onnx';
import { type ExampleArg, examplesColumn, standardOps } from '@baton/ops';
import {
  allClose,
  type DType,
  describeTensor,
  fromNumbers,
  isFloat,
  isTensor,
  shapeSize,
  type Tensor,
  toBytes,
} from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { mainOf } from './helpers/import.ts';
import { run } from './helpers/run.ts';

const SEED = 20_261_123;

const moduleOf = (params: ReadonlyArray<Var>, body: Expr, attrs: Attrs = {}): IRModule =>
  irModule({ ops: standardOps, functions: new Map([['main', func(params, body, { attrs })]]) });

const op = (name: string, args: ReadonlyArray<Expr>, attrs: Attrs = {}): Expr =>
  call(opRef(name), args, {
    attrs: orThrow(standardOps.get(name)?.attrs.decode(attrs) ?? never()),
  });

const f32 = (...shape: ReadonlyArray<number>) => tensorType(shape, 'float32');

const never = (): never => {
  throw new Error('no such operator');
};

/** A program of one call, with numbers for its parameters. */
interface Example {
  readonly module: IRModule;
  readonly values: ReadonlyArray<Tensor>;
}

function exampleOf(name: string, args: ReadonlyArray<ExampleArg>, attrs: Attrs = {}): Example {
  const random = mulberry32(SEED);
  const params: Var[] = [];
  const values: Tensor[] = [];
  const argOf = (arg: ExampleArg): Expr => {
    if (Array.isArray(arg)) return tuple(arg.map(argOf));
    if (isTensor(arg)) return constant(arg);
    const param = variable(`p${params.length}`, arg as Type);
    params.push(param);
    const numbers = numbersOf(arg as Type, random);
    // A search is in sorted rows.
    const isSorted = name === 'searchsorted' && values.length === 0;
    values.push(isSorted ? { ...numbers, data: numbers.data.toSorted() } : numbers);
    return param;
  };
  const body = op(name, args.map(argOf), attrs);
  return { module: moduleOf(params, body), values };
}

/** Small numbers: they are indices, shifts and lengths, too. */
function numbersOf(type: Type, random: () => number): Tensor {
  if (type._tag !== 'TensorType' || '_tag' in type.shape) throw new Error('a closed tensor type');
  const dtype = type.dtype as DType;
  const shape = type.shape.map(Number);
  const one = (): number =>
    dtype === 'bool'
      ? Math.round(random())
      : isFloat(dtype)
        ? random() + 0.5
        : Math.floor(2 * random());
  return fromNumbers(Float64Array.from({ length: shapeSize(shape) }, one), shape, dtype);
}

/** The difference after a way through a file; the reason if there is none. */
function difference({ module, values }: Example, opset?: number): string | undefined {
  const file = exportOnnx(module, opset === undefined ? {} : { opset });
  if (isLeft(file)) return file.left.map((d) => d.message).join('; ');
  const back = importOnnx(file.right, { ops: standardOps });
  if (isLeft(back)) return back.left.map((d) => `imported: ${d.message}`).join('; ');
  const [wanted, found] = [module, back.right].map((m) => run(mainOf(m), values));
  const wrong = wanted?.findIndex((t, i) => !isSame(found?.[i], t)) ?? 0;
  if (wrong < 0) return undefined;
  const shown = (t: Tensor | undefined) => (t === undefined ? 'nothing' : describeTensor(t));
  return `result ${wrong} is ${shown(found?.[wrong])}, not ${shown(wanted?.[wrong])}`;
}

const isSame = (found: Tensor | undefined, wanted: Tensor): boolean =>
  found !== undefined &&
  found.dtype === wanted.dtype &&
  allClose(found, wanted, { atol: 1e-6, rtol: /16/.test(wanted.dtype) ? 0.02 : 1e-4 });

/** Operators that ONNX cannot say, and not with a few others. */
const WITHOUT_FORM = new Set([
  'fixed_point_multiply',
  'image.crop_and_resize',
  'matrix_set_diag',
  'debug',
  'nn.bitpack',
  'nn.correlation',
  'nn.deformable_conv2d',
  'nn.sparse_add',
  'nn.sparse_conv2d',
  'nn.sparse_dense',
  'nn.sparse_transpose',
  'sparse_fill_empty_rows',
  'sparse_reshape',
  ...standardOps.names.filter((name) =>
    /^(qnn(?!\.((de)?quantize|batch_matmul|conv2d(_transpose)?|dense)$)|random)\./.test(name),
  ),
  'test.effect',
  'vision.all_class_non_max_suppression',
  'vision.get_valid_counts',
  'vision.non_max_suppression',
]);

/** Examples that ONNX cannot say: the place among those of an operator, and the reason. */
const LACKING: Readonly<Record<string, string>> = {
  'nn.space_to_depth 1': 'SpaceToDepth puts the block first',
  'take 2': 'Gather has no batches',
  'vision.roi_align 1': 'RoiAlign takes the maximum of weighted corners, not of samples',
  // Zero points that are not known may be none of 8 bits: the definition has a product of int32.
  'qnn.conv2d 0': 'ONNX has no Conv of int32',
  'qnn.conv2d 1': 'ONNX has no Conv of int32',
  'qnn.conv2d_transpose 0': 'ONNX has no ConvTranspose of int32',
  'qnn.conv2d_transpose 1': 'ONNX has no ConvTranspose of int32',
};

/** The first reason, whatever the operator set is. */
const firstReason = (reasons: string | undefined): string | undefined =>
  reasons?.replace(/, in operator set .*|; .*/, '');

/** The reason why an example does not come back. */
const expected = (title: string): string | undefined => {
  const name = title.replace(/ .*/, '');
  return WITHOUT_FORM.has(name) ? `ONNX has no form of ${name}` : LACKING[title];
};

const EXAMPLES = standardOps.names.flatMap((name) =>
  (standardOps.read(examplesColumn, name) ?? []).map((example, i) => ({
    title: `${name} ${i}`,
    example: exampleOf(name, example.args, example.attrs as Attrs | undefined),
  })),
);

describe('a call that is exported and imported again computes the same:', () => {
  test.each(EXAMPLES)('$title', ({ title, example }) => {
    expect(firstReason(difference(example))).toBe(expected(title));
  });

  test.each([13, 23])('in operator set %s, unless it says which one it needs', (opset) => {
    const other = EXAMPLES.flatMap(({ title, example }) => {
      const found = difference(example, opset);
      const isLater = / came with operator set \d+, and \d+ is written/.test(found ?? '');
      return firstReason(found) === expected(title) || isLater ? [] : [`${title}: ${found}`];
    });
    expect(other).toEqual([]);
  });
});

/** Calls that random programs found to come back as others. */
const REGRESSIONS: ReadonlyArray<readonly [string, ReadonlyArray<ExampleArg>, Attrs]> = [
  ['clip', [tensorType([4], 'uint8')], { a_min: -1, a_max: 1 }],
  ['clip', [tensorType([4], 'int8')], { a_min: 0, a_max: 255 }],
  ['argmax', [tensorType([5], 'int32')], { axis: [0], exclude: true }],
  ['mean', [tensorType([2, 3], 'int8')], { axis: [1] }],
  ['nn.instance_norm', [f32(3, 4, 2), f32(3), f32(3)], { axis: 0 }],
  ['nn.group_norm', [f32(4, 3, 2), f32(4), f32(4)], { axis: 0, num_groups: 2 }],
  ['nn.layer_norm', [f32(2, 4, 3), f32(4), f32(4)], { axis: 1 }],
  ['add', [tensorType([4], 'bool'), tensorType([4], 'bool')], {}],
  ['nn.nll_loss', [f32(3), tensorType([], 'int32'), f32(3)], { reduction: 'none' }],
  [
    'nn.avg_pool2d_grad',
    [f32(1, 1, 4, 4), f32(1, 1, 4, 4)],
    { pool_size: [3, 3], strides: [1, 1], padding: [0, 0, 2, 2], count_include_pad: true },
  ],
];

test.each(REGRESSIONS)('%s of %j, %j', (name, args, attrs) => {
  expect(difference(exampleOf(name, args, attrs))).toBe(undefined);
});

/** The nodes of a program in Relay text, as `Op(x, y) -> z`. */
function nodesOf(text: string): ReadonlyArray<string> {
  const module = orThrow(parseModule(text, { ops: standardOps }));
  return graphText(orThrow(decodeModel(orThrow(exportOnnx(module)))).graph);
}

function graphText(graph: Graph | undefined, indent = ''): ReadonlyArray<string> {
  return (graph?.nodes ?? []).flatMap((node) => {
    const line = `${indent}${node.opType}(${node.inputs.join(', ')}) -> ${node.outputs.join(', ')}`;
    const inner = node.attributes.flatMap(({ name, value }) =>
      value.kind === 'graph'
        ? [
            `${indent} ${name}: ${value.value.outputs.map((o) => o.name)}`,
            ...graphText(value.value, `${indent}  `),
          ]
        : [],
    );
    return [line, ...inner];
  });
}

type Graph = NonNullable<ReturnType<typeof decodeOf>['graph']>;
const decodeOf = (bytes: Uint8Array) => orThrow(decodeModel(bytes));

describe('a call is written with the nodes that say it best:', () => {
  const open = 'def @main[n: ShapeVar, m: ShapeVar]';
  test.each([
    [
      'a rectifier of unsigned numbers',
      'def @main(%x: Tensor[(2), uint8]) { nn.relu(%x) }',
      'Identity',
    ],
    [
      'a product of one number',
      'def @main(%x: Tensor[(3, 1), float32]) { cumprod(%x, axis=1) }',
      'Identity',
    ],
    [
      'a convolution of bytes',
      `def @main(%x: Tensor[(1, 2, 5, 5), uint8], %w: Tensor[(2, 2, 3, 3), int8]) {
        qnn.conv2d(%x, %w, 3, 0, 1f, 1f) }`,
      'ConvInteger',
    ],
    [
      'a repetition along the one axis of known size',
      `${open}(%x: Tensor[(n, 3, m), float32]) { repeat(%x, repeats=2, axis=1) }`,
      'Unsqueeze Tile Reshape',
    ],
    [
      'a shape with two open sizes of the data at other places',
      `${open}(%x: Tensor[(4, n, m), float32]) { contrib_reverse_reshape(%x, newshape=[2, 2, 0, 0]) }`,
      'Shape Concat Reshape',
    ],
  ])('%s', (_, program, types) => {
    const nodes = nodesOf(`#[version = "0.0.5"]\n${program}`);
    expect(nodes.map((line) => line.replace(/\(.*/, '')).join(' ')).toBe(types);
  });

  test.each([
    ['0.5f, 3', {}],
    ['full(0.5f, shape=[2], dtype="float32"), 3, axis=0', { axis: 0 }],
    ['full(0.5f, shape=[2], dtype="float32"), 3, axis=1', {}],
  ])('a quantization by %s states its axis if it has one that is not the usual', (by, wanted) => {
    const program = `#[version = "0.0.5"]
      def @main(%x: Tensor[(2, 2), float32]) {
        qnn.quantize(%x, ${by}, out_dtype="int8", rounding="TIESTOEVEN") }`;
    const file = orThrow(exportOnnx(orThrow(parseModule(program, { ops: standardOps }))));
    const [node] = decodeOf(file).graph?.nodes ?? [];
    expect(node?.opType).toBe('QuantizeLinear');
    const given = node?.attributes.map(({ name, value }) => [
      name,
      value.kind === 'int' && value.value,
    ]);
    expect(Object.fromEntries(given ?? [])).toEqual(wanted);
  });
});

describe('what is not an operator is evaluated:', () => {
  test('lets, tuples and functions', () => {
    expect(
      nodesOf(`#[version = "0.0.5"]
      def @twice(%f: fn (Tensor[(2), float32]) -> Tensor[(2), float32], %x: Tensor[(2), float32]) {
        %f(%f(%x))
      }
      def @main(%x: Tensor[(2), float32]) {
        let %p = (%x, exp(%x));
        let %g = fn (%y: Tensor[(2), float32]) { add(%y, %p.1) };
        (@twice(%g, %p.0), %p.0)
      }`),
    ).toEqual([
      'Exp(x) -> Exp',
      'Add(x, Exp) -> Add',
      'Add(Add, Exp) -> output',
      'Identity(x) -> output_1',
    ]);
  });

  test('references and data', () => {
    expect(
      nodesOf(`#[version = "0.0.5"]
      type Pair { Two(Tensor[(2), float32], Tensor[(2), float32]), One(Tensor[(2), float32]) }
      def @main(%x: Tensor[(2), float32]) {
        let %r = ref(%x);
        let %u = ref_write(%r, tanh(ref_read(%r)));
        match (Two(ref_read(%r), %x)) { One(%a) => %a, Two(%a, %b) => subtract(%a, %b) }
      }`),
    ).toEqual(['Tanh(x) -> Tanh', 'Sub(Tanh, x) -> output']);
  });

  test('branches that are known; others become graphs of their own', () => {
    expect(
      nodesOf(`#[version = "0.0.5"]
      def @main(%c: bool, %x: Tensor[(2), float32]) {
        let %e = exp(%x);
        let %known = if (True) { %e } else { tan(%e) };
        if (%c) { (if (%c) { %known } else { sin(%known) }, %x) } else { (abs(%known), %e) }
      }`),
    ).toEqual([
      'Exp(x) -> Exp',
      'If(c) -> output, output_1',
      ' then_branch: If,Identity_1',
      '  If(c) -> If',
      '   then_branch: Identity',
      '    Identity(Exp) -> Identity',
      '   else_branch: Sin',
      '    Sin(Exp) -> Sin',
      '  Identity(x) -> Identity_1',
      ' else_branch: Abs,Identity_2',
      '  Abs(Exp) -> Abs',
      '  Identity(Exp) -> Identity_2',
    ]);
  });

  test('a branch that gives one value twice has two outputs', () => {
    expect(
      nodesOf(`#[version = "0.0.5"]
      def @main(%c: bool, %x: Tensor[(2), float32]) {
        if (%c) { %0 = abs(%x); (%0, %0) } else { let %y = exp(%x); (%y, %y) }
      }`),
    ).toEqual([
      'If(c) -> output, output_1',
      ' then_branch: Abs,Identity',
      '  Abs(x) -> Abs',
      '  Identity(Abs) -> Identity',
      ' else_branch: Exp,Identity_1',
      '  Exp(x) -> Exp',
      '  Identity(Exp) -> Identity_1',
    ]);
  });

  test('a bias goes into its product, and batches of several axes into theirs', () => {
    const x = variable('x', tensorType([1, 3, 8, 8], 'float32'));
    const w = constant(fromNumbers(new Float64Array(12).fill(1), [4, 3, 1, 1], 'float32'));
    const b = constant(fromNumbers(Float64Array.of(1, 2, 3, 4), [4], 'float32'));
    const conv = op('nn.bias_add', [op('nn.conv2d', [x, w]), b]);
    const merged = (e: Expr, newshape: ReadonlyArray<number>) => op('reshape', [e], { newshape });
    const y = variable('y', tensorType([2, 3, 4, 5], 'float32'));
    const rows = merged(y, [6, 4, 5]);
    const product = op('nn.batch_matmul', [rows, merged(y, [6, 4, 5])], { transpose_b: true });
    const types = (body: Expr, params: ReadonlyArray<Var>) =>
      decodeOf(orThrow(exportOnnx(moduleOf(params, body)))).graph?.nodes.map((n) => n.opType);
    expect(types(conv, [x])).toEqual(['Conv']);
    expect(types(merged(product, [2, 3, 4, 4]), [y])).toEqual([
      'Reshape',
      'Transpose',
      'MatMul',
      'Reshape',
    ]);
    const right = merged(op('transpose', [y], { axes: [0, 1, 3, 2] }), [6, 5, 4]);
    const plain = merged(
      op('nn.batch_matmul', [rows, right], { transpose_b: false }),
      [2, 3, 4, 4],
    );
    expect(types(plain, [y])).toEqual(['Transpose', 'MatMul']);
  });
});

describe('the file', () => {
  const x = variable('x', tensorType([2], 'float32'));
  const weight = fromNumbers(new Float64Array(2000).fill(0.5), [1000, 2], 'float32');

  test('has the names of the program, and states where nodes come from', () => {
    const module = orThrow(
      importOnnx(
        orThrow(exportOnnx(moduleOf([x], op('exp', [x]), { output_tensor_names: ['y'] }))),
        {
          ops: standardOps,
          source: 'first',
        },
      ),
    );
    const { graph } = decodeOf(orThrow(exportOnnx(module, { name: 'again' })));
    expect(graph?.name).toBe('again');
    expect(graph?.inputs.map((input) => input.name)).toEqual(['x']);
    expect(graph?.outputs.map((output) => output.name)).toEqual(['y']);
    expect(graph?.nodes.map((node) => node.name)).toEqual(['Exp']);
  });

  test('is the same in pieces, and holds its weights or tells where they are', () => {
    const module = moduleOf([x], op('add', [x, constant(weight)]));
    const whole = orThrow(exportOnnx(module));
    const pieces = orThrow(exportOnnxPieces(module));
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(whole));
    expect(pieces.some((piece) => piece.buffer === toBytes(weight).buffer)).toBe(true);
    const stored = new Map<string, Uint8Array>();
    const beside = orThrow(
      exportOnnx(module, {
        externalData: (name, bytes) => {
          stored.set(name, bytes);
          return { location: 'weights.bin', offset: 0, length: bytes.length };
        },
      }),
    );
    expect(beside.length).toBeLessThan(1000);
    const read = importOnnx(beside, {
      ops: standardOps,
      externalData: () => [...stored.values()][0],
    });
    expect(
      difference({ module: orThrow(read), values: [numbersOf(x.typeAnnotation as Type, () => 0)] }),
    ).toBe(undefined);
  });

  test('is refused for a reason', () => {
    const refusal = (module: IRModule, options = {}): ReadonlyArray<string> => {
      const result = exportOnnx(module, options);
      return isLeft(result) ? result.left.map((d) => `${d.code}: ${d.message}`) : ['exported'];
    };
    const two = moduleOf([x], tuple([op('test.effect', [x]), op('test.effect', [op('exp', [x])])]));
    expect(refusal(two)).toEqual([
      'ONNX_EXPORT: ONNX has no form of test.effect',
      'ONNX_EXPORT: ONNX has no form of test.effect',
    ]);
    expect(refusal(irModule({ ops: standardOps }))).toEqual([
      'ONNX_EXPORT: expected a module with a function @main',
    ]);
    expect(refusal(moduleOf([x], func([], x)))).toEqual([
      'ONNX_EXPORT: a result that is not a tensor or a tuple of tensors cannot be exported',
    ]);
    const buffer = `#[version = "0.0.5"]
      def @main[n: ShapeVar](%x: Tensor[(2, n), float32], %y: Tensor[(2, 3), float32]) {
        nn.fifo_buffer(%x, %y, axis=1) }`;
    expect(refusal(orThrow(parseModule(buffer, { ops: standardOps })))).toEqual([
      'ONNX_EXPORT: expected a tensor of known shape',
    ]);
    expect(refusal(moduleOf([x], x), { opset: 12 })[0]).toContain('OPTION_TYPE');
    expect(refusal(moduleOf([x], x), { opsett: 12 })[0]).toContain('OPTION_UNKNOWN');
    const endless = `#[version = "0.0.5"]
      def @f(%x: Tensor[(2), float32]) -> Tensor[(2), float32] { @f(exp(%x)) }
      def @main(%x: Tensor[(2), float32]) { @f(%x) }`;
    expect(refusal(orThrow(parseModule(endless, { ops: standardOps })))[0]).toContain(
      'calls nest deeper than 4098 when functions are inlined',
    );
  });

  test('functions that call each other in a chain are inlined, however many', () => {
    const type = f32(2);
    const count = 5000;
    const functions = new Map(
      Array.from({ length: count }, (_, i) => {
        const x = variable('x', type);
        const next = i + 1 < count ? call(globalVar(`f${i + 1}`), [x]) : x;
        return [i === 0 ? 'main' : `f${i}`, func([x], op('negative', [next]), { retType: type })];
      }),
    );
    const bytes = orThrow(exportOnnx(irModule({ ops: standardOps, functions })));
    expect(orThrow(decodeModel(bytes)).graph?.nodes.length).toBe(count);
  });

  test('says why a loop is none of ONNX', () => {
    const text = `#[version = "0.0.5"]
      def @f(%n: int32, %h: fn (Tensor[(2), float32]) -> Tensor[(2), float32]) -> int32 {
        if (%n > 0) { @f(%n - 1, %h) } else { %n }
      }
      def @main(%n: int32) { @f(%n, fn (%y: Tensor[(2), float32]) { exp(%y) }) }`;
    const result = exportOnnx(orThrow(parseModule(text, { ops: standardOps })));
    expect(isLeft(result) && result.left[0].message).toBe(
      'a loop that carries a value that is not a tensor or a tuple of tensors cannot be exported',
    );
  });

  test('says that branches nest too deeply', () => {
    const c = variable('c', tensorType([], 'bool'));
    const deep = Array.from({ length: 30 }).reduce<Expr>(
      (inner) => ifElse(c, op('exp', [inner]), x),
      op('exp', [x]),
    );
    const result = exportOnnx(moduleOf([c, x], deep));
    expect(isLeft(result) && result.left[0].message).toBe(
      'a branch inside of 24 others cannot be exported',
    );
  });
});
