/** `baton bench`: the times of a model as it is, and at each level. */
import { isLeft, type Result, right } from '@baton/base';
import { printReport, type Report, SCHEMA } from '@baton/report';
import { INPUT_OPTIONS, readInputs } from '../arrays/inputs.ts';
import { type Command, JSON_OPTION, MODEL_OPTIONS, type Session } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openModel } from '../model-file.ts';
import { measured, REPORT_OPTION } from '../report-file.ts';

export const bench: Command = {
  name: 'bench',
  doc: 'times a model as it is, and optimized at each level, on the reference executor',
  operands: ['MODEL'],
  options: { ...MODEL_OPTIONS, ...INPUT_OPTIONS, ...REPORT_OPTION, ...JSON_OPTION },
  isConfigured: true,
  run: times,
};

async function times(session: Session): Promise<Result<ExitCode>> {
  const { host, operands, argv } = session;
  const model = await openModel(session, operands[0] ?? '-');
  if (isLeft(model)) return model;
  const inputs = await readInputs(session, model.right);
  if (isLeft(inputs)) return inputs;
  const timing = host.timing(argv);
  const found = await measured(session, model.right, inputs.right, (variants) =>
    timing(0, variants),
  );
  if (isLeft(found)) return found;
  const { report, page } = found.right;
  const written = await host.write(page);
  if (isLeft(written)) return written;
  host.progress.done();
  const whole: Report = { schema: SCHEMA, models: [report], unreadable: [], searches: [] };
  host.print(session.has('json') ? JSON.stringify(whole) : printReport(whole));
  return right(report.equivalent === false ? EXIT.findings : EXIT.ok);
}
