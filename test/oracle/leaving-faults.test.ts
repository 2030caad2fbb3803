/**
 * Files that no runtime loads, and programs that were run and could not be written: regressions, and
 * their sisters. Each program is written, read again, and run in onnxruntime on two sets of sizes.
 */
import { fnv1a32, mulberry32, orThrow } from '@baton/base';
import { evaluate } from '@baton/executor';
import { bareAtom, type Func, type Type } from '@baton/ir';
import { decodeModel, exportOnnx, importOnnx, portsOf, rereadOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import {
  allClose,
  type DType,
  fromNumbers,
  isFloat,
  printShape,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { leavesOf } from '@baton/testing';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { encodeModel } from '../../packages/onnx/src/encode-model.ts';
import { loadElsewhere, runElsewhere } from './oracle.ts';

/** Sizes by the names of dimensions. */
type Sizes = Readonly<Record<string, number>>;

/** The operators of the file of a program, which onnxruntime runs as the interpreter does. */
async function written(text: string, runs: ReadonlyArray<Sizes>): Promise<ReadonlyArray<string>> {
  const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
  const file = orThrow(exportOnnx(m));
  orThrow(rereadOnnx(orThrow(portsOf(m)), file, { ops: standardOps }));
  const graph = orThrow(decodeModel(file)).graph;
  await loadElsewhere(file);
  for (const sizes of runs) {
    const params = (m.functions.get('main') as Func).params;
    const inputs = params.map(({ typeAnnotation, nameHint }) =>
      drawn(typeAnnotation as Type, nameHint, sizes),
    );
    const named = new Map(params.map(({ nameHint }, i) => [nameHint, inputs[i] as Tensor]));
    const found = await runElsewhere(file, { inputs: named });
    expect([...found.keys()]).toEqual(graph?.outputs.map(({ name }) => name));
    const wanted = leavesOf(orThrow(evaluate(m, inputs)));
    for (const [i, value] of [...found.values()].entries()) {
      expect(described(value), `result ${i}`).toEqual(described(wanted[i]));
      expect(allClose(value, wanted[i] as Tensor, { atol: 1e-5, rtol: 1e-4 })).toBe(true);
    }
  }
  return graph?.nodes.map(({ opType }) => opType) ?? [];
}

/** The bytes of pieces. */
const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array =>
  new Uint8Array(pieces.flatMap((piece) => [...piece]));

const described = (t: Tensor | undefined) => t && `${t.dtype}${printShape(t.shape)}`;

/** Indices, named `i`, are small and may be negative; others are multiples of an eighth. */
function drawn(type: Type, name: string, sizes: Sizes): Tensor {
  if (type._tag !== 'TensorType' || '_tag' in type.shape) throw new Error('a tensor of known rank');
  const random = mulberry32(fnv1a32(name));
  const shape = type.shape.map((dim) => {
    if (typeof dim === 'number') return dim;
    const atom = bareAtom(dim);
    return (atom?._tag === 'TypeVar' ? sizes[atom.nameHint] : undefined) ?? 2;
  });
  const dtype = type.dtype as DType;
  const one = (): number =>
    isFloat(dtype)
      ? Math.round(16 * random() - 8) / 8
      : name.startsWith('i')
        ? Math.floor(4 * random()) - 2
        : Math.floor(6 * random());
  return fromNumbers(Float64Array.from({ length: shapeSize(shape) }, one), shape, dtype);
}

const N_T = [
  { n: 2, t: 3 },
  { n: 1, t: 5 },
];

describe('X1: an index along an open axis keeps its rank:', () => {
  const take = (index: string, params: string, attrs: string) =>
    `def @main[n: ShapeVar, t: ShapeVar](%x: Tensor[(n, t, 4), float32]${params}) {
       take(%x, ${index}, ${attrs})
     }`;
  test.each([
    ['-1i64', '', 'axis=1, mode="wrap"'],
    ['-2', '', 'axis=1, mode="wrap"'],
    ['-1i64', '', 'axis=0, mode="wrap"'],
    ['1i64', '', 'axis=1, mode="clip"'],
    ['7', '', 'axis=0, mode="clip"'],
    ['%i', ', %i: int64', 'axis=1, mode="wrap"'],
    ['%i', ', %i: int32', 'axis=0, mode="clip"'],
    ['%i', ', %i: Tensor[(3), int64]', 'axis=1, mode="wrap"'],
    ['%i', ', %i: Tensor[(1), int64]', 'axis=1, mode="clip"'],
    ['%i', ', %i: Tensor[(n, 2), int64]', 'axis=1, mode="wrap"'],
    ['%i', ', %i: Tensor[(2, 1, t), int32]', 'axis=0, mode="wrap"'],
    ['-1i64', '', 'mode="wrap"'],
  ])('%s%s, %s', async (index, params, attrs) => {
    const types = await written(take(index, params, attrs), N_T);
    expect(types).toContain('Gather');
  });
});

describe('X2: a product of batches of different ranks is one MatMul:', () => {
  const MOVES = ['Transpose', 'Squeeze'];
  const sizes = [
    { a: 2, b: 2, n: 3 },
    { a: 1, b: 3, n: 1 },
  ];
  test.each([
    ['(a, 1, 4, 2)', '(b, 2, 4)', '...ij,...jk->...ik', 'MatMul'],
    ['(b, 2, 4)', '(a, 1, 4, 3)', '...ij,...jk->...ik', 'MatMul'],
    ['(a, b, 1, n, 2)', '(b, 2, 4)', '...ij,...jk->...ik', 'MatMul'],
    ['(n, 4)', '(a, b, 4, 3)', '...ij,...jk->...ik', 'MatMul'],
    ['(a, b, 3, 4)', '(4, n)', '...ij,...jk->...ik', 'MatMul'],
    ['(a, 1, 4, 2)', '(b, 3, 2)', '...ij,...kj->...ik', 'MatMul'],
    ['(a, 1, 2, 4)', '(b, 2, n)', '...ji,...jk->...ik', 'MatMul'],
    ['(n, 4)', '(4, a)', 'ij,jk->ik', 'Gemm'],
    ['(a, b, n, 4)', '(a, b, 4, 2)', 'abij,abjk->abik', 'MatMul'],
    ['(a, 1, 4, 2)', '(b, 2)', '...ij,...j->...i', 'Einsum'],
    ['(a, 1, 4, 2)', '(b, 2, 4)', '...ij,...jk->...ki', 'Einsum'],
    ['(a, 3)', '(b, 1, 3)', '...i,...i->...', 'Einsum'],
  ])('%s by %s, %s', async (left, right, equation, expected) => {
    const text = `def @main[a: ShapeVar, b: ShapeVar, n: ShapeVar](
        %x: Tensor[${left}, float32], %y: Tensor[${right}, float32]) {
      %0 = (%x, %y);
      einsum(%0, equation="${equation}")
    }`;
    const types = await written(text, sizes);
    expect(types.filter((type) => !MOVES.includes(type))).toEqual([expected]);
  });

  test('batches of several open axes are one MatMul', async () => {
    const text = `def @main[n: ShapeVar, t: ShapeVar](
        %x: Tensor[(n, 4, t, 3), float32], %y: Tensor[(n, 4, 3, t), float32]) {
      %0 = reshape(%x, newshape=[-3, 0, 3]);
      %1 = reshape(%y, newshape=[-3, 3, 0]);
      %2 = nn.batch_matmul(%0, %1);
      reshape(%2, newshape=[-4, -1, 4, 0, 0])
    }`;
    expect(await written(text, N_T)).toEqual(['MatMul']);
  });

  test('a product whose sizes are read elsewhere stays', async () => {
    const text = `def @main[n: ShapeVar, t: ShapeVar](
        %x: Tensor[(n, 4, t, 3), float32], %y: Tensor[(n, 4, 3, t), float32]) {
      %0 = reshape(%x, newshape=[-3, 0, 3]);
      %1 = reshape(%y, newshape=[-3, 3, 0]);
      %2 = nn.batch_matmul(%0, %1);
      %3 = reshape(%2, newshape=[-4, -1, 4, 0, 0]);
      (%3, nn.relu(%2), shape_of(%2, dtype="int64"))
    }`;
    expect(await written(text, N_T)).toContain('MatMul');
  });
});

describe('X8: sizes that are equal under different names:', () => {
  const equal = [
    { x0: 2, z0: 2, x1: 3, z1: 3 },
    { x0: 1, z0: 1, x1: 4, z1: 4 },
  ];
  const two = (body: string) =>
    `def @main[x0: ShapeVar, z0: ShapeVar, x1: ShapeVar, z1: ShapeVar](
        %x: Tensor[(x0, x1), float32], %z: Tensor[(z0, z1), float32]) {
      let %a: Tensor[(?, ?), float32] = %x;
      let %b: Tensor[(?, ?), float32] = %z;
      ${body}
    }`;
  test.each([
    'add(%a, %b)',
    'multiply(nn.relu(%a), %b)',
    'where(less(%a, %b), %a, %b)',
    'maximum(%a, minimum(%b, 0.5f))',
    'sum(multiply(%a, %b), axis=[1])',
    'concatenate((%a, %b), axis=1)',
    'concatenate((%a, add(%a, %b)), axis=0)',
    'stack((%a, %b), axis=1)',
    'nn.matmul(%a, %b, transpose_b=True)',
    'einsum((%a, %b), equation="ij,ij->i")',
    'reshape(add(%a, %b), newshape=[0, 0, 1])',
    'reshape(add(%a, %b), newshape=[-2])',
    'reshape(add(%a, %b), newshape=[-3])',
    'reshape_like(%a, %b)',
    'nn.batch_flatten(expand_dims(add(%a, %b), axis=1))',
    'repeat(add(%a, %b), repeats=2, axis=0)',
  ])('%s', async (body) => {
    await written(two(body), equal);
  });

  test.each([
    ['Flatten after Expand', 'nn.batch_flatten(dyn.broadcast_to(%x, %0))'],
    ['codes after Expand', 'reshape(dyn.broadcast_to(%x, %0), newshape=[-3, 0, 1])'],
    ['a split after Expand', 'reshape(dyn.broadcast_to(%x, %0), newshape=[0, -4, 1, -1, -2])'],
    ['rows after Expand', 'reshape(dyn.broadcast_to(%x, %0), newshape=[0, -1])'],
  ])('%s', async (_, body) => {
    const text = `def @main[n: ShapeVar, t: ShapeVar](
        %x: Tensor[(1, t, 4), float32], %y: Tensor[(n), float32]) {
      %0 = concatenate((shape_of(%y, dtype="int64"), shape_of(reshape(%x, newshape=[-3, 4]), dtype="int64")));
      ${body}
    }`;
    await written(text, N_T);
  });

  test('a loop over the rows of an open axis', async () => {
    const text = `def @main[n: ShapeVar](%x: Tensor[(n, 2), float32], %s: Tensor[(2), float32]) {
      %0 = shape_of(%x, dtype="int64");
      let %length: int64 = take(%0, 0i64, axis=0);
      let %loop = fn (%i: int64, %sum: Tensor[(2), float32]) -> Tensor[(2), float32] {
        if (less(%i, %length)) {
          %loop(add(%i, 1i64), add(%sum, take(%x, %i, axis=0)))
        } else {
          %sum
        }
      };
      %loop(0i64, %s)
    }`;
    expect(await written(text, [{ n: 3 }, { n: 1 }, { n: 0 }])).toContain('Loop');
  });
});

describe('a resize with an open batch has no axes, of which runtimes forget:', () => {
  const sizes = [{ n: 2 }, { n: 1 }];
  const resized = (dtype: string, size: string, method: string) =>
    `def @main[n: ShapeVar](%x: Tensor[(n, 4, 3, 2), ${dtype}]) {
      %0 = image.resize2d(%x, size=${size}, layout="NHWC", method="${method}",
        coordinate_transformation_mode="half_pixel");
      (%0, transpose(%0, axes=[0, 3, 1, 2]))
    }`;
  test.each([
    ['float32', '[8, 6]', 'linear'],
    ['float32', '[7, 5]', 'linear'],
    ['float32', '[5, 7]', 'cubic'],
    ['float32', '[3, 2]', 'nearest_neighbor'],
    ['uint8', '[8, 6]', 'linear'],
    ['uint8', '[7, 5]', 'nearest_neighbor'],
    ['int8', '[8, 6]', 'cubic'],
    ['int32', '[8, 12]', 'linear'],
    ['float16', '[8, 5]', 'linear'],
  ])('%s to %s, %s', async (dtype, size, method) => {
    const types = await written(resized(dtype, size, method), sizes);
    expect(types).toContain('Resize');
  });

  test('two sizes of one image', async () => {
    const text = `def @main[n: ShapeVar](%x: Tensor[(n, 2, 3, 3), float32]) {
      %0 = nn.upsampling(%x, scale_h=2f, scale_w=2f);
      image.resize2d(%0, size=[5, 3], method="linear")
    }`;
    expect(await written(text, sizes)).toEqual(['Resize', 'Shape', 'Concat', 'Resize']);
  });
});

describe('images of integers are rounded, not truncated:', () => {
  test.each([
    ['uint8', 'linear', ''],
    ['int8', 'linear', ''],
    ['int32', 'linear', ''],
    ['uint8', 'cubic', ''],
    ['int8', 'cubic', ''],
    ['uint8', 'linear', ', out_dtype="float32"'],
    ['float32', 'linear', ', out_dtype="int32"'],
    ['int32', 'linear', ', out_dtype="uint8"'],
  ])('%s, %s%s', async (dtype, method, more) => {
    const text = `def @main(%x: Tensor[(1, 2, 4, 4), ${dtype}]) {
      image.resize2d(%x, size=[8, 16], method="${method}",
        coordinate_transformation_mode="half_pixel"${more})
    }`;
    expect(await written(text, [{}])).toContain('Resize');
  });
});

describe('formulas of 16-bit floats compute in float32:', () => {
  const vectors = (rank: number) => `%x: Tensor[(${'2, '.repeat(rank - 1)}4), D]`;
  const scaled = `${vectors(2)}, %g: Tensor[(4), D], %b: Tensor[(4), D]`;
  const images = '%x: Tensor[(2, 4, 3), D], %g: Tensor[(4), D], %b: Tensor[(4), D]';
  const pairs = '%x: Tensor[(2, 4), D], %y: Tensor[(2, 4), D]';
  const means = '%x: Tensor[(2, 4), D], %m: Tensor[(2, 1), D]';
  test.each([
    [vectors(2), 'nn.l2_normalize(%x, eps=1e-12f, axis=[1])', 'ReduceSum'],
    [vectors(3), 'nn.l2_normalize(%x, eps=1e-12f, axis=[0, 2])', 'ReduceSum'],
    [scaled, 'nn.layer_norm(%x, %g, %b)', 'ReduceMean'],
    [scaled, 'nn.layer_norm(%x, %g, %b, scale=False, center=False)', 'ReduceMean'],
    [images, 'nn.group_norm(%x, %g, %b, num_groups=2)', 'InstanceNormalization'],
    [means, 'variance(%x, %m, axis=[1], keepdims=True)', 'ReduceMean'],
    [means, 'variance(%x, %m, axis=[1], unbiased=True)', 'ReduceMean'],
    [pairs, 'nn.cross_entropy_with_logits(%x, %y)', 'ReduceSum'],
    [pairs, 'nn.cross_entropy(nn.softmax(%x), %y)', 'ReduceSum'],
  ])('%s: %s', (params, body, inside) => {
    for (const dtype of ['float16', 'bfloat16']) {
      const text = `def @main(${params.replaceAll('D', dtype)}) { ${body} }`;
      const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
      const file = orThrow(exportOnnx(m, { opset: dtype === 'float16' ? 13 : 18 }));
      const { nodes = [] } = orThrow(decodeModel(file)).graph ?? {};
      const types = nodes.map(({ opType }) => opType);
      // bfloat16 came after set 17, which has a node for some of them.
      const isFormula = types.includes(inside);
      if (dtype === 'float16') expect(isFormula).toBe(true);
      if (!isFormula) continue;
      // What is inside is between casts, whose first is to float32, and whose last is back.
      expect(types.indexOf('Cast')).toBeLessThan(types.indexOf(inside));
      expect(types.lastIndexOf('Cast')).toBeGreaterThan(types.lastIndexOf(inside));
      const reread = orThrow(rereadOnnx(orThrow(portsOf(m)), file, { ops: standardOps })).module;
      for (const scale of [300, 2 ** -10]) {
        const inputs = (m.functions.get('main') as Func).params.map((param, i) => {
          const of = drawn(param.typeAnnotation as Type, param.nameHint, {});
          const numbers = Float64Array.from(toNumbers(of), (x) => (i === 0 ? x * scale : x));
          return fromNumbers(numbers, of.shape, of.dtype);
        });
        const [found, wanted] = [reread, m].map((one) => one && orThrow(evaluate(one, inputs)));
        expect(allClose(found as Tensor, wanted as Tensor, { atol: 1e-7, rtol: 0.02 })).toBe(true);
      }
    }
  });
});

describe('H2: sizes that a file states for its outputs survive where the program lacks them:', () => {
  const stated = (shape: ReadonlyArray<unknown>, dims: string) => {
    const text = `def @main[n: ShapeVar](%x: Tensor[(n, 2), float32], output_tensor_names=["y"],
        output_dim_names=${dims}) {
      %0 = shape_of(%x, dtype="int64");
      dyn.full(0f, %0, dtype="float32")
    }`;
    const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
    const file = orThrow(exportOnnx(m));
    const back = orThrow(rereadOnnx(orThrow(portsOf(m)), file, { ops: standardOps })).module;
    const again = back && orThrow(exportOnnx(back));
    for (const one of [file, again ?? file]) {
      const type = orThrow(decodeModel(one)).graph?.outputs[0]?.type;
      expect(type?._tag === 'Tensor' && type.shape).toEqual(shape);
    }
  };
  test.each([
    ['[["", 2]]', [undefined, 2]],
    ['[["rows", 2]]', ['rows', 2]],
    ['[[3, ""]]', [3, undefined]],
    ['[["", ""]]', [undefined, undefined]],
    ['[["", 2, 3]]', [undefined, undefined]],
  ])('%s', (dims, shape) => stated(shape, dims));

  test('a name or a size that the program knows is not replaced by a size', () => {
    const text = `def @main[n: ShapeVar](%x: Tensor[(n, 2), float32], output_tensor_names=["y"],
        output_dim_names=[[7, 9]]) { nn.relu(%x) }`;
    const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
    const type = orThrow(decodeModel(orThrow(exportOnnx(m)))).graph?.outputs[0]?.type;
    expect(type?._tag === 'Tensor' && type.shape).toEqual(['n', 2]);
  });
});

test.each([
  'gradient(@f)(%x).1.0',
  'gradient(@f, mode="first_order")(%x).1.0',
  'gradient(@f)(%x)',
  '(%x, gradient(@f)(%x).0)',
  'let %g = gradient(@f); %g(%x).0',
])('gradients are expanded in a file: %s', async (body) => {
  const square = 'def @f(%x: float32) -> float32 { power(%x, 2f) }';
  const text = `${square}\ndef @main(%x: float32) { ${body} }`;
  expect((await written(text, [{}])).length).toBeGreaterThan(0);
});

test('a loop that keeps the rows that it makes of an open axis', async () => {
  const text = `def @main[t: ShapeVar](%x: Tensor[(t, 1, 2), float32]) {
    %0 = shape_of(%x, dtype="int64");
    let %length: int64 = take(%0, 0i64, axis=0);
    let %wide: Tensor[(?, 1, 2), float32] = zeros(shape=[0, 1, 2], dtype="float32");
    let %loop = fn (%i: int64, %h: Tensor[(1, 2), float32], %rows: Tensor[(?, 1, 2), float32])
        -> (Tensor[(1, 2), float32], Tensor[(?, 1, 2), float32]) {
      if (less(%i, %length)) {
        let %next: Tensor[(1, 2), float32] = tanh(add(take(%x, %i, axis=0), %h));
        %loop(add(%i, 1i64), %next, concatenate((%rows, expand_dims(%next, axis=0)), axis=0))
      } else {
        (%h, %rows)
      }
    };
    %loop(0i64, zeros(shape=[1, 2], dtype="float32"), %wide)
  }`;
  expect(await written(text, [{ t: 3 }, { t: 1 }, { t: 0 }])).toContain('Loop');
});

describe('X2: a product of any ranks stays one node, with open sizes:', () => {
  const SEED = 2611;
  const ranks = [2, 3, 4, 5];
  const pairs = ranks.flatMap((a) => ranks.map((b) => [a, b] as const));
  test.each(pairs)('%i by %i', async (a, b) => {
    const random = mulberry32(SEED + 10 * a + b);
    // Equal names, or none, for the axes of the batch; some of them are known.
    const isNamed = random() < 0.5;
    const batch = [0, 1, 2].map((i) => {
      const size = 2 + Math.floor(2 * random());
      return { size, dim: random() < 0.3 ? size : isNamed ? `b${i}` : undefined };
    });
    const lead = (rank: number) => batch.slice(3 - (rank - 2));
    const [row, column] = ['r', 'c'].map((dim) => ({ size: 3, dim }));
    const inner = { size: 2, dim: 2 };
    const axes = [
      [...lead(a), row, inner],
      [...lead(b), inner, column],
    ].map((list) => list.filter((axis) => axis !== undefined));
    const info = (name: string, shape?: ReadonlyArray<number | string | undefined>) => ({
      name,
      type: { _tag: 'Tensor' as const, elemType: 1, shape },
    });
    const node = { name: '', opType: 'MatMul', domain: '', overload: '', docString: '' };
    const bytes = joined(
      encodeModel({
        irVersion: 9,
        producer: ['', ''],
        opsetImports: [{ domain: '', version: 18 }],
        graph: {
          name: 'g',
          nodes: [{ ...node, inputs: ['x0', 'x1'], outputs: ['y'], attributes: [] }],
          inputs: axes.map((list, i) =>
            info(
              `x${i}`,
              list.map(({ dim }) => dim),
            ),
          ),
          outputs: [info('y', new Array(Math.max(a, b)).fill(undefined))],
          initializers: [],
          sparseInitializers: [],
        },
        functions: [],
      }),
    );
    const file = orThrow(exportOnnx(orThrow(importOnnx(bytes, { ops: standardOps }))));
    const types = orThrow(decodeModel(file)).graph?.nodes.map(({ opType }) => opType);
    expect(types).toEqual([a === 2 && b === 2 ? 'Gemm' : 'MatMul']);
    const inputs = new Map(
      axes.map((list, i) => {
        const shape = list.map(({ size }) => size);
        const numbers = Float64Array.from({ length: shapeSize(shape) }, random);
        return [`x${i}`, fromNumbers(numbers, shape, 'float32')];
      }),
    );
    const [wanted, found] = [
      (await runElsewhere(bytes, { inputs })).get('y'),
      (await runElsewhere(file, { inputs })).get('y'),
    ];
    const same = allClose(found as Tensor, wanted as Tensor, { atol: 1e-5, rtol: 1e-4 });
    expect(same).toBe(true);
  });
});

describe('an epsilon that float32 rounds stays a number of float64:', () => {
  const image = '%x: Tensor[(2, 4, 3), D], %g: Tensor[(4), D], %b: Tensor[(4), D]';
  const rows = '%x: Tensor[(2, 3, 4), D], %g: Tensor[(4), D], %b: Tensor[(4), D]';
  const all = `${image}, %m: Tensor[(4), D], %v: Tensor[(4), D]`;
  const norms = [
    [rows, 'nn.layer_norm(%x, %g, %b, epsilon=E)'],
    [image, 'nn.layer_norm(%x, %g, %b, axis=1, epsilon=E)'],
    [image, 'nn.instance_norm(%x, %g, %b, epsilon=E)'],
    [image, 'nn.instance_norm(%x, %g, %b, epsilon=E, center=False)'],
    [image, 'nn.group_norm(%x, %g, %b, num_groups=2, epsilon=E)'],
    [all, 'nn.batch_norm(%x, %g, %b, %m * %m, %v * %v, epsilon=E).0'],
  ] as const;
  const EXACT = String(Math.fround(1e-5));
  test.each(
    norms.flatMap(([params, body]) =>
      [18, 23].flatMap((opset) =>
        ['1e-5', EXACT].flatMap((epsilon) =>
          ['float64', 'float32'].map((dtype) => ({ params, body, opset, epsilon, dtype })),
        ),
      ),
    ),
  )('$body, $epsilon of $dtype in set $opset', async ({ params, body, opset, epsilon, dtype }) => {
    const text = `def @main(${params.replaceAll('D', dtype)}) { ${body.replace('E', epsilon)} }`;
    const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
    const file = orThrow(exportOnnx(m, { opset }));
    const types = orThrow(decodeModel(file)).graph?.nodes.map(({ opType }) => opType) ?? [];
    const isOne = types.some((type) => type.endsWith('Normalization'));
    expect(isOne).toBe(epsilon === EXACT || dtype === 'float32');
    // onnxruntime has no such node of float64.
    if (dtype === 'float64' && types.some((type) => /^(Instance|Group)/.test(type))) return;
    const { params: inputs } = m.functions.get('main') as Func;
    const named = new Map(
      inputs.map(({ typeAnnotation, nameHint }) => [
        nameHint,
        drawn(typeAnnotation as Type, nameHint, {}),
      ]),
    );
    const [found] = (await runElsewhere(file, { inputs: named })).values();
    const [wanted] = leavesOf(orThrow(evaluate(m, [...named.values()])));
    const digits = dtype === 'float64' ? 1e-12 : 1e-4;
    expect(allClose(found as Tensor, wanted as Tensor, { atol: digits, rtol: digits })).toBe(true);
  });
});
