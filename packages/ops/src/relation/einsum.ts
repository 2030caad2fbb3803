/** Equations of `einsum`: the labels of the axes of each operand. */

export interface Equation {
  readonly operands: ReadonlyArray<ReadonlyArray<string>>;
  readonly result: ReadonlyArray<string>;
}

export const ELLIPSIS = '...';

/**
 * A written equation: `ij,jk->ik`. Without an arrow the result has the labels that occur once, in
 * alphabetical order, after the ellipsis. `undefined` if it is malformed.
 */
export function parseEquation(text: string): Equation | undefined {
  const [left = '', right, ...more] = text.replaceAll(/\s/g, '').split('->');
  if (more.length > 0) return undefined;
  const operands = left.split(',').map(parseLabels);
  const parsed = operands.filter((labels) => labels !== undefined);
  if (parsed.length !== operands.length) return undefined;
  const result = right === undefined ? implicitResult(parsed) : parseLabels(right);
  if (result === undefined || new Set(result).size < result.length) return undefined;
  const known = new Set([...parsed.flat(), ELLIPSIS]);
  return result.every((label) => known.has(label)) ? { operands: parsed, result } : undefined;
}

/**
 * Expands the ellipsis for operands of these ranks, aligning its axes at the right. `undefined` if
 * an operand's rank does not fit its labels.
 */
export function expandEllipsis(
  equation: Equation,
  ranks: ReadonlyArray<number>,
): Equation | undefined {
  const counts = equation.operands.map((labels, i) =>
    labels.includes(ELLIPSIS) ? (ranks[i] as number) - labels.length + 1 : 0,
  );
  const fits = equation.operands.every((labels, i) => {
    const rank = ranks[i] as number;
    return labels.includes(ELLIPSIS) ? (counts[i] as number) >= 0 : labels.length === rank;
  });
  if (!fits) return undefined;
  const most = Math.max(0, ...counts);
  const spelled = (labels: ReadonlyArray<string>, count: number): ReadonlyArray<string> =>
    labels.flatMap((label) =>
      label === ELLIPSIS
        ? Array.from({ length: count }, (_, i) => `${ELLIPSIS}${most - count + i}`)
        : [label],
    );
  return {
    operands: equation.operands.map((labels, i) => spelled(labels, counts[i] as number)),
    result: spelled(equation.result, most),
  };
}

function parseLabels(text: string): ReadonlyArray<string> | undefined {
  if (!/^[A-Za-z]*(\.\.\.)?[A-Za-z]*$/.test(text)) return undefined;
  return text.match(/\.\.\.|[A-Za-z]/g) ?? [];
}

function implicitResult(operands: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> {
  const all = operands.flat().filter((label) => label !== ELLIPSIS);
  const once = all.filter((label) => all.indexOf(label) === all.lastIndexOf(label));
  const lead = operands.some((labels) => labels.includes(ELLIPSIS)) ? [ELLIPSIS] : [];
  return [...lead, ...once.sort((a, b) => (a < b ? -1 : 1))];
}
