/**
 * Divides people into teams, and teams into sites. Both are contiguous runs of numbers, so the members of a team or
 * site are a range, and nothing is stored per person.
 */

/**
 * The distributions of an organization. 1: uniform, as in earlier versions, so that their files can be reproduced
 * byte for byte. 2: as in `docs/synthetic.md`. 3: like 2, with more groups per person, and with traits, flaws and
 * forests that the seed selects (`traits.ts`).
 */
export type Shape = 1 | 2 | 3;
export const SHAPES: readonly Shape[] = [1, 2, 3];

/** Number of people in eight consecutive teams: the same in all shapes, so that forests have similar sizes. */
const TEAM_SIZES: Readonly<Record<Shape, readonly number[]>> = {
  1: [12, 12, 12, 12, 12, 12, 12, 12],
  2: [2, 4, 6, 9, 12, 15, 19, 29],
  3: [2, 4, 6, 9, 12, 15, 19, 29],
};
const TEAMS_PER_ROUND = 8;
const PEOPLE_PER_ROUND = 96;

/**
 * First person of each team of a round, for every order of sizes: the sizes of round `n` are rotated by three places more than those of the
 * previous round.
 */
const ROUNDS = Object.fromEntries(
  SHAPES.map((shape) => [
    shape,
    Array.from({ length: TEAMS_PER_ROUND }, (_, turn) => {
      const starts = [0];
      for (let team = 0; team < TEAMS_PER_ROUND; team++) {
        const size = TEAM_SIZES[shape][(team + turn * 3) % TEAMS_PER_ROUND] as number;
        starts.push((starts[team] as number) + size);
      }
      return starts;
    }),
  ]),
) as unknown as Readonly<Record<Shape, readonly (readonly number[])[]>>;

const startsOfRound = (shape: Shape, round: number): readonly number[] =>
  ROUNDS[shape][round % TEAMS_PER_ROUND] as readonly number[];

/** @returns the first person of a team */
export function teamStart(shape: Shape, team: number): number {
  const round = Math.floor(team / TEAMS_PER_ROUND);
  return round * PEOPLE_PER_ROUND + (startsOfRound(shape, round)[team % TEAMS_PER_ROUND] as number);
}

export function teamOfPerson(shape: Shape, person: number): number {
  const round = Math.floor(person / PEOPLE_PER_ROUND);
  const next = startsOfRound(shape, round).findIndex((start) => start > person % PEOPLE_PER_ROUND);
  return round * TEAMS_PER_ROUND + next - 1;
}

export const teamsFor = (shape: Shape, people: number): number => teamOfPerson(shape, people - 1) + 1;

/**
 * @returns the first team of each site, and the number of teams as the last entry. In later shapes, the first site is
 * the headquarters, and the sizes of others follow a power law; every site has a team.
 */
export function siteStarts(shape: Shape, teams: number, sites: number): number[] {
  const at = Array.from({ length: sites + 1 }, (_, site) => site);
  if (shape === 1) return at.map((site) => Math.min(teams, Math.ceil((site * teams) / sites)));
  const reached = [0];
  for (let site = 0; site < sites; site++) reached.push((reached[site] as number) + (site + 2) ** -0.8);
  const whole = reached[sites] as number;
  return at.map((site) => site + Math.round(((teams - sites) * (reached[site] as number)) / whole));
}

/** @returns the last site that begins at or before the team */
export function siteAt(starts: readonly number[], team: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= team) low = middle;
    else high = middle - 1;
  }
  return low;
}
