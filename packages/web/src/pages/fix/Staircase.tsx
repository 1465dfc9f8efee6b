/** The exposure after each card, as stairs that lead down to the goal. Drawn at the size it has: texts keep theirs. */

import type { PlanRecord } from '@clew/api';
import { shareOf } from '@clew/model';
import { fallIn } from './planFigures.ts';

interface StaircaseProps {
  readonly plan: PlanRecord;
  readonly env: string | undefined;
  /** Percent. */
  readonly goal: number;
}

const LEFT = 42;
const TOP = 14;
const HEIGHT = 96;
const FULL_WIDTH = 344;
/** More stairs than this would have no room for their numbers. */
const MAX_STAIRS = 6;
const GRID = [100, 50] as const;
/** Percent of the scale that a label takes. */
const LABEL_ROOM = 13;

export function Staircase({ plan, env, goal }: StaircaseProps) {
  const values: number[] = [];
  const labels: string[] = [];
  plan.cards.slice(0, MAX_STAIRS).forEach((card, at) => {
    const fall = fallIn(card, plan.cards[at - 1]?.exposure ?? plan.before, env);
    if (fall === undefined) return;
    if (values.length === 0) {
      values.push(fall.before);
      labels.push(fall.from);
    }
    values.push(fall.after);
    labels.push(fall.to);
  });
  if (values.length < 2) return null;
  const width = (FULL_WIDTH - LEFT) / values.length;
  const x = (at: number): number => LEFT + at * width;
  const y = (part: number): number => TOP + (1 - part) * HEIGHT;
  const line = values.map((value, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(value)}H${x(at + 1)}`).join('');
  const shown = GRID.filter((percent) => Math.abs(percent - goal) > LABEL_ROOM);
  const more = plan.card_count - (values.length - 1);
  return (
    <svg
      className="staircase"
      width={FULL_WIDTH}
      height={TOP + HEIGHT + 24}
      role="img"
      aria-label={`Exposure now and after each card: ${labels.join(', ')}. The goal is ${goal}%.`}
    >
      <path className="area" d={`${line}V${y(0)}H${LEFT}Z`} />
      {shown.map((percent) => (
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
      <path className="stairs" d={line} />
      {values.map((value, at) => (
        <g key={`${at + 1}`}>
          {at > 0 && (
            <text className="value" x={x(at) + 5} y={y(value) - 5}>
              {labels[at]}
            </text>
          )}
          <text x={x(at) + width / 2} y={TOP + HEIGHT + 18} textAnchor="middle">
            {at === 0 ? 'now' : width < 50 ? at : `card ${at}`}
          </text>
        </g>
      ))}
      {more > 0 && <title>{`${more} more cards follow`}</title>}
    </svg>
  );
}

/** @returns the largest share that the plan leaves in the chosen environments */
export function endOf(plan: PlanRecord, env: string | undefined): string | undefined {
  const last = plan.cards.at(-1);
  if (last === undefined || plan.card_count > plan.cards.length) return undefined;
  const some = last.exposure.filter(({ environment_id }) => env === undefined || environment_id === env);
  const exposed = some.reduce((sum, one) => sum + one.exposed_count, 0);
  const all = some.reduce((sum, one) => sum + one.principal_count, 0);
  return all === 0 ? undefined : shareOf(exposed, all);
}
