/** `baton explain`: shows where a node of a model comes from. */
import { didYouMean, fail, isLeft, type Result, right, spanLeaves } from '@baton/base';
import {
  type AttributeValue,
  decodeModel,
  type GraphProto,
  type NodeProto,
  originsIn,
} from '@baton/onnx';
import { type Instrument, type IRModule, postOrderExprs } from 'batonjs';
import { type Command, JSON_OPTION, MODEL_OPTIONS, type Session } from '../command.ts';
import { unfit } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { nameOf, openModel } from '../model-file.ts';
import { optimizedBy } from '../optimized.ts';
import { PIPELINE_OPTIONS, pipelineOf } from '../pipeline.ts';

export const explain: Command = {
  name: 'explain',
  doc: 'shows where a node of an optimized model comes from, and with --from which passes made it',
  operands: ['MODEL', 'NODE'],
  options: {
    from: {
      type: 'string',
      value: 'MODEL',
      doc: 'the model that was optimized: its passes run again',
    },
    ...PIPELINE_OPTIONS,
    ...MODEL_OPTIONS,
    ...JSON_OPTION,
  },
  isConfigured: true,
  run: explained,
};

async function explained(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const [path = '-', wanted = ''] = operands;
  const bytes = await host.read(path);
  if (isLeft(bytes)) return bytes;
  const model = decodeModel(bytes.right, { source: nameOf(path) });
  if (isLeft(model)) return model;
  const nodes = model.right.graph?.nodes ?? [];
  const node = nodes.find(({ name, outputs }) => name === wanted || outputs.includes(wanted));
  if (node === undefined) {
    const names = nodes.flatMap(({ name, outputs }) => [name, ...outputs]);
    return fail(unfit(nameOf(path), `it has no node ${wanted}`, didYouMean(wanted, names)));
  }
  const found = descriptionOf(node, nodes);
  const passes = await passesThat(session, found.origins);
  if (isLeft(passes)) return passes;
  host.progress.done();
  const all = { ...found, passes: passes.right };
  if (session.has('json')) host.print(JSON.stringify({ schema: SCHEMA, ...all }));
  else for (const line of inWords(all)) host.print(line);
  return right(EXIT.ok);
}

const SCHEMA = 'baton.explain/1';

interface Description {
  readonly name: string;
  readonly operator: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly inputs: ReadonlyArray<string>;
  readonly outputs: ReadonlyArray<string>;
  readonly users: ReadonlyArray<string>;
  /** The nodes of the original model that it comes from. */
  readonly origins: ReadonlyArray<string>;
}

function descriptionOf(node: NodeProto, nodes: GraphProto['nodes']): Description {
  const makerOf = (value: string): string => {
    const maker = nodes.find(({ outputs }) => outputs.includes(value));
    return maker === undefined ? value : `${value}, of ${maker.opType} ${maker.name}`;
  };
  const users = nodes.filter(({ inputs }) => inputs.some((one) => node.outputs.includes(one)));
  return {
    name: node.name,
    operator: node.domain === '' ? node.opType : `${node.domain}.${node.opType}`,
    attributes: Object.fromEntries(node.attributes.map((a) => [a.name, attributeText(a.value)])),
    inputs: node.inputs.filter((input) => input !== '').map(makerOf),
    outputs: node.outputs,
    users: users.map(({ opType, name }) => `${opType} ${name}`),
    origins: originsIn(node),
  };
}

function attributeText({ kind, value }: AttributeValue): string {
  if (kind === 'graph' || kind === 'tensor' || kind === 'graphs' || kind === 'tensors') return kind;
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
}

interface Change {
  readonly pass: string;
  readonly before: ReadonlyArray<string>;
  readonly after: ReadonlyArray<string>;
}

/** The passes that change calls of these origins when the original is optimized again. */
async function passesThat(
  session: Session,
  origins: ReadonlyArray<string>,
): Promise<Result<ReadonlyArray<Change>>> {
  const from = session.text('from');
  if (from === undefined) return right([]);
  const pipeline = await pipelineOf(session, { keepsSmaller: true });
  if (isLeft(pipeline)) return pipeline;
  const original = await openModel(session, from);
  if (isLeft(original)) return original;
  const names = new Set(origins.map((origin) => origin.split(' ').at(-1) ?? ''));
  const changes: Change[] = [];
  const watcher = watchCalls(names, changes);
  const choices = {
    verified: false,
    keepsGoing: false,
    limits: session.limits,
    instruments: [watcher],
  };
  const done = optimizedBy(pipeline.right, original.right, session.host, choices);
  return isLeft(done) ? done : right(changes);
}

/** Records each pass that changes the operators of calls with these origins. */
function watchCalls(names: ReadonlySet<string>, changes: Change[]): Instrument {
  const given: IRModule[] = [];
  return {
    name: 'WatchCalls',
    beforePass: (m) => void given.push(m),
    afterPass: (m, { name, isPipeline }) => {
      const start = given.pop();
      if (start === undefined || start === m || isPipeline) return;
      const [before, after] = [callsFrom(start, names), callsFrom(m, names)];
      if (`${before}` !== `${after}`) changes.push({ pass: name, before, after });
    },
  };
}

const callsFrom = (m: IRModule, names: ReadonlySet<string>): ReadonlyArray<string> =>
  postOrderExprs([...m.functions.values()]).flatMap((expr) =>
    expr._tag === 'Call' && expr.op._tag === 'Op' && stemsFrom(expr, names) ? [expr.op.name] : [],
  );

const stemsFrom = (
  { span }: { readonly span?: Parameters<typeof spanLeaves>[0] },
  names: ReadonlySet<string>,
) => spanLeaves(span).some((leaf) => leaf._tag === 'NodeSpan' && names.has(leaf.name));

function inWords(
  found: Description & { readonly passes: ReadonlyArray<Change> },
): ReadonlyArray<string> {
  const list = (title: string, items: ReadonlyArray<string>): ReadonlyArray<string> =>
    items.length === 0 ? [] : [title, ...items.map((item) => `  ${item}`)];
  return [
    `${found.operator} ${found.name}`,
    ...list(
      'attributes',
      Object.entries(found.attributes).map(([k, v]) => `${k}: ${v}`),
    ),
    ...list('inputs', found.inputs),
    ...list('outputs', found.outputs),
    ...list('used by', found.users),
    ...list('comes from', found.origins),
    ...list(
      'passes that changed it',
      found.passes.map(
        ({ pass, before, after }) =>
          `${pass}: ${before.join(', ') || 'nothing'} → ${after.join(', ') || 'nothing'}`,
      ),
    ),
  ];
}
