/**
 * Inputs with a default: since IR version 4 an initializer with the name of an input is the value that
 * the input has unless the caller gives another.
 */
import { isLeft, nodeSpan, type Result, right } from '@baton/base';
import type { Var } from '@baton/ir';
import { dtypeInfo, type Tensor } from '@baton/tensor';
import type { GraphProto, ModelProto, TensorProto } from '../protobuf/messages.ts';
import { packed } from '../protobuf/packing.ts';
import type { InputDefault } from '../signature.ts';
import type { ImportOptions } from './options.ts';
import { tensorInfo, tensorOf } from './tensors.ts';

/** The IR version since which inputs have defaults: before, every initializer is an input. */
const SINCE_IR = 4;

/** The largest default that a function keeps, in bytes; a larger one is a weight. */
const MAX_DEFAULT_BYTES = 2 ** 16;

/**
 * Files whose inputs list every initializer, and more than these, are of exporters that list all weights
 * as inputs by habit.
 */
const MAX_LISTED = 8;

/** The names of the inputs with a default that stay inputs. */
export function inputsWithDefault(
  { irVersion, graph }: ModelProto,
  { defaults, source = 'onnx' }: ImportOptions,
): ReadonlySet<string> {
  if (graph === undefined || irVersion < SINCE_IR || defaults === 'constants') return new Set();
  const initializers = initializersOf(graph);
  const listed = graph.inputs.filter(({ name }) => initializers.has(name));
  const all = initializers.size + graph.sparseInitializers.length;
  if (defaults === undefined && listed.length === all && all > MAX_LISTED) return new Set();
  const isSmall = (name: string): boolean => {
    const proto = initializers.get(name);
    const info = proto && tensorInfo(proto, nodeSpan(source, name, 'Initializer'));
    if (info === undefined || isLeft(info)) return false;
    return info.right.count * dtypeInfo(info.right.dtype).bytes <= MAX_DEFAULT_BYTES;
  };
  const kept = listed.filter(({ name }) => defaults === 'inputs' || isSmall(name));
  return new Set(kept.map(({ name }) => name));
}

const initializersOf = ({ initializers }: GraphProto): ReadonlyMap<string, TensorProto> =>
  new Map(initializers.map((tensor) => [tensor.name, tensor]));

/** The defaults of parameters. */
export function defaultsOf(
  params: ReadonlyArray<Var>,
  graph: GraphProto,
  options: ImportOptions,
): Result<ReadonlyArray<InputDefault>> {
  const initializers = initializersOf(graph);
  const defaults: InputDefault[] = [];
  for (const { nameHint: name } of params) {
    const proto = initializers.get(name);
    if (proto === undefined) continue;
    const tensor = tensorOf(
      proto,
      nodeSpan(options.source ?? 'onnx', name, 'Initializer'),
      options,
    );
    if (isLeft(tensor)) return tensor;
    defaults.push(defaultOf(name, tensor.right));
  }
  return right(defaults);
}

const defaultOf = (name: string, tensor: Tensor): InputDefault => ({
  name,
  dtype: tensor.dtype,
  shape: tensor.shape,
  bytes: packed(tensor),
});
