/** The memory plan of compiled code as a picture: kernels from left to right, addresses upwards. */
import type { MemoryPicture } from '../protocol.ts';
import { short } from './common.tsx';

const WIDTH = 1000;
const HEIGHT = 320;

/** A box for each memory block, as long as its value is live. */
export function Memory({ memory }: { readonly memory: MemoryPicture }) {
  const { bytes, leastBytes, kernels, blocks } = memory;
  // The time before the first kernel, and the time after the last one.
  const steps = kernels.length + 2;
  const x = (step: number): number => ((step + 1) / steps) * WIDTH;
  const y = (address: number): number => HEIGHT * (1 - address / Math.max(1, bytes));
  const nameOf = (step: number): string =>
    step < 0 ? 'the input' : (kernels[step] ?? 'the end of the run');
  return (
    <figure class="memory" data-blocks={blocks.length}>
      <figcaption>
        Memory of intermediate values: {short(bytes)}B in one arena; at least {short(leastBytes)}B
        live at one time. Kernels run from left to right.
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`The plan of memory: ${blocks.length} places in ${bytes} bytes for ${kernels.length} kernels`}
      >
        {blocks.map((block, i) => (
          <rect
            key={i}
            class={`place place-${i % 5}`}
            x={x(block.from)}
            y={y(block.offset + block.bytes)}
            width={x(block.to + 1) - x(block.from)}
            height={y(block.offset) - y(block.offset + block.bytes)}
          >
            <title>
              {`${short(block.bytes)}B at ${block.offset}, from ${nameOf(block.from)} to ${nameOf(block.to)}`}
            </title>
          </rect>
        ))}
      </svg>
    </figure>
  );
}
