/** `baton run`: computes the outputs of a model. */
import { isLeft, type Result, right } from '@baton/base';
import { evaluate } from 'batonjs';
import { INPUT_OPTIONS, readInputs } from '../arrays/inputs.ts';
import { namedOutputs, outputFile } from '../arrays/outputs.ts';
import { type Command, MODEL_OPTIONS, outputOption, type Session } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openModel } from '../model-file.ts';

export const run: Command = {
  name: 'run',
  doc: 'computes the outputs of a model on the reference executor',
  operands: ['MODEL'],
  options: {
    ...MODEL_OPTIONS,
    ...INPUT_OPTIONS,
    ...outputOption('where the outputs go: .json, .npz, .npy; by default JSON is printed'),
  },
  isConfigured: true,
  run: outputs,
};

async function outputs(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const model = await openModel(session, operands[0] ?? '-');
  if (isLeft(model)) return model;
  const inputs = await readInputs(session, model.right);
  if (isLeft(inputs)) return inputs;
  host.progress.step('running');
  const value = evaluate(model.right, inputs.right, session.limits);
  if (isLeft(value)) return value;
  const file = outputFile(session.text('output') ?? '-', namedOutputs(model.right, value.right));
  if (isLeft(file)) return file;
  const written = await host.write([file.right]);
  return isLeft(written) ? written : right(EXIT.ok);
}
