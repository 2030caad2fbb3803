/**
 * Packs the pixels of a convolution whose window is one pixel: columns of a product that lie in the
 * data as they are, a channel apart. Two panels are packed at a time, which is a line of the cache in
 * each channel; so each page is visited a quarter as often as for four pixels.
 */
import { call, i32, type Local, type ModuleBuilder, v128 } from '../emit/index.ts';
import { type Procedure, sharedFunction, until } from './function.ts';
import { moved } from './lanes.ts';
import { NUMBERS } from './numbers.ts';
import { STEP } from './quads.ts';
import { TILE_COLUMNS } from './tile.ts';
import { packWindows } from './windows.ts';

type I = Local<'i32'>;

/**
 * A function that packs pixels `first` to `end` of channels into panels, from a panel's start. Its
 * parameters: the first channel, where to, first, end, the number of channels, the pixels of a channel,
 * the bytes of a panel.
 */
export function packPixels(module: ModuleBuilder): Procedure {
  const window = { kernel: [1, 1], strides: [1, 1], dilation: [1, 1] } as const;
  const windows = packWindows(module, window, NUMBERS.float32);
  return sharedFunction(module, 'pixels', 7, (f, ...params) => {
    const [data, to, first, end, channels, pixels, panelBytes] = params as [I, I, I, I, I, I, I];
    const plane = f.let(i32.mul(pixels, 4));
    /** Panels side by side, while there are pixels for all of them. */
    const some = (panels: number): void =>
      until(f, i32.gtS(i32.add(first, panels * TILE_COLUMNS), end), () => {
        const from = f.let(moved(data, first, 4));
        const into = Array.from({ length: panels }, (_, i) => f.let(moved(to, i, panelBytes)));
        f.repeat(channels, () => {
          for (const [i, panel] of into.entries()) {
            f.do(v128.store(panel, v128.load(from, STEP * i)));
            f.do(v128.store(panel, v128.load(from, STEP * i + 16), 16));
            f.increase(panel, STEP);
          }
          f.increase(from, plane);
        });
        f.increase(to, i32.mul(panelBytes, panels));
        f.increase(first, panels * TILE_COLUMNS);
      });
    some(2);
    some(1);
    f.if(i32.ltS(first, end), () =>
      f.do(call(windows, data, to, first, end, channels, 1, pixels, pixels, 0, 0, panelBytes)),
    );
  });
}
