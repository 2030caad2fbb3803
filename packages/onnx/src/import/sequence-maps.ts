/** `SequenceMap`: the results of a graph for each element of a sequence. */
import type { Expr } from '@baton/ir';
import { missingInput } from '../diagnostics.ts';
import { elementsOf } from '../shared/sequences.ts';
import { operatorName } from './coverage.ts';
import {
  deliver,
  type Frame,
  graphFrame,
  graphOf,
  inputsOf,
  type Site,
  toolsOf,
} from './frames.ts';

/** The frame of the first element. Inputs that are tensors go to each of them. */
export function enterSequenceMap(site: Site): Frame | undefined {
  const body = graphOf(site, 'body');
  const inputs = inputsOf(site);
  if (inputs !== undefined && inputs[0] === undefined) {
    site.run.problems.add(missingInput(operatorName(site.node), 0, site.span));
  }
  if (body === undefined || inputs?.[0] === undefined) return deliver(site, undefined);
  const { context, checked } = toolsOf(site, inputs);
  const isSequence = (input: Expr | undefined, i: number): boolean =>
    i === 0 || (input !== undefined && context.typeOf(input)?._tag === 'TupleType');
  const columns = checked(() =>
    inputs.map((input, i) => (isSequence(input, i) ? elementsOf(context, i) : input)),
  );
  const count = (columns?.[0] as ReadonlyArray<Expr> | undefined)?.length;
  if (columns === undefined || count === undefined) return deliver(site, undefined);
  const rows: ReadonlyArray<Expr>[] = [];
  const from = (at: number): Frame | undefined => {
    if (at === count) {
      const sequences = body.outputs.map((_, output) =>
        context.tuple(rows.flatMap((row) => row[output] ?? [])),
      );
      return deliver(site, sequences);
    }
    const given = columns.flatMap((column) =>
      column === undefined || '_tag' in column ? (column ?? []) : (column[at] ?? []),
    );
    return graphFrame(site, body, given, (results) => {
      if (results === undefined) return deliver(site, undefined);
      rows.push(results);
      return from(at + 1);
    });
  };
  return from(0);
}
