/** `baton bisect`: finds the first pass of a pipeline that fails or changes results. */
import { isLeft, type Result, right } from '@baton/base';
import { check, printModule, renderDiagnostics } from 'batonjs';
import {
  type Command,
  JSON_OPTION,
  MODEL_OPTIONS,
  outputOption,
  type Session,
} from '../command.ts';
import { inOptions } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openModel } from '../model-file.ts';
import { PIPELINE_OPTIONS, pipelineOf } from '../pipeline.ts';

export const bisect: Command = {
  name: 'bisect',
  doc: 'finds the pass of a pipeline that fails, or changes what a model computes',
  operands: ['MODEL'],
  options: {
    ...outputOption('the file for the input of the pass, as Relay text'),
    ...PIPELINE_OPTIONS,
    ...MODEL_OPTIONS,
    ...JSON_OPTION,
  },
  isConfigured: true,
  run: bisected,
};

const SCHEMA = 'baton.bisect/1';

async function bisected(session: Session): Promise<Result<ExitCode>> {
  const { host, operands, limits } = session;
  const pipeline = await pipelineOf(session);
  if (isLeft(pipeline)) return pipeline;
  const model = await openModel(session, operands[0] ?? '-');
  if (isLeft(model)) return model;
  host.progress.step('comparing the results of passes');
  const found = check.bisect(pipeline.right, model.right, { shouldStop: limits.shouldStop });
  host.progress.done();
  const isJson = session.has('json');
  if (isLeft(found)) {
    if (found.left[0].code !== NO_FAULT) return found;
    const result = { schema: SCHEMA, pass: null };
    host.print(isJson ? JSON.stringify(result) : 'no pass changes what the model computes');
    return right(EXIT.ok);
  }
  const { pass, index, before, after } = found.right;
  const fault = isLeft(after) ? 'fails' : 'changes what the model computes';
  if (isJson) host.print(JSON.stringify({ schema: SCHEMA, pass, index, fault }));
  else host.print(`${pass}, pass ${index + 1} of the pipeline, ${fault}`);
  if (isLeft(after)) host.tell(renderDiagnostics([...after.left].map(inOptions)));
  const path = session.text('output');
  if (path !== undefined) {
    const written = await host.write([
      { path, pieces: [printModule(before, { showTypes: false })] },
    ]);
    if (isLeft(written)) return written;
  }
  return right(EXIT.findings);
}

const NO_FAULT = 'EQUIV_NO_FAULT';
