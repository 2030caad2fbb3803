/** `baton inspect`: the parts of a model. */
import { isLeft, type Result, right } from '@baton/base';
import { measureModule } from '@baton/ops';
import { si } from '@baton/report';
import { type IRModule, inferTypes, printType, typeOf } from 'batonjs';
import { type Command, JSON_OPTION, MODEL_OPTIONS, type Session } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openModel } from '../model-file.ts';

export const inspect: Command = {
  name: 'inspect',
  doc: 'prints the inputs, outputs, operators and sizes of a model',
  operands: ['MODEL'],
  options: { ...MODEL_OPTIONS, ...JSON_OPTION },
  isConfigured: false,
  run: contents,
};

async function contents(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const model = await openModel(session, operands[0] ?? '-');
  if (isLeft(model)) return model;
  const typed = inferTypes(model.right);
  if (isLeft(typed)) return typed;
  host.progress.done();
  const found = contentsOf(typed.right);
  if (session.has('json')) host.print(JSON.stringify({ schema: SCHEMA, ...found }));
  else for (const line of inWords(found)) host.print(line);
  return right(EXIT.ok);
}

const SCHEMA = 'baton.inspect/1';

function contentsOf(m: IRModule) {
  const main = m.functions.get('main');
  const typeText = (expr: Parameters<typeof typeOf>[1]): string => {
    const type = typeOf(m, expr);
    return type === undefined ? '?' : printType(type);
  };
  const { nodes, byOp, flops, paramBytes, activationBytes, bytesMoved } = measureModule(m);
  return {
    inputs: Object.fromEntries((main?.params ?? []).map((p) => [p.nameHint, typeText(p)])),
    output: main === undefined ? '?' : typeText(main.body),
    functions: [...m.functions.keys()],
    nodes,
    operators: byOp,
    flops,
    paramBytes,
    activationBytes,
    bytesMoved,
  };
}

function inWords(found: ReturnType<typeof contentsOf>): ReadonlyArray<string> {
  const { inputs, output, functions, nodes, operators } = found;
  const row = (name: string, value: string): string => `${name.padEnd(18)}${value}`;
  return [
    ...Object.entries(inputs).map(([name, type]) => row(`input ${name}`, type)),
    row('output', output),
    ...(functions.length > 1 ? [row('functions', functions.join(', '))] : []),
    row('nodes', String(nodes)),
    row('flops', si(found.flops)),
    row('weights', `${si(found.paramBytes)}B`),
    row('activations', `${si(found.activationBytes)}B`),
    row('bytes moved', `${si(found.bytesMoved)}B`),
    ...Object.entries(operators).map(([name, count]) => row(`  ${name}`, String(count))),
  ];
}
