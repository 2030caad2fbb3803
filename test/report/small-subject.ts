/** A small model for tests: a convolution, batch normalization, ReLU, with chosen names. */
import { nodeSpan, right } from '@baton/base';
import { type Attrs, opRef } from '@baton/ir';
import type { Subject } from '@baton/report';
import {
  call,
  constant,
  func,
  type IRModule,
  inferTypes,
  irModule,
  orThrow,
  type Span,
  standardOps,
  tensor,
  tensorType,
  tupleGetItem,
  variable,
} from 'batonjs';

/** The names in the model. */
export interface Names {
  readonly model: string;
  readonly input: string;
  /** The names of the ONNX nodes. */
  readonly conv: string;
  readonly norm: string;
  readonly relu: string;
}

/** A model with these names, and an input to run it on. */
export function smallSubject(names: Names): Subject {
  const shape = [1, 2, 5, 5];
  const count = shape.reduce((n, d) => n * d, 1);
  const values = Array.from({ length: count }, (_, i) => ((i * 7) % 11) / 4 - 1);
  return {
    name: names.model,
    load: async () =>
      right({
        module: smallModule(names, shape),
        inputs: { [names.input]: tensor(values, shape, 'float32') },
        weightsMs: 0,
      }),
    expected: undefined,
  };
}

/** Enough that the convolution is faster on integers. */
const CHANNELS = 6;

function smallModule(names: Names, shape: ReadonlyArray<number>): IRModule {
  const x = variable(names.input, tensorType(shape, 'float32'));
  const from = (op: string, name: string): Span => nodeSpan(names.model, name, op);
  const filled = (dims: ReadonlyArray<number>, value: (i: number) => number) =>
    constant(
      tensor(
        Array.from({ length: dims.reduce((n, d) => n * d, 1) }, (_, i) => value(i)),
        dims,
        'float32',
      ),
    );
  const conv = call(
    opRef('nn.conv2d'),
    [x, filled([CHANNELS, 2, 3, 3], (i) => (i % 5) / 8 - 0.25)],
    {
      attrs: attrsOf('nn.conv2d', { kernel_size: [3, 3], channels: CHANNELS }),
      span: from('Conv', names.conv),
    },
  );
  const perChannel = (base: number) => filled([CHANNELS], (i) => base + i / 4);
  const norm = call(
    opRef('nn.batch_norm'),
    [conv, perChannel(1), perChannel(0), perChannel(0.5), perChannel(2)],
    {
      attrs: attrsOf('nn.batch_norm', {}),
      span: from('BatchNormalization', names.norm),
    },
  );
  const relu = call(opRef('nn.relu'), [tupleGetItem(norm, 0)], {
    attrs: attrsOf('nn.relu', {}),
    span: from('Relu', names.relu),
  });
  const main = func([x], relu);
  return orThrow(inferTypes(irModule({ ops: standardOps, functions: new Map([['main', main]]) })));
}

function attrsOf(op: string, given: Attrs): Attrs {
  const info = standardOps.get(op);
  if (info === undefined) throw new Error(`no operator ${op}`);
  return orThrow(info.attrs.decode(given));
}
