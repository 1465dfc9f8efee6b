/**
 * Groups that give access to the people of shape 3, ten to twenty per person. Each family consists of groups of one size that partition the
 * people, some in contiguous runs, like people who sit together, and some across all sites. Membership is computed by arithmetic, so the
 * members of one group are found without the others.
 */
import type { Stream } from './random.ts';

interface Family {
  /** Number of people for whom each group is intended; some of them are not members. */
  readonly size: number;
  readonly isRun: boolean;
}

const family = (size: number, isRun: boolean): Family => ({ size, isRun });

const FAMILIES: readonly Family[] = [
  ...[family(10, true), family(13, false), family(18, true), family(24, false), family(32, true)],
  ...[family(45, false), family(60, true), family(80, false), family(110, true), family(150, false)],
  ...[family(200, true), family(280, false), family(400, false), family(700, true), family(1200, false)],
  ...[family(2500, false), family(5000, false), family(12_000, false)],
];

const groupsIn = (people: number, { size }: Family): number => Math.ceil(people / size);

export const accessGroupCount = (people: number): number =>
  FAMILIES.reduce((total, each) => total + groupsIn(people, each), 0);

/** Some people are members of nearly all groups intended for them, others of a few. */
const joins = (draw: Stream, person: number, at: number): boolean =>
  draw(person, 1 + at) < 0.35 + 0.6 * draw(person);

/** @param draw its first question for a person decides how many groups the person joins */
export function membersOfAccessGroup(people: number, group: number, draw: Stream): number[] {
  let first = 0;
  const at = FAMILIES.findIndex((each) => {
    const isHere = group < first + groupsIn(people, each);
    if (!isHere) first += groupsIn(people, each);
    return isHere;
  });
  const chosen = FAMILIES[at];
  if (chosen === undefined) throw new RangeError(`there is no access group ${group} of ${people} people`);
  const turn = group - first;
  const [from, to, step] = chosen.isRun
    ? [turn * chosen.size, Math.min(people, (turn + 1) * chosen.size), 1]
    : [turn, people, groupsIn(people, chosen)];
  const members: number[] = [];
  for (let person = from; person < to; person += step) if (joins(draw, person, at)) members.push(person);
  return members;
}
