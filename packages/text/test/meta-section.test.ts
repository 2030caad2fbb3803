/** L.10 An invalid metadata section is reported once, and causes no further errors. */
import { isLeft, isRight } from '@baton/base';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';

const withSection = (body: string, section: string): string =>
  `#[version = "0.0.5"]\ndef @f() { ${body} }\n#[metadata]\n${section}`;

const problems = (text: string): ReadonlyArray<string> => {
  const result = parseModule(text, { ops });
  return isLeft(result) ? result.left.map((d) => `${d.code}: ${d.message}`) : [];
};

const oneTensor = (dtype: string, element: string): string =>
  `{"relay.Constant": [{"dtype": "${dtype}", "shape": [1], "data": [${element}]}]}`;

describe('L.10 a metadata section', () => {
  it('that is no JSON is one error, however often it is used', () => {
    const uses = Array.from({ length: 150 }, () => 'meta[relay.Constant][0]').join(', ');
    expect(problems(withSection(`(${uses})`, '{'))).toEqual([
      'META_SECTION: the metadata section is not valid: it is not JSON',
    ]);
  });

  it('keeps its error where the text has more errors than are reported', () => {
    const wrong = Array.from({ length: 150 }, (_, i) => `%x${i}`).join(', ');
    const found = problems(withSection(`(${wrong})`, '{'));
    expect(found).toHaveLength(101);
    expect(found.filter((line) => line.startsWith('META_SECTION'))).toHaveLength(1);
    expect(found.at(-1)).toContain('PARSE_TOO_MANY');
  });

  it.each([
    ['float32', '1e39'],
    ['float32', '-3.5e38'],
    ['float16', '65520'],
    ['float16', '65505'],
    ['bfloat16', '3.5e38'],
    ['float64', '1e400'],
    ['int8', '128'],
  ])('refuses what %s cannot hold: %s', (dtype, element) => {
    const text = withSection('meta[relay.Constant][0]', oneTensor(dtype, element));
    expect(problems(text)).toEqual([expect.stringMatching(`^META_SECTION: .*is no ${dtype}$`)]);
  });

  it.each([
    ['float32', '3.4028235e38'],
    ['float32', '-3.4028234663852886e+38'],
    ['float16', '65504'],
    ['float16', '-65504'],
    ['float64', '1.7976931348623157e308'],
    ['float32', '1e-50'],
    ['float32', '"inf"'],
  ])('takes what %s holds: %s', (dtype, element) => {
    const text = withSection('meta[relay.Constant][0]', oneTensor(dtype, element));
    expect(isRight(parseModule(text, { ops }))).toBe(true);
  });
});
