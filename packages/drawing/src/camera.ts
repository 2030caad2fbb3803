/** The camera of a pane: the drawing's point at the pane's top left corner, and the scale. */

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The space around a drawing, in pixels. */
const MARGIN = 24;
const MIN_SCALE = 0.005;
const MAX_SCALE = 3;
/** Small drawings are not enlarged beyond this scale. */
const LARGEST_FIT = 1.2;
/** Below this scale the first view shows only a part: names must be readable. */
const READABLE_SCALE = 0.62;

const clampScale = (scale: number): number => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));

export function fitted(drawing: Size, pane: Size): View {
  const room = (size: number): number => Math.max(1, size - 2 * MARGIN);
  const scale = clampScale(
    Math.min(room(pane.width) / drawing.width, room(pane.height) / drawing.height, LARGEST_FIT),
  );
  return {
    scale,
    x: drawing.width / 2 - pane.width / 2 / scale,
    y: drawing.height / 2 - pane.height / 2 / scale,
  };
}

/** The view of the drawing's top at a readable scale, centred at `x`. */
export function atTop(drawing: Size, pane: Size, x: number): View {
  const whole = fitted(drawing, pane);
  if (whole.scale >= READABLE_SCALE) return whole;
  const scale = clampScale(Math.max(READABLE_SCALE, Math.min(1, pane.width / drawing.width)));
  return { scale, x: x - pane.width / 2 / scale, y: 0 };
}

/** The view centred at the point, at a readable scale. */
export function centred(x: number, y: number, view: View, pane: Size): View {
  const scale = Math.max(view.scale, READABLE_SCALE);
  return { scale, x: x - pane.width / 2 / scale, y: y - pane.height / 2 / scale };
}

export const moved = (view: View, dx: number, dy: number): View => ({
  ...view,
  x: view.x - dx / view.scale,
  y: view.y - dy / view.scale,
});

/** The view scaled by `factor` around the point under the pixel. */
export function zoomed(view: View, factor: number, px: number, py: number): View {
  const scale = clampScale(view.scale * factor);
  return {
    scale,
    x: view.x + px / view.scale - px / scale,
    y: view.y + py / view.scale - py / scale,
  };
}

/** The view limited to the drawing; a drawing smaller than the pane is centred. */
export function kept(view: View, drawing: Size, pane: Size): View {
  const margin = MARGIN / view.scale;
  const within = (at: number, size: number, seen: number): number =>
    size + 2 * margin <= seen
      ? (size - seen) / 2
      : Math.min(size - seen + margin, Math.max(-margin, at));
  return {
    scale: view.scale,
    x: within(view.x, drawing.width, pane.width / view.scale),
    y: within(view.y, drawing.height, pane.height / view.scale),
  };
}
