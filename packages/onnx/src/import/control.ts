/** The nodes that contain graphs, and their import. */

import type { ControlName } from './coverage.ts';
import { enterFlexAttention } from './flex-attention.ts';
import type { Frame, Site } from './frames.ts';
import { enterChoice } from './if.ts';
import { enterLoop } from './loop-node.ts';
import { enterScan } from './scan-node.ts';
import { enterSequenceMap } from './sequence-maps.ts';

/** The first frame of a node that contains graphs; `undefined` once it is imported, or failed. */
export const CONTROL: Readonly<Record<ControlName, (site: Site) => Frame | undefined>> = {
  FlexAttention: enterFlexAttention,
  If: enterChoice,
  Loop: enterLoop,
  Scan: enterScan,
  SequenceMap: enterSequenceMap,
};
