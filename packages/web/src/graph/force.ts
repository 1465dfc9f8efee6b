/** Free layout: related objects attract each other, all others repel each other. Deterministic. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import { largeLayout } from './largeLayout.ts';

export interface ForceRequest {
  readonly count: number;
  /** Pairs of positions in the list of objects. */
  readonly links: Uint32Array;
}

/** Half of the diagonal of a typical box. */
const BOX_RADIUS = 105;

/** Larger graphs have a layout of their own, in which boxes may overlap. */
const MAX_BOXES = 1500;
/** Amount of work per layout, as objects and relationships moved: larger graphs get fewer rounds. */
const WORK = { boxes: 900_000, large: 1_500_000 } as const;
const MAX_ROUNDS = 300;
const MIN_ROUNDS = 24;

/** Number of progress reports per layout. */
const PARTS = 8;

/** @param onProgress receives the completed share, from 0 to 1 @returns alternating x and y of the objects */
export function forceLayout(request: ForceRequest, onProgress?: (share: number) => void): Float64Array {
  const { count, links } = request;
  const work = count > MAX_BOXES ? WORK.large : WORK.boxes;
  const rounds = Math.round(Math.min(MAX_ROUNDS, Math.max(MIN_ROUNDS, work / (count + links.length / 2))));
  const onRound = (round: number): void => {
    const part = Math.floor((round * PARTS) / rounds);
    if (part > Math.floor(((round - 1) * PARTS) / rounds)) onProgress?.(part / PARTS);
  };
  if (count > MAX_BOXES) return largeLayout(request, rounds, onRound);
  const nodes: SimulationNodeDatum[] = Array.from({ length: count }, () => ({}));
  const pairs = Array.from({ length: links.length / 2 }, (_, at) => ({
    source: links[at * 2],
    target: links[at * 2 + 1],
  }));
  const simulation = forceSimulation(nodes)
    .force('link', forceLink(pairs).distance(260))
    .force('charge', forceManyBody().strength(-1800).distanceMax(1600).theta(0.9))
    .force('x', forceX(0).strength(0.04))
    .force('y', forceY(0).strength(0.06))
    .force('collide', forceCollide(BOX_RADIUS))
    .alphaDecay(1 - 0.001 ** (1 / rounds))
    .stop();
  for (let round = 1; round <= rounds; round++) {
    simulation.tick();
    onRound(round);
  }
  const places = new Float64Array(count * 2);
  nodes.forEach(({ x = 0, y = 0 }, at) => {
    places[at * 2] = x;
    places[at * 2 + 1] = y;
  });
  return places;
}
