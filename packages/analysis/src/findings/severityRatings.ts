/**
 * The severity of each finding, with its inputs.
 *
 * Rules: `docs/findings.md#severity`.
 */
import { nodeGroups, ReachCounter } from '@clew/graph';
import { classOfEffort, type EffortClass } from './effortClass.ts';
import type { ForeignExposure } from './exposureRatings.ts';
import type { FoundColumns } from './findingColumns.ts';
import type { Parts } from './oneFact.ts';
import { type Measure, type RatingInput, type TypeGroup, type Upstream, withLeads } from './ratedReach.ts';
import { rateSeverity, SEVERITIES, type SeverityReason } from './severity.ts';
import { FINDING_TYPES, type FindingType, findingTypesOf } from './types/index.ts';

/** Columns with the parts of a `SeverityReason` per finding. */
export interface ReasonColumns {
  /** Places in `SEVERITY_ROWS`. */
  readonly rows: Uint8Array;
  readonly basis: Uint8Array;
  readonly counts: Uint32Array;
  readonly wholes: Uint32Array;
  readonly efforts: Uint8Array;
}

/**
 * The base of `ReasonColumns.counts`: principals that the object can reach, its users, its users in another environment, or users in an
 * environment that was not collected, so that none is known.
 */
export const ReasonBasis = { falling: 0, users: 1, foreignUsers: 2, unreadUsers: 3 } as const;

/** @param rated ratings of all findings */
export function reasonOf(
  { severities, reasons }: { readonly severities: Uint8Array; readonly reasons: ReasonColumns },
  at: number,
): SeverityReason {
  return {
    severity: SEVERITIES[severities[at]],
    row: reasons.rows[at],
    isByUsers: reasons.basis[at] !== ReasonBasis.falling,
    count: reasons.counts[at],
    of: reasons.wholes[at],
    effort: reasons.efforts[at] as EffortClass,
    isForeign: reasons.basis[at] === ReasonBasis.foreignUsers,
    isUnread: reasons.basis[at] === ReasonBasis.unreadUsers,
  };
}

interface Measures {
  readonly upstream: Upstream;
  readonly impact: Measure;
  readonly exposure: Measure;
  readonly foreign: ReadonlyMap<number, readonly ForeignExposure[]>;
}

interface Users extends Count {
  readonly isForeign: boolean;
  /** The users include a group of nearly everyone. */
  readonly isEverybodys: boolean;
}

interface Count {
  readonly count: number;
  readonly whole: number;
}

/** Everybody can use it. */
const EVERYBODY: Users = { count: 1, whole: 1, isForeign: false, isEverybodys: true };

const shareOf = ({ count, whole }: Count): number => (whole === 0 ? 0 : Math.min(1, count / whole));

export function rateSeverities(
  input: RatingInput,
  found: FoundColumns,
  groups: readonly TypeGroup[],
  { upstream, impact, exposure, foreign }: Measures,
): { severities: Uint8Array; reasons: ReasonColumns } {
  const { ranks, rules, everybody, leadsTo, effortOf } = input;
  const types = findingTypesOf(input.graph);
  const openings = rules === 'parity' ? [] : groups.filter(({ type }) => isOpening(type));
  const ownImpacts = impactsOfOpenings(input, found, openings);
  const users = usersOfOpenings(input, found, openings, upstream);
  const severities = new Uint8Array(found.count);
  const reasons: ReasonColumns = {
    rows: new Uint8Array(found.count),
    basis: new Uint8Array(found.count),
    counts: new Uint32Array(found.count),
    wholes: new Uint32Array(found.count),
    efforts: new Uint8Array(found.count),
  };
  const { tierZero } = ranks;
  for (let at = 0; at < found.count; at++) {
    const type = types[found.types[at]];
    const isListed = type.kind === 'list';
    const isExposed = !isListed || type.check !== undefined;
    const exposed = isExposed ? greatest(exposure, foreign.get(at), at) : (users.get(at) ?? EVERYBODY);
    const falling = ownImpacts.get(at) ?? { count: impact.counts[at], whole: impact.wholes[at] };
    const effort = isListed
      ? (type.effort ?? 1)
      : classOfEffort(effortOf(found.sources[at], found.edgeKinds[at], found.targets[at]));
    const { severity, row, isByUsers } = rateSeverity(type, {
      users: shareOf(exposed),
      falling: shareOf(falling),
      effort,
      isOverTierZero:
        tierZero !== undefined &&
        ((!isListed && found.zones[at] === tierZero.id) ||
          tierZero.members.has(found.targets[at]) ||
          (isListed && type.isOverTierZero === true) ||
          (isListed && leadsTo.has(found.targets[at]))),
      isEverybodys: isListed ? (users.get(at) ?? EVERYBODY).isEverybodys : everybody.has(found.sources[at]),
      rules,
    });
    const counted = isByUsers ? exposed : falling;
    severities[at] = severity;
    reasons.rows[at] = row;
    reasons.counts[at] = counted.count;
    reasons.wholes[at] = counted.whole;
    reasons.efforts[at] = effort;
    const isUnread = !isListed && exposed.count === 0 && input.isUnread(found.sources[at]);
    const ofUsers = isUnread
      ? ReasonBasis.unreadUsers
      : exposed.isForeign
        ? ReasonBasis.foreignUsers
        : ReasonBasis.users;
    reasons.basis[at] = isByUsers ? ofUsers : ReasonBasis.falling;
  }
  return { severities, reasons };
}

/** A finding that represents others gets the highest severity among them, with its reason. */
export function takeGreatest(parts: Parts, severities: Uint8Array, reasons: ReasonColumns): void {
  for (const [lead, others] of parts) {
    let top = lead;
    for (const at of others) if (severities[at] > severities[top]) top = at;
    if (top === lead) continue;
    severities[lead] = severities[top];
    for (const column of Object.values(reasons)) column[lead] = column[top];
  }
}

/** Counts the users of a relationship in the environment with the largest share. */
function greatest(
  exposure: Measure,
  foreign: readonly ForeignExposure[] | undefined,
  at: number,
): Count & { readonly isForeign: boolean } {
  let best = { count: exposure.counts[at], whole: exposure.wholes[at], isForeign: false };
  for (const { count, share } of foreign ?? []) {
    if (share > shareOf(best)) best = { count, whole: Math.round(count / share), isForeign: true };
  }
  return best;
}

/**
 * Counts the nodes that the object of an opening reaches by its own rights: nodes that it reaches only through a group of nearly everyone
 * do not count.
 */
function impactsOfOpenings(
  input: RatingInput,
  found: FoundColumns,
  openings: readonly TypeGroup[],
): Map<number, Count> {
  const impacts = new Map<number, Count>();
  if (openings.length === 0) return impacts;
  const { scopes, leadsTo, cancel } = input;
  const counter = new ReachCounter(input.beyondEverybody(), cancel);
  for (const [environment, members] of Map.groupBy(openings, (group) => group.environment)) {
    const whole = scopes.principals[scopes.of[environment]];
    const findings = members.flatMap((group) => group.findings);
    const roots = findings.map((at) => withLeads(found.targets[at], leadsTo));
    const counts = counter.count(nodeGroups(roots), whole);
    for (const [place, at] of findings.entries())
      impacts.set(at, { count: counts[place], whole: whole.size });
  }
  return impacts;
}

/** Counts the users outside Tier Zero of an opening that not everybody can use, in the environment with their largest share. */
function usersOfOpenings(
  { ranks, scopes, usersOf, everybody }: RatingInput,
  found: FoundColumns,
  openings: readonly TypeGroup[],
  upstream: Upstream,
): Map<number, Users> {
  const users = new Map<number, Users>();
  const holders = new Map<number, readonly number[]>();
  for (const { type, findings } of openings) {
    for (const at of findings) {
      const known = usersOf(type, found.targets[at]);
      if (known !== undefined) holders.set(at, known);
    }
  }
  if (holders.size === 0) return users;
  const rank = ranks.tierZero === undefined ? 0 : ranks.zones.indexOf(ranks.tierZero) + 1;
  const counter = upstream.counter(rank);
  const blocked = upstream.blocked(rank);
  for (const [environment, own] of scopes.own.entries()) {
    const asked = [...holders].filter(([at]) => {
      const home = found.environments[at];
      return home === environment || scopes.attackers[home].includes(environment);
    });
    if (asked.length === 0) continue;
    const whole = blocked === undefined ? own : own.andNot(blocked);
    const counts = counter.count(nodeGroups(asked.map(([, nodes]) => [...nodes])), whole);
    for (const [place, [at, nodes]] of asked.entries()) {
      const count = { count: counts[place], whole: whole.size };
      const isForeign = found.environments[at] !== environment;
      const best = users.get(at);
      if (best === undefined || shareOf(count) > shareOf(best))
        users.set(at, { ...count, isForeign, isEverybodys: nodes.some((node) => everybody.has(node)) });
    }
  }
  return users;
}

function isOpening(type: number): boolean {
  const traits: FindingType | undefined = FINDING_TYPES[type];
  return traits?.kind === 'list' && traits.nature === 'opening';
}
