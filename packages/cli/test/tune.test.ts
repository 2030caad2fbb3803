/** `baton tune` on files in memory, with a clock that the test moves. */
import { optimize, orThrow, parseModule, printModule, rewrites, runPass } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';

const NET = `#[version = "0.0.5"]
def @main(%x: Tensor[(1, 8, 12, 12), float32]) {
  %0 = nn.conv2d(%x, Constant(0.5f, (8, 8, 3, 3), float32), padding=[1, 1, 1, 1]);
  %1 = nn.conv2d(nn.relu(%0), Constant(0.25f, (16, 8, 3, 3), float32));
  nn.conv2d(%1, Constant(2f, (4, 16, 1, 1), float32))
}`;

/** A clock that ticks each time it is read. */
function ticking(): () => number {
  let now = 0;
  return () => {
    now += 10;
    return now;
  };
}

async function tuned(...options: ReadonlyArray<string>) {
  const argv = ['tune', 'm.relay', '-o', 'costs.json', '--json', ...options];
  const ended = await baton(argv, { 'm.relay': NET }, { now: ticking() });
  expect(ended.log).toBe('');
  expect(ended.code).toBe(EXIT.ok);
  const times = orThrow(rewrites.readCallTimes(JSON.parse(ended.text('costs.json'))));
  return { told: JSON.parse(ended.out), times };
}

/** The algorithms that level 3 gives to convolutions, by the times of a file. */
function algorithms(times: rewrites.CallTimes): ReadonlyArray<string> {
  const m = orThrow(parseModule(NET));
  const { module } = orThrow(runPass(optimize({ level: 3, times }))(m));
  return [...printModule(module).matchAll(/algorithm="(\w+)"/g)].map(([, name = '']) => name);
}

/** The times, in which every call by one algorithm takes a microsecond, and others take more. */
const withFastest = (times: rewrites.CallTimes, algorithm: string): rewrites.CallTimes =>
  Object.fromEntries(
    Object.entries(times).map(([key, time]) => {
      const isFast = key.includes(`"algorithm":"${algorithm}"`);
      return [key, { ...time, microseconds: isFast ? 1 : 2 }];
    }),
  );

describe('tune', () => {
  it('measures each call by each algorithm, and level 3 takes the fastest', async () => {
    const { told, times } = await tuned();
    expect(told.schema).toBe('baton.tune/1');
    expect(told.measured).toBe(Object.keys(times).length);
    expect(told.choices.length).toBe(2);
    expect(told.open).toBe(0);
    expect(new Set(algorithms(withFastest(times, 'winograd2')))).toEqual(new Set(['winograd2']));
    expect(new Set(algorithms(withFastest(times, 'winograd4')))).toEqual(new Set(['winograd4']));
    expect(algorithms(withFastest(times, 'direct'))).toEqual([]);
  });

  it('keeps the times of a file, and measures what it lacks', async () => {
    const { times } = await tuned();
    const [[first = '', time] = []] = Object.entries(times);
    const old = { [first]: { ...time, microseconds: 12345 } };
    const argv = ['tune', 'm.relay', '--costs', 'old.json', '-o', 'costs.json', '--json'];
    const files = { 'm.relay': NET, 'old.json': JSON.stringify(old) };
    const ended = await baton(argv, files, { now: ticking() });
    const found = JSON.parse(ended.text('costs.json'));
    expect(found[first].microseconds).toBe(12345);
    expect(JSON.parse(ended.out).measured).toBe(Object.keys(found).length - 1);
  });

  it.each([
    ['no JSON', '{'],
    ['other JSON', '{"a": 1}'],
  ])('a file of costs that is none is refused: %s', async (_, text) => {
    const argv = ['optimize', 'm.relay', '--costs', 'old.json', '-o', 'o.onnx'];
    const ended = await baton(argv, { 'm.relay': NET, 'old.json': text });
    expect(ended.code).toBe(EXIT.input);
    expect(ended.log).toContain('old.json');
    expect(ended.log).toContain('make it with `baton tune`');
  });

  it('tells how many calls it cannot measure', async () => {
    const open = `#[version = "0.0.5"]
def @main[n: ShapeVar](%x: Tensor[(n, 4), float32]) { tanh(nn.relu(%x)) }`;
    const argv = ['tune', 'm.relay', '-o', 'costs.json'];
    const { out, text } = await baton(argv, { 'm.relay': open }, { now: ticking() });
    expect(out).toContain('2 calls have sizes that only the run knows: state them with --dim');
    expect(JSON.parse(text('costs.json'))).toEqual({});
  });
});
