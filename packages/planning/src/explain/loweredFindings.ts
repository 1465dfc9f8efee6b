/**
 * Finds the cards that lower the severity of findings about one object that no card closes: for example, a template that lets
 * requesters choose the name keeps its setting, but becomes less urgent once few principals can enroll.
 *
 * Rule: `docs/findings.md#order`.
 */
import { type FindingType, findingTypesOf, rateListed, SEVERITIES } from '@clew/analysis';
import { throwIfCanceled } from '@clew/graph';
import type { Plan } from '../planTypes.ts';
import { changeOf } from '../repairs/repair.ts';
import { type FindingKey, findingKeyText } from '../simulation/findingKeys.ts';
import { type AnalyzedWorld, changedWorld, endWorld, findingsOf } from '../simulation/simulate.ts';

export interface LoweredFinding {
  readonly finding: FindingKey;
  /** Place of the first card, counted from 1, after which the finding has its final severity. */
  readonly card: number;
  /** Place in `SEVERITIES`. */
  readonly to: number;
}

export interface ListedOutcome {
  readonly lowered: readonly LoweredFinding[];
  /** Critical and high findings about one object that the plan neither closes nor lowers. */
  readonly left: readonly FindingKey[];
}

const HIGH = SEVERITIES.indexOf('high');

/** @param after the world after all cards @throws CanceledError */
export function loweredFindings(
  world: AnalyzedWorld,
  plan: Pick<Plan, 'cards'>,
  after: AnalyzedWorld,
): ListedOutcome {
  const closed = new Set(plan.cards.flatMap((card) => card.closed.map(findingKeyText)));
  const types = findingTypesOf(world.context.graph);
  const asked = [...findingsOf(world).values()].filter(
    (finding) => mayBeSevere(types[finding.type]) && !closed.has(findingKeyText(finding)),
  );
  const before = rated(world, asked);
  const severe = asked.filter((finding) => (before.get(finding) ?? 0) >= HIGH);
  const end = rated(after, severe);
  const falling = severe.filter((finding) => (end.get(finding) ?? 0) < (before.get(finding) ?? 0));
  const isFalling = new Set(falling);
  return {
    lowered: [...cardsOf(world, plan, falling, end)].map(([finding, card]) => ({
      ...{ finding, card, to: end.get(finding) ?? 0 },
    })),
    left: severe.filter((finding) => !isFalling.has(finding)),
  };
}

/** Types whose findings can be critical or high; other types are not rated again. */
const mayBeSevere = (type: FindingType | undefined): boolean =>
  type?.kind === 'list' && (type.nature === 'opening' || SEVERITIES.indexOf(type.floor) >= HIGH);

/** @returns the first card after which each finding has its final severity */
function cardsOf(
  world: AnalyzedWorld,
  { cards }: Pick<Plan, 'cards'>,
  falling: readonly FindingKey[],
  end: ReadonlyMap<FindingKey, number>,
): ReadonlyMap<FindingKey, number> {
  const found = new Map<FindingKey, number>();
  let left = falling;
  for (let count = 1; count <= cards.length && left.length > 0; count++) {
    throwIfCanceled(world.context.cancel);
    const isLast = count === cards.length;
    const done = cards.slice(0, count).flatMap(({ packages }) => packages.flatMap(({ repairs }) => repairs));
    const next = isLast ? undefined : changedWorld(world, changeOf(done));
    const now = next === undefined ? end : rated(next, left);
    for (const finding of left)
      if ((now.get(finding) ?? 0) <= (end.get(finding) ?? 0)) found.set(finding, count);
    left = left.filter((finding) => !found.has(finding));
    if (next !== undefined) endWorld(next, [world]);
  }
  return found;
}

/** @returns severities of findings about one object; findings that the world does not contain are missing */
function rated(world: AnalyzedWorld, findings: readonly FindingKey[]): ReadonlyMap<FindingKey, number> {
  const { context, zones, options } = world;
  const { now, scanned } = options;
  const there = findings.filter((finding) => findingsOf(world).has(findingKeyText(finding)));
  if (there.length === 0) return new Map();
  const severities = rateListed({ context, zones, now, ...(scanned && { scanned }) }, there);
  return new Map(there.map((finding, at) => [finding, severities[at] ?? 0]));
}
