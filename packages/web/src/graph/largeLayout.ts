/**
 * Free layout of large graphs: the forces of d3-force in columns of numbers, which takes a fifth of its time. Boxes may overlap,
 * because most objects of a large drawing are dots. Deterministic.
 */
import { type Bodies, chargeOf } from './charge.ts';

const LINK_LENGTH = 160;
const CHARGE = { strength: -700, maxDistance: 1600, theta: 1.4 } as const;
/** Pull to the center, by axis: drawings are wider than high. */
const PULL = { x: 0.04, y: 0.06 } as const;
/** Share of its speed that an object keeps in a round. */
const KEPT_SPEED = 0.6;
/** Factor of all forces after the last round; 1 before the first. */
const LAST_ALPHA = 0.001;
/** The first places are a spiral in which objects have equal distances. */
const SPIRAL = { radius: 10, angle: Math.PI * (3 - Math.sqrt(5)) } as const;

/** @param links pairs of objects @returns alternating x and y of the objects */
export function largeLayout(
  { count, links }: { readonly count: number; readonly links: Uint32Array },
  rounds: number,
  onRound: (round: number) => void,
): Float64Array {
  const bodies = onSpiral(count);
  const { x, y, vx, vy } = bodies;
  const attract = attractionOf(bodies, links);
  const repel = chargeOf(bodies, CHARGE);
  for (let round = 1; round <= rounds; round++) {
    const alpha = LAST_ALPHA ** (round / rounds);
    attract(alpha);
    repel(alpha);
    for (let at = 0; at < count; at++) {
      vx[at] = (vx[at] - x[at] * PULL.x * alpha) * KEPT_SPEED;
      vy[at] = (vy[at] - y[at] * PULL.y * alpha) * KEPT_SPEED;
      x[at] += vx[at];
      y[at] += vy[at];
    }
    onRound(round);
  }
  return Float64Array.from({ length: count * 2 }, (_, at) => (at % 2 === 0 ? x : y)[at >> 1]);
}

function onSpiral(count: number): Bodies {
  const column = () => new Float64Array(count);
  const bodies = { count, x: column(), y: column(), vx: column(), vy: column() };
  for (let at = 0; at < count; at++) {
    const radius = SPIRAL.radius * Math.sqrt(0.5 + at);
    bodies.x[at] = radius * Math.cos(at * SPIRAL.angle);
    bodies.y[at] = radius * Math.sin(at * SPIRAL.angle);
  }
  return bodies;
}

/** @returns a function that changes the speeds by the attraction of related objects, times a factor */
function attractionOf({ count, x, y, vx, vy }: Bodies, links: Uint32Array): (alpha: number) => void {
  const lines = new Float64Array(count);
  for (const end of links) lines[end]++;
  return (alpha) => {
    for (let at = 0; at < links.length; at += 2) {
      const source = links[at];
      const target = links[at + 1];
      const dx = x[target] + vx[target] - x[source] - vx[source];
      const dy = y[target] + vy[target] - y[source] - vy[source];
      const length = Math.sqrt(dx * dx + dy * dy);
      if (length === 0) continue;
      // Objects with many relationships move less, and each of these is weaker.
      const strength = alpha / Math.min(lines[source], lines[target]);
      const pull = ((length - LINK_LENGTH) / length) * strength;
      const share = lines[source] / (lines[source] + lines[target]);
      vx[target] -= dx * pull * share;
      vy[target] -= dy * pull * share;
      vx[source] += dx * pull * (1 - share);
      vy[source] += dy * pull * (1 - share);
    }
  };
}
