/** The kinds of cards in a drawing, with their colours and legends. */

export interface Kind {
  /** The name of the colour in the style sheet. */
  readonly name: string;
  readonly label: string;
}

/** Every kind, in the order of the legend. Rows name theirs by index. */
export const KINDS: ReadonlyArray<Kind> = [
  { name: 'product', label: 'convolution, matrix product' },
  { name: 'pool', label: 'pooling, reduction' },
  { name: 'norm', label: 'normalization' },
  { name: 'element', label: 'elementwise' },
  { name: 'move', label: 'data movement' },
  { name: 'other', label: 'other operators' },
  { name: 'control', label: 'functions, control flow' },
  { name: 'edge', label: 'inputs, outputs' },
];
