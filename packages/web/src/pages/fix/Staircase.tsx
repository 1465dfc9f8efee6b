/**
 * The exposure after each card of the whole plan, as a staircase down to the goal. It is drawn at its actual size, so that texts
 * are not scaled.
 */

import type { PlanRecord } from '@clew/api';
import { goalText, type Stair, stairsOf } from './planOutline.ts';

interface StaircaseProps {
  readonly plan: PlanRecord;
  /** Goal of each environment in percent. */
  readonly goal: number;
}

const LEFT = 42;
const TOP = 14;
const HEIGHT = 96;
const FULL_WIDTH = 344;
const GRID = [100, 50] as const;
/** Width of a label, in percent of the scale. */
const LABEL_ROOM = 13;
/** Minimum distance between the starts of two labels, in pixels. */
const VALUE_ROOM = 46;
const NUMBER_ROOM = 22;

export function Staircase({ plan, goal }: StaircaseProps) {
  const stairs = stairsOf(plan);
  if (stairs.length < 2) return null;
  const isOne = plan.before.length === 1;
  const width = (FULL_WIDTH - LEFT) / stairs.length;
  const x = (at: number): number => LEFT + at * width;
  const y = (share: number): number => TOP + (1 - share) * HEIGHT;
  const line = (shares: readonly number[]): string =>
    shares.map((share, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(share)}H${x(at + 1)}`).join('');
  const total = line(stairs.map(({ share }) => share));
  const grid = GRID.filter((percent) => Math.abs(percent - goal) > LABEL_ROOM);
  const values = labeled(stairs, Math.ceil(VALUE_ROOM / width));
  const numbers = Math.ceil(NUMBER_ROOM / width);
  const wanted = goalText(goal, plan.before.length);
  return (
    <figure className="staircase">
      <svg
        width={FULL_WIDTH}
        height={TOP + HEIGHT + 24}
        role="img"
        aria-label={`Exposure now and after each card: ${stairs.map(({ text }) => text).join(', ')}. The goal is ${wanted}.`}
      >
        <path className="area" d={`${total}V${y(0)}H${LEFT}Z`} />
        {grid.map((percent) => (
          <g key={percent}>
            <path className="grid" d={`M${LEFT} ${y(percent / 100)}H${FULL_WIDTH}`} />
            <text x={LEFT - 6} y={y(percent / 100) + 4} textAnchor="end">
              {percent}%
            </text>
          </g>
        ))}
        <path className="axis" d={`M${LEFT} ${y(0)}H${FULL_WIDTH}`} />
        <path className="goal-line" d={`M${LEFT} ${y(goal / 100)}H${FULL_WIDTH}`} />
        <text className="goal-text" x={LEFT - 6} y={y(goal / 100) + 4} textAnchor="end">
          {goal}%
        </text>
        {!isOne && <path className="highest" d={line(stairs.map(({ highest }) => highest))} />}
        <path className="stairs" d={total} />
        {stairs.map(({ share, text }, at) => (
          <g key={`${at + 1}`}>
            {values.has(at) && (
              <text
                className="value"
                x={at === stairs.length - 1 ? FULL_WIDTH : x(at) + 5}
                y={y(share) - 5}
                textAnchor={at === stairs.length - 1 ? 'end' : 'start'}
              >
                {text}
              </text>
            )}
            {(at === 0 || (at % numbers === 0 && at >= Math.ceil(VALUE_ROOM / 2 / width))) && (
              <text x={x(at) + width / 2} y={TOP + HEIGHT + 18} textAnchor="middle">
                {at === 0 ? 'now' : width < 50 ? at : `card ${at}`}
              </text>
            )}
          </g>
        ))}
      </svg>
      <figcaption>
        <span className="key stairs">{isOne ? 'Exposure' : 'All'}</span>
        {!isOne && <span className="key highest">Environment with most</span>}
        <span className="key goal">Goal</span>
      </figcaption>
    </figure>
  );
}

/**
 * @param room number of stairs that a label needs @returns the stairs with a label: the last one, then those with the largest
 * decreases
 */
function labeled(stairs: readonly Stair[], room: number): ReadonlySet<number> {
  const fall = (at: number): number => (stairs[at - 1] as Stair).share - (stairs[at] as Stair).share;
  const places = stairs.map((_, at) => at).slice(1);
  const last = stairs.length - 1;
  places.sort((a, b) => Number(b === last) - Number(a === last) || fall(b) - fall(a) || a - b);
  const chosen: number[] = [];
  for (const at of places) if (chosen.every((other) => Math.abs(other - at) >= room)) chosen.push(at);
  return new Set(chosen);
}
