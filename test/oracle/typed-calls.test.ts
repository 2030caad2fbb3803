/**
 * Each operator in each element type, written into several operator sets: its nodes are those of
 * ONNX's schemas, and onnxruntime computes what the call computes; or the export refuses the call and
 * names the node and the type. `BATON_TYPES=all` takes all pairs of operator and type, not one in 32.
 */
import { readFileSync } from 'node:fs';
import { fnv1a32, isLeft, orThrow } from '@baton/base';
import { evaluate } from '@baton/executor';
import { decodeModel, exportOnnx, type ModelProto } from '@baton/onnx';
import { allClose, describeTensor, isFloat, type Tensor, toNumbers } from '@baton/tensor';
import { leavesOf } from '@baton/testing';
import { expect, test } from 'vitest';
import { onnxExporters } from '../../packages/onnx/src/catalogue.ts';
import { requireRuntime, runAndLoad } from '../../packages/workshop/src/onnxruntime/installed.ts';
import { TYPES, type TypedCall, typedCalls } from './typed-calls.ts';

interface Schema {
  readonly since: number;
  readonly deprecated?: boolean;
  readonly inputs: ReadonlyArray<string>;
  readonly outputs: ReadonlyArray<string>;
  readonly types: Readonly<Record<string, ReadonlyArray<number>>>;
  readonly attributes: ReadonlyArray<string>;
}

const schemas = JSON.parse(
  readFileSync(new URL('../../packages/onnx/test/schemas.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, ReadonlyArray<Schema>>>;

/** The operator sets; the first is the default. */
const SETS = [undefined, 13, 18, 21, 23] as const;

const isAll = process.env.BATON_TYPES === 'all';
const SHARE = 32;

const runtime = requireRuntime();

const pairs = [...onnxExporters.keys()].flatMap((name) =>
  TYPES.map((dtype) => ({ name, dtype, share: fnv1a32(`${name} ${dtype}`) % SHARE })),
);

test.each(SETS)('X3: types that the operator set %s lacks', async (opset) => {
  const problems: string[] = [];
  let written = 0;
  let ran = 0;
  const chosen = pairs.filter(({ share }) => isAll || share === (opset ?? 0));
  for (const { name, dtype } of chosen) {
    for (const [i, one] of typedCalls(name, dtype).entries()) {
      const found = await outcomeOf(one, opset);
      if (found.problem !== undefined) {
        problems.push(`${name} of ${dtype}, call ${i}: ${found.problem}`);
      }
      if (found.isWritten) written++;
      if (found.isRun) ran++;
    }
  }
  expect(problems).toEqual([]);
  expect(written).toBeGreaterThan(60);
  expect(ran).toBeGreaterThan(0.6 * written);
});

interface Outcome {
  readonly problem?: string | undefined;
  readonly isWritten?: boolean;
  readonly isRun?: boolean;
}

async function outcomeOf(one: TypedCall, opset: number | undefined): Promise<Outcome> {
  const wanted = evaluate(one.module, one.values);
  if (isLeft(wanted)) return {};
  const file = exportOnnx(one.module, opset === undefined ? {} : { opset });
  if (isLeft(file)) {
    const isStated = file.left.every(
      ({ span, message }) =>
        span !== undefined && (message.includes(one.dtype) || REASONS.test(message)),
    );
    return isStated ? {} : { problem: file.left.map(({ message }) => message).join('; ') };
  }
  const model = orThrow(decodeModel(file.right));
  const misfit = misfitIn(model);
  if (misfit !== undefined) return { problem: misfit, isWritten: true };
  const inputs = new Map(
    (model.graph?.inputs ?? []).flatMap(({ name }) => {
      const value = one.values[Number(name.slice(1))];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const ran = await runAndLoad(runtime, file.right, [inputs]);
  if (isLeft(ran)) {
    const { message } = ran.left[0];
    return { isWritten: true, problem: LACKS.test(message) ? undefined : message };
  }
  const found = [...(ran.right[0]?.values() ?? [])];
  const expected = leavesOf(wanted.right);
  const hasImages = model.graph?.nodes.some(({ opType }) => opType === 'Resize') === true;
  const wrong = expected.findIndex(
    (t, i) => !isSame(found[i], t) && !(hasImages && isNearTie(found[i], t)),
  );
  const shown = (t: Tensor | undefined) => (t === undefined ? 'nothing' : describeTensor(t));
  const problem = wrong < 0 ? undefined : `${shown(found[wrong])}, not ${shown(expected[wrong])}`;
  return { isWritten: true, isRun: true, problem };
}

/**
 * Whether integers differ by 1 in few places: between places of an image float32 meets halves that
 * float64 misses. Numbers that are not rounded would differ in half of the places.
 */
function isNearTie(found: Tensor | undefined, wanted: Tensor): boolean {
  if (found === undefined || isFloat(wanted.dtype) || found.dtype !== wanted.dtype) return false;
  const numbers = toNumbers(found);
  const steps = Array.from(toNumbers(wanted), (x, i) => Math.abs(x - (numbers[i] ?? Number.NaN)));
  const others = steps.filter((step) => step !== 0);
  return others.every((step) => step === 1) && others.length <= 0.05 * steps.length;
}

/** Refusals that are not about types. */
const REASONS =
  /came with operator set|Gather has no batches|puts the block first|maximum of weighted corners/;

/** onnxruntime has no kernel or no type, or the numbers are outside of what ONNX defines. */
const LACKS =
  /find an implementation|NOT_IMPLEMENTED|not supported|Unsupported|bfloat16|by zero|out of data bounds|Invalid sequence length|MutableData/i;

/** A node that is none of its schema, read off the schemas without the export's help. */
function misfitIn({ graph, opsetImports }: ModelProto): string | undefined {
  const opset = Number(opsetImports.find(({ domain }) => domain === '')?.version);
  const types = new Map<string, number>();
  for (const { name, type } of graph?.inputs ?? []) {
    if (type?._tag === 'Tensor') types.set(name, type.elemType);
  }
  for (const { name, dataType } of graph?.initializers ?? []) types.set(name, dataType);
  for (const { opType, inputs, outputs, attributes } of graph?.nodes ?? []) {
    const schema = schemas[opType]?.findLast(
      ({ since, deprecated }) => deprecated !== true && since <= opset,
    );
    if (schema === undefined) return `${opType} is not in operator set ${opset}`;
    const odd = attributes.find(
      ({ name }) => !schema.attributes.some((a) => a.startsWith(`${name}:`)),
    );
    if (odd !== undefined) return `${opType} has no attribute ${odd.name}`;
    const own = new Map<string, number>();
    for (const [i, input] of inputs.entries()) {
      const parameter = variableOf(schema.inputs[i] ?? schema.inputs.at(-1));
      const allowed = schema.types[parameter] ?? [];
      const type = types.get(input);
      if (type !== undefined) own.set(parameter, type);
      if (type !== undefined && !allowed.includes(type)) {
        return `${opType} of operator set ${schema.since} does not take type ${type}`;
      }
    }
    const to = attributes.find(({ name }) => name === 'to')?.value;
    for (const [i, output] of outputs.entries()) {
      const parameter = variableOf(schema.outputs[i] ?? schema.outputs.at(-1));
      const only = schema.types[parameter]?.length === 1 ? schema.types[parameter][0] : undefined;
      const type = to?.kind === 'int' ? Number(to.value) : (own.get(parameter) ?? only);
      if (type !== undefined) types.set(output, type);
    }
  }
  return undefined;
}

const variableOf = (parameter = ''): string => parameter.replace(/[?*+]\d*$/, '');

const isSame = (found: Tensor | undefined, wanted: Tensor): boolean =>
  found !== undefined &&
  found.dtype === wanted.dtype &&
  allClose(found, wanted, { atol: 1e-4, rtol: /16$/.test(wanted.dtype) ? 0.01 : 1e-4 });
