/** Free layout: related objects attract each other, all others repel each other. Deterministic. */
import { forceCollide, forceLink, forceSimulation, forceX, forceY, type SimulationNodeDatum } from 'd3-force';
import { chargeForce } from './charge.ts';

export interface ForceRequest {
  readonly count: number;
  /** Pairs of positions in the list of objects. */
  readonly links: Uint32Array;
}

/** Half of the diagonal of a typical box. */
const BOX_RADIUS = 105;

/** Amount of work per layout, as objects and relationships moved: larger graphs get fewer rounds. */
const WORK = 900_000;
const MAX_ROUNDS = 300;
const MIN_ROUNDS = 24;

/** Number of progress reports per layout. */
const PARTS = 8;

/** @param onProgress receives the completed share, from 0 to 1 @returns alternating x and y of the objects */
export function forceLayout(
  { count, links }: ForceRequest,
  onProgress?: (share: number) => void,
): Float64Array {
  const nodes: SimulationNodeDatum[] = Array.from({ length: count }, () => ({}));
  const pairs = Array.from({ length: links.length / 2 }, (_, at) => ({
    source: links[at * 2],
    target: links[at * 2 + 1],
  }));
  const rounds = Math.round(Math.min(MAX_ROUNDS, Math.max(MIN_ROUNDS, WORK / (count + pairs.length))));
  const simulation = forceSimulation(nodes)
    .force('link', forceLink(pairs).distance(count > 1500 ? 160 : 260))
    .force(
      'charge',
      chargeForce({
        strength: count > 1500 ? -700 : -1800,
        maxDistance: 1600,
        theta: count > 1500 ? 1.4 : 0.9,
      }),
    )
    .force('x', forceX(0).strength(0.04))
    .force('y', forceY(0).strength(0.06))
    .alphaDecay(1 - 0.001 ** (1 / rounds))
    .stop();
  if (count <= 1500) simulation.force('collide', forceCollide(BOX_RADIUS));
  for (let part = 1; part <= PARTS; part++) {
    simulation.tick(Math.round((rounds * part) / PARTS) - Math.round((rounds * (part - 1)) / PARTS));
    onProgress?.(part / PARTS);
  }
  const places = new Float64Array(count * 2);
  nodes.forEach(({ x = 0, y = 0 }, at) => {
    places[at * 2] = x;
    places[at * 2 + 1] = y;
  });
  return places;
}
