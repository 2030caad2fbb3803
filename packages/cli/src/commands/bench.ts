/** `baton bench`: times a model without optimization, and at each level. */
import { isLeft, type Result, renderDiagnostic, right } from '@baton/base';
import { printReport, type Report, SCHEMA } from '@baton/report';
import { type Executor, type IRModule, optimize, runPass, wasm } from 'batonjs';
import { INPUT_OPTIONS, readInputs } from '../arrays/inputs.ts';
import { type Command, JSON_OPTION, MODEL_OPTIONS, type Session } from '../command.ts';
import { inOptions } from '../diagnostics.ts';
import { EXECUTOR_OPTION, executorOf } from '../executors.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openModel } from '../model-file.ts';
import { measured, REPORT_OPTION } from '../report-file.ts';

export const bench: Command = {
  name: 'bench',
  doc: 'times a model as it is, and optimized at each level',
  operands: ['MODEL'],
  options: {
    ...EXECUTOR_OPTION,
    ...MODEL_OPTIONS,
    ...INPUT_OPTIONS,
    ...REPORT_OPTION,
    ...JSON_OPTION,
  },
  isConfigured: true,
  run: times,
};

async function times(session: Session): Promise<Result<ExitCode>> {
  const { host, operands, argv } = session;
  const executor = executorOf(session);
  if (isLeft(executor)) return executor;
  const model = await openModel(session, operands[0] ?? '-');
  if (isLeft(model)) return model;
  const inputs = await readInputs(session, model.right);
  if (isLeft(inputs)) return inputs;
  const timing = host.timing(argv);
  const found = await measured(
    session,
    model.right,
    inputs.right,
    (variants) => timing(0, variants),
    { executor: executor.right },
  );
  if (isLeft(found)) return found;
  const { report, page } = found.right;
  const written = await host.write(page);
  if (isLeft(written)) return written;
  host.progress.done();
  const whole: Report = { schema: SCHEMA, models: [report], unreadable: [], searches: [] };
  host.print(session.has('json') ? JSON.stringify(whole) : printReport(whole));
  const told = tellInterpreted(session, model.right, executor.right);
  if (isLeft(told)) return told;
  return right(report.equivalent === false ? EXIT.findings : EXIT.ok);
}

/** Reports the parts of the optimized model that compiled code leaves to the interpreter. */
function tellInterpreted({ host }: Session, m: IRModule, executor: Executor): Result<void> {
  const optimized = runPass(optimize({ level: 3 }))(m);
  if (isLeft(optimized)) return optimized;
  const program = wasm.prepare(optimized.right.module);
  if (isLeft(program)) return program;
  const { warnings } = program.right;
  if (warnings.length > 0 && executor !== wasm) {
    host.tell('with --executor wasm some parts would still not run as compiled code:');
  }
  for (const warning of warnings) host.tell(renderDiagnostic(inOptions(warning)));
  program.right.dispose();
  return right(undefined);
}
