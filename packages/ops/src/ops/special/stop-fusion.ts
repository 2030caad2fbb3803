import { annotation } from '../../families/annotation.ts';

export const stopFusion = annotation({
  name: 'annotation.stop_fusion',
  doc: 'The identity, and a barrier to fusion.',
  source: 'operators §9',
  quantizing: 'movement',
});
