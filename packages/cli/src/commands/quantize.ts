/** `baton quantize`: turns a model in floats into one in integers. */
import { isLeft, type Result, right, table } from '@baton/base';
import type { Expr } from '@baton/ir';
import { withBlockWeights } from '@baton/onnx';
import { isTensor, type Tensor, toNumbers } from '@baton/tensor';
import {
  evaluate,
  exportOnnx,
  type IRModule,
  importOnnx,
  optimize,
  quantization,
  wasm,
} from 'batonjs';
import { type Inputs, LIMIT_INPUT_OPTION } from '../arrays/inputs.ts';
import { namedOutputs } from '../arrays/outputs.ts';
import {
  type Command,
  JSON_OPTION,
  MODEL_OPTIONS,
  outputOption,
  type Session,
} from '../command.ts';
import { misuse } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { nameOf, openModel } from '../model-file.ts';
import { optimizedBy } from '../optimized.ts';
import { type Errors, errorsOf, type Pairs } from '../quantize/errors.ts';
import { type Samples, samplesOf } from '../quantize/samples.ts';

const { boundsOver, observing, operandsIn, withQuantizedProducts } = quantization;

export const quantize: Command = {
  name: 'quantize',
  doc: 'quantizes a model to 8-bit integers, writes it as ONNX, and prints its error',
  operands: ['MODEL'],
  options: {
    ...outputOption('where the model goes: .onnx; - prints it'),
    data: {
      type: 'string',
      value: 'DIR',
      doc: 'a folder of .npy and .npz files, each the inputs of one sample; every fourth is held out to measure the error',
    },
    random: {
      type: 'string',
      value: 'N',
      doc: 'generate N samples, and N others to measure the error. Default: 8',
    },
    'per-channel': { type: 'boolean', doc: 'quantize each output of a weight with its own scale' },
    'weights-only': {
      type: 'string',
      value: '8|4',
      words: ['8', '4'],
      doc: 'round only the weights: those of matrix products to integers of these bits in blocks (MatMulNBits), others to 8 bits with a scale for each output',
    },
    ...MODEL_OPTIONS,
    ...LIMIT_INPUT_OPTION,
    ...JSON_OPTION,
  },
  isConfigured: false,
  run: quantized,
};

/** The products whose weights are rounded in blocks when the file is written. */
const MATRICES: ReadonlySet<string> = new Set(['nn.dense', 'nn.matmul']);

async function quantized(session: Session): Promise<Result<ExitCode>> {
  const { host, operands, limits } = session;
  const [output, input = '-'] = [session.text('output'), operands[0]];
  if (output === undefined) return misuse('no output is named', '-o FILE.onnx');
  const bits = session.text('weights-only');
  if (bits !== undefined && bits !== '8' && bits !== '4') {
    return misuse(`--weights-only expects 8 or 4, found ${bits}`);
  }
  let before = 0;
  const model = await openModel(session, input, (bytes) => {
    before = bytes.length;
  });
  if (isLeft(model)) return model;
  // Folds normalizations into the weights before those are rounded.
  const choices = { verified: false, keepsGoing: false, limits };
  const optimized = optimizedBy(optimize({ level: 3 }), model.right, host, choices);
  if (isLeft(optimized)) return optimized;
  const floats = optimized.right.module;
  const samples = await samplesOf(session, floats);
  if (isLeft(samples)) return samples;
  const rounded =
    bits === undefined
      ? calibrated(session, floats, samples.right)
      : withQuantizedProducts(floats, { perChannel: true, skips: MATRICES });
  if (isLeft(rounded)) return rounded;
  const exported = exportOnnx(rounded.right, { limits });
  if (isLeft(exported)) return exported;
  const bytes =
    bits === undefined ? exported : withBlockWeights(exported.right, bits === '8' ? 8 : 4);
  if (isLeft(bytes)) return bytes;
  const read = importOnnx(bytes.right.slice(), { source: nameOf(output), limits });
  if (isLeft(read)) return read;
  const errors = measured(session, floats, read.right, samples.right.heldOut);
  if (isLeft(errors)) return errors;
  host.progress.step(`writing ${nameOf(output)}`);
  const written = await host.write([{ path: output, pieces: [bytes.right] }]);
  if (isLeft(written)) return written;
  tell(session, output, errors.right, [before, bytes.right.length], samples.right);
  return right(EXIT.ok);
}

function calibrated(session: Session, floats: IRModule, samples: Samples): Result<IRModule> {
  const bounds = boundsOf(session, floats, samples.calibrating);
  if (isLeft(bounds)) return bounds;
  const perChannel = session.has('per-channel');
  return withQuantizedProducts(floats, { bounds: bounds.right, perChannel });
}

/** The least and the greatest value of each operand of a product, over all samples. */
function boundsOf(
  { host, limits }: Session,
  floats: IRModule,
  samples: ReadonlyArray<Inputs>,
): Result<ReadonlyMap<Expr, quantization.Bounds>> {
  host.progress.step('calibrating');
  const operands = operandsIn(floats);
  if (operands.length === 0) return right(new Map());
  const program = observing(floats, operands);
  if (isLeft(program)) return program;
  const runs: number[][] = [];
  for (const inputs of samples) {
    const value = evaluate(program.right, inputs, { executor: wasm, ...limits });
    if (isLeft(value)) return value;
    const fields = value.right._tag === 'Tuple' ? value.right.fields : [];
    runs.push(fields.map((field) => (isTensor(field) ? Number(toNumbers(field)[0]) : 0)));
  }
  return right(boundsOver(operands, runs));
}

function measured(
  { host, limits }: Session,
  floats: IRModule,
  rounded: IRModule,
  samples: ReadonlyArray<Inputs>,
): Result<Errors> {
  host.progress.step('measuring the error');
  const fast = optimizedBy(optimize({ level: 3 }), rounded, host, {
    verified: false,
    keepsGoing: false,
    limits,
  });
  if (isLeft(fast)) return fast;
  const all: Pairs[] = [];
  for (const inputs of samples) {
    const outputs: ReadonlyArray<Tensor>[] = [];
    for (const m of [floats, fast.right.module]) {
      const value = evaluate(m, inputs, { executor: wasm, ...limits });
      if (isLeft(value)) return value;
      outputs.push(Object.values(namedOutputs(m, value.right)).filter(isTensor));
    }
    const [wanted = [], found = []] = outputs;
    all.push(wanted.map((tensor, i) => [tensor, found[i] ?? tensor] as const));
  }
  return right(errorsOf(all));
}

function tell(
  { host, has }: Session,
  output: string,
  errors: Errors,
  [before, after]: readonly [number, number],
  { calibrating, heldOut }: Samples,
): void {
  host.progress.done();
  const say = output === '-' ? host.tell : host.print;
  const { max, mean, top1 } = errors;
  if (has('json')) {
    const samples = { calibration: calibrating.length, heldOut: heldOut.length };
    const bytes = { before, after };
    say(JSON.stringify({ schema: 'baton.quantize/1', output, bytes, errors, samples }));
    return;
  }
  const percent = (x: number): string => `${(100 * x).toPrecision(3)} %`;
  const rows = [
    ['bytes', `${before}`, `${after}`, `${(after / before).toFixed(3)} of it`],
    ['greatest error', '', percent(max), 'of the greatest number of an output'],
    ['mean error', '', percent(mean), ''],
    ['same top-1 index', '', percent(top1), `on ${heldOut.length} held-out samples`],
  ];
  say(table(['', 'before', 'after', ''], rows));
  say(`${nameOf(output)} is written`);
}
