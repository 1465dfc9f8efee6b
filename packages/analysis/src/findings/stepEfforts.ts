/**
 * The attack effort of every relation: the effort of its kind, adjusted by known facts about its ends. Missing data changes nothing.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */
import { type AttackGraph, encodeText, getOrMake, NO_STEP, type StepCosts, textEndsWith } from '@clew/graph';
import {
  type AttackEffort,
  CUSTOM_KIND_EFFORT,
  EdgeKind,
  type EffortTable,
  effortTable,
  type TraversableKindName,
} from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import { collectionTimes } from './collectionTimes.ts';
import { environments } from './environments.ts';

/** Maximum effort that can be configured for a step. */
export const MAX_STEP_EFFORT = 32;

/** Number of days without a sign-in after which a computer counts as inactive. */
const AWAY_DAYS = 90;
const DAY_SECONDS = 86_400;
const BUILT_IN_ADMINISTRATOR = encodeText('-500');

/** Known facts about a node, as bits. */
const Is = { disabled: 1, away: 2, service: 4, computer: 8, withoutQuota: 16 } as const;

export const EFFORT_READS: Reads = {
  nodeProperties: [
    ...['enabled', 'lastlogon', 'lastlogontimestamp', 'gmsa', 'msa', 'hasspn', 'machineaccountquota'],
  ],
  shared: [collectionTimes, environments],
};

type Modifier = (effort: number, start: number, end: number) => number;

const whenDisabled =
  (least: number): Modifier =>
  (effort, _start, end) =>
    (end & Is.disabled) !== 0 ? Math.max(effort, least) : effort;
/** Extended rights cannot enable the account. On a computer, they include the password of its local administrator. */
const withoutEnabling: Modifier = (effort, start, end) =>
  (end & Is.computer) !== 0 ? whenDisabled(4)(effort, start, end) : whenDisabled(8)(effort, start, end);
const whenAway: Modifier = (effort, _start, end) => ((end & Is.away) !== 0 ? Math.max(effort, 4) : effort);
const ofDisabled: Modifier = (effort, start) => ((start & Is.disabled) !== 0 ? Math.max(effort, 8) : effort);
const withoutNewAccount: Modifier = (effort, start) =>
  (start & (Is.withoutQuota | Is.computer)) === Is.withoutQuota ? Math.max(effort, 4) : effort;
const ofSession: Modifier = (effort, start, end) => {
  if ((start & Is.away) !== 0 || (end & Is.disabled) !== 0) return Math.max(effort, 8);
  return (end & Is.service) !== 0 ? Math.min(effort, 2) : effort;
};

/** Keyed by kind; `start` and `end` are bits of `Is`. */
const MODIFIERS: Readonly<Partial<Record<TraversableKindName, Modifier>>> = {
  ForceChangePassword: whenDisabled(8),
  AddKeyCredentialLink: whenDisabled(8),
  AZResetPassword: whenDisabled(8),
  SyncedToADUser: whenDisabled(8),
  SyncedToEntraUser: whenDisabled(8),
  ReadGMSAPassword: whenDisabled(8),
  DumpSMSAPassword: whenDisabled(8),
  WriteAltSecurityIdentities: whenDisabled(8),
  WritePublicInformation: whenDisabled(8),
  GenericAll: whenDisabled(2),
  AllExtendedRights: withoutEnabling,
  CoerceToTGT: ofDisabled,
  HasSession: ofSession,
  AdminTo: whenAway,
  ReadLAPSPassword: whenAway,
  SyncLAPSPassword: whenAway,
  SQLAdmin: whenAway,
  AllowedToDelegate: whenAway,
  AllowedToAct: (effort, start, end) => whenAway(withoutNewAccount(effort, start, end), start, end),
  AddAllowedToAct: withoutNewAccount,
  WriteAccountRestrictions: withoutNewAccount,
};

/** Rows for the table in the documentation. */
export const EFFORT_MODIFIERS: readonly { readonly fact: string; readonly effect: string }[] = [
  { fact: 'The source account is disabled, so no one logs on to it', effect: 'CoerceToTGT: 8' },
  {
    fact: 'The target account is disabled: a password, key or certificate is of no use until someone enables it',
    effect:
      'ForceChangePassword, ReadGMSAPassword, DumpSMSAPassword, AddKeyCredentialLink, WriteAltSecurityIdentities, WritePublicInformation, AllExtendedRights, AZResetPassword, HasSession, SyncedToADUser, SyncedToEntraUser: 8; AllExtendedRights to a computer: 4, because its local administrator can sign in; GenericAll: 2, because it can enable the account',
  },
  {
    fact: 'The session belongs to a service account (managed, or with a service principal name and not the built-in administrator)',
    effect: 'HasSession: 2, because the session stays',
  },
  {
    fact: `The computer is disabled, or has not signed in during the ${AWAY_DAYS} days before the newest data of its environment`,
    effect:
      'HasSession from it: 8; AdminTo, ReadLAPSPassword, SyncLAPSPassword, SQLAdmin, AllowedToDelegate, AllowedToAct to it: 4',
  },
  {
    fact: '`machineaccountquota` of the domain is 0, and the source is not a computer',
    effect: 'AllowedToAct, AddAllowedToAct, WriteAccountRestrictions: 4',
  },
];

const TABLES = new WeakMap<AttackGraph['declared'], EffortTable>();

/** @returns efforts by kind number, for built-in and declared kinds */
export function effortsOf(
  { declared }: AttackGraph,
  changed?: Parameters<typeof effortTable>[0],
): EffortTable {
  const known = changed === undefined ? TABLES.get(declared) : undefined;
  if (known !== undefined) return known;
  const steps = declared.steps.map(
    ({ kind, effort, reason }) => [kind, { effort: effort as AttackEffort, reason }] as const,
  );
  const table = effortTable(changed, new Map(steps));
  if (changed === undefined) TABLES.set(declared, table);
  return table;
}

const MODIFIER_OF: ReadonlyMap<number, Modifier> = new Map(
  Object.entries(MODIFIERS).map(([name, modifier]) => [EdgeKind[name as TraversableKindName], modifier]),
);

/** @returns the effort of a step by source, kind and target, ignoring configured efforts */
export function effortOfSteps(
  context: AnalysisContext,
  now: number,
): (source: number, kind: number, target: number) => number {
  const table = effortsOf(context.graph);
  let facts: Uint8Array | undefined;
  return (source, kind, target) => {
    const { effort } = table.get(kind) ?? CUSTOM_KIND_EFFORT;
    const modifier = MODIFIER_OF.get(kind);
    if (modifier === undefined) return effort;
    facts ??= nodeFacts(context.readingFor('attack effort', EFFORT_READS), now);
    return modifier(effort, facts[source], facts[target]);
  };
}

/** Computed once per context and table. */
const KNOWN = new WeakMap<AnalysisContext, WeakMap<EffortTable, StepCosts>>();

/** @param now seconds since 1970 @returns the effort of each step; edges of kinds without effort are not steps */
export function stepEfforts(
  context: AnalysisContext,
  now: number,
  table: EffortTable = effortsOf(context.graph),
): StepCosts {
  const ofContext = getOrMake(KNOWN, context, () => new WeakMap());
  return getOrMake(ofContext, table, () =>
    weigh(context.attackGraph, nodeFacts(context.readingFor('attack effort', EFFORT_READS), now), table),
  );
}

function weigh({ nodeCount, in: rows }: AttackGraph, facts: Uint8Array, table: EffortTable): StepCosts {
  const { offsets, neighbors, kinds } = rows;
  const ofKind = new Uint8Array(1 << 16).fill(NO_STEP);
  let max = 8;
  for (const [kind, { effort }] of table) {
    ofKind[kind] = effort;
    max = Math.max(max, effort);
  }
  const isModified = new Uint8Array(1 << 16);
  for (const kind of MODIFIER_OF.keys()) isModified[kind] = 1;
  const ofPlace = new Uint8Array(neighbors.length);
  for (let end = 0; end < nodeCount; end++) {
    const rowEnd = offsets[end + 1];
    for (let at = offsets[end]; at < rowEnd; at++) {
      const kind = kinds[at];
      const effort = ofKind[kind];
      const isPlain =
        isModified[kind] === 0 || effort === NO_STEP || (facts[end] | facts[neighbors[at]]) === 0;
      ofPlace[at] = isPlain
        ? effort
        : (MODIFIER_OF.get(kind) as Modifier)(effort, facts[neighbors[at]], facts[end]);
    }
  }
  return { ofPlace, max };
}

function nodeFacts(context: AnalysisContext, now: number): Uint8Array {
  const { properties, graph } = context;
  const { nodes, of } = context.use(environments);
  const times = context.use(collectionTimes);
  const facts = new Uint8Array(graph.nodeCount);
  properties.nodesWhere('enabled', false).forEach((node) => {
    facts[node] |= Is.disabled;
  });
  const newest = nodes.map((_, environment) => times.of(environment, now));
  context.nodesOf('Computer').forEach((node) => {
    facts[node] |= Is.computer;
    const last = lastSignIn(context, node);
    const since = newest[of[node]] ?? now;
    const isAway = last !== undefined && last < since - AWAY_DAYS * DAY_SECONDS;
    if (isAway || (facts[node] & Is.disabled) !== 0) facts[node] |= Is.away;
  });
  context.nodesOf('User').forEach((node) => {
    const isManaged = properties.flag('gmsa', node) === true || properties.flag('msa', node) === true;
    const hasName =
      properties.flag('hasspn', node) === true &&
      !textEndsWith(graph.objectIds, node, BUILT_IN_ADMINISTRATOR);
    if (isManaged || hasName) facts[node] |= Is.service;
  });
  const withoutQuota = new Set(
    nodes.flatMap((node, place) => (properties.number('machineaccountquota', node) === 0 ? [place] : [])),
  );
  if (withoutQuota.size > 0)
    for (let node = 0; node < graph.nodeCount; node++)
      if (withoutQuota.has(of[node])) facts[node] |= Is.withoutQuota;
  return facts;
}

/** Seconds since 1970; undefined for a computer without a collected sign-in. */
function lastSignIn({ properties }: AnalysisContext, node: number): number | undefined {
  const last = Math.max(
    properties.number('lastlogon', node) ?? 0,
    properties.number('lastlogontimestamp', node) ?? 0,
  );
  return last > 0 ? last : undefined;
}
