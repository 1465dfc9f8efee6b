/** The side of a drawing for a panel about one of its parts. */
export type Side = 'left' | 'right';

/**
 * @param span left and right edge of the panel's subject on the canvas, in pixels
 * @param side current side of the panel, kept unless the other side covers less
 * @param width of the panel @param room width of the canvas
 */
export function sideFor(
  { from, to }: { readonly from: number; readonly to: number },
  side: Side,
  width: number,
  room: number,
): Side {
  const covered = { left: Math.max(0, width - from), right: Math.max(0, to - (room - width)) };
  const other = side === 'left' ? 'right' : 'left';
  return covered[side] > covered[other] ? other : side;
}
