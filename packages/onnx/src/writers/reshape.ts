/** `reshape`: static sizes come from the type of the result, open ones from the codes. */
import { formula } from '../forms/formula.ts';
import { type Run, reshaped } from '../forms/reshaping.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const reshape: OnnxExporter = formula('reshape', (context, x) => {
  const { attrs } = context;
  const rank = context.dims(x).length;
  return reshaped(context, x, runsOf(attrs.ints('newshape'), rank, attrs.int('allowzero') === 0));
});

/**
 * The axes of the data that make each axis of the result, by the codes: 0 copies one, −2 the rest,
 * −3 merges two, −4 splits one.
 */
function runsOf(
  codes: ReadonlyArray<number>,
  rank: number,
  zeroCopies: boolean,
): ReadonlyArray<Run | undefined> {
  const runs: (Run | undefined)[] = [];
  let begin = 0;
  const take = (count: number): void => {
    runs.push({ begin, end: begin + count });
    begin += count;
  };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i];
    if (code === -2) while (begin < rank) take(1);
    else if (code === -3) take(2);
    else if (code === 0 && zeroCopies) take(1);
    else {
      const [first = 1, second = 1] = code === -4 ? codes.slice(i + 1, i + 3) : [];
      const part = (over: number): Run => ({ begin, end: begin + 1, over });
      if (code === -4) runs.push(part(second), part(first));
      else runs.push(undefined);
      if (code === -4) i += 2;
      begin++;
    }
  }
  return runs;
}
