/** A program under construction: its lines of text, and the values that later lines may read. */
import type { DType, Shape, Tensor } from '@baton/tensor';
import { type Choices, makeChoices } from '../generate/random.ts';
import { drawn, viewOf } from './weights.ts';

export interface Known {
  /** Its name in the text, such as `%3`. */
  readonly name: string;
  readonly shape: Shape;
  readonly dtype: DType;
  /** A bound of the absolute values of its elements, if they are floats. */
  readonly bound: number;
}

/** The greatest bound of a float: sums of products of such numbers are exact in any order. */
export const BOUND = 8;

type Made = Omit<Known, 'name'>;

export interface Draft {
  readonly random: Choices;
  readonly isFractional: boolean;
  /** The values of lines, the latest last. */
  readonly pool: ReadonlyArray<Known>;
  readonly params: ReadonlyArray<Param>;
  /** Adds a line, whose value later lines may read. `reads` are the values in its text. */
  readonly line: (text: string, reads: ReadonlyArray<Known>, type: Made) => Known;
  readonly call: (name: string, args: ReadonlyArray<Known>, type: Made, attrs?: string) => Known;
  readonly input: (shape: Shape, dtype: DType) => Known;
  readonly constant: (shape: Shape, dtype: DType, bound?: number) => Known;
  readonly number: (value: Tensor) => Known;
  readonly isUsed: (value: Known) => boolean;
  readonly text: (results: ReadonlyArray<Known>) => string;
}

const typeText = ({ shape, dtype }: Pick<Known, 'shape' | 'dtype'>): string =>
  shape.length === 0 ? dtype : `Tensor[(${shape.join(', ')}), ${dtype}]`;

/** A parameter: an input, or the constant that replaces it. */
export interface Param {
  readonly value: Known;
  readonly constant: Tensor | undefined;
  readonly input: Tensor | undefined;
}

export function makeDraft(seed: number, isFractional: boolean): Draft {
  const random = makeChoices(seed);
  const params: Param[] = [];
  const lines: string[] = [];
  const pool: Known[] = [];
  const used = new Set<string>();

  const parameter = (shape: Shape, dtype: DType, constant?: Tensor): Known => {
    const value = { name: `%p${params.length}`, shape, dtype, bound: BOUND };
    const input = constant ? undefined : drawn(shape, dtype, BOUND, random, isFractional);
    params.push({ value, constant, input });
    return value;
  };

  const line = (text: string, reads: ReadonlyArray<Known>, type: Made): Known => {
    const value = { ...type, name: `%${lines.length}` };
    lines.push(`${value.name} = ${text};`);
    for (const read of reads) used.add(read.name);
    pool.push(value);
    return value;
  };

  const call = (name: string, args: ReadonlyArray<Known>, type: Made, attrs = ''): Known =>
    line(`${name}(${args.map((arg) => arg.name).join(', ')}${attrs})`, args, type);

  return {
    random,
    isFractional,
    pool,
    line,
    call,
    input: (shape: Shape, dtype: DType): Known => parameter(shape, dtype),
    constant: (shape: Shape, dtype: DType, bound = 3): Known => ({
      ...parameter(
        shape,
        dtype,
        viewOf(shape, (dims) => drawn(dims, dtype, bound, random, isFractional), random),
      ),
      bound,
    }),
    number: (value: Tensor): Known => parameter(value.shape, value.dtype, value),
    isUsed: ({ name }: Known): boolean => used.has(name),
    params,
    text: (results: ReadonlyArray<Known>): string => {
      const given = params.map(({ value }) => `${value.name}: ${typeText(value)}`);
      const fields = results.map((value) => value.name).join(', ');
      const body = [...lines, `(${fields},)`].join('\n  ');
      return `#[version = "0.0.5"]\ndef @main(${given.join(', ')}) {\n  ${body}\n}\n`;
    },
  };
}
