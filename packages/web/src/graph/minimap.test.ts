import { expect, it } from 'vitest';
import { NO_DRAWING } from './drawing.ts';
import { mapScale, placeOnMap } from './minimap.ts';

it('a map holds all of a drawing, and a click on it leads there', () => {
  const size = { width: 148, height: 96 };
  for (const box of [
    { left: -500, top: 0, right: 3500, bottom: 400 },
    { left: 0, top: -100, right: 300, bottom: 9000 },
  ]) {
    const drawing = { ...NO_DRAWING, box };
    const { scale, left, top } = mapScale(drawing, size);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(left + (box.right - box.left) * scale).toBeLessThanOrEqual(size.width + 1e-9);
    expect(top + (box.bottom - box.top) * scale).toBeLessThanOrEqual(size.height + 1e-9);
    const middle = placeOnMap(drawing, size, { x: size.width / 2, y: size.height / 2 });
    expect(middle.x).toBeCloseTo((box.left + box.right) / 2);
    expect(middle.y).toBeCloseTo((box.top + box.bottom) / 2);
    const corner = placeOnMap(drawing, size, { x: left, y: top });
    expect(corner.x).toBeCloseTo(box.left);
    expect(corner.y).toBeCloseTo(box.top);
  }
});
