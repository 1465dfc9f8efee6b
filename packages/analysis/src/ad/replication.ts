/**
 * DCSync and SyncLAPSPassword: principals that hold both replication rights of a pair on a collected domain. The rights may come from
 * different sources: a member of a group that holds one right may hold the other itself.
 *
 * Rule: `docs/rules.md#dcsync`. GenericAll and AllExtendedRights have their own edges and do not count here.
 */
import { NO_NODE, NodeSet } from '@clew/graph';
import { EdgeFlag, type EdgeKindName } from '@clew/model';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { CompositionBuilder } from '../composition.ts';
import { domains } from '../directory/domains.ts';
import { explainHeldRight } from '../directory/heldRights.ts';
import { principalSets } from '../directory/principalSets.ts';
import type { EdgeRef } from '../edgeRef.ts';
import type { Rule } from '../rule.ts';
import type { HeldRight } from '../ways.ts';

const DCSYNC_RIGHTS = ['GetChanges', 'GetChangesAll'] as const satisfies readonly EdgeKindName[];
const LAPS_RIGHTS = ['GetChanges', 'GetChangesInFilteredSet'] as const satisfies readonly EdgeKindName[];

export const dcSync: Rule = {
  name: 'DCSync',
  produces: ['DCSync'],
  reads: { edges: DCSYNC_RIGHTS, shared: [domains, principalSets] },
  derive: (context, edges) => {
    context.use(domains).collected.forEach((domain) => {
      for (const principal of holdersOfAll(context, domain, DCSYNC_RIGHTS)) {
        edges.add('DCSync', principal, domain, EdgeFlag.Acl | EdgeFlag.HasAcl);
      }
    });
  },
  *ways(context) {
    for (const domain of context.use(domains).collected) {
      const starts = holdersOfAll(context, domain, DCSYNC_RIGHTS);
      if (!starts.isEmpty)
        yield {
          ...{ kind: 'DCSync', starts, ends: [domain], needs: [] },
          rights: rightsOn(context, domain, DCSYNC_RIGHTS),
        };
    }
  },
  compose: (context, { start, end }) => explainRights(context, start, end, DCSYNC_RIGHTS),
};

/** Computers with LAPS, keyed by collected domain. */
const lapsComputers: Shared<ReadonlyMap<number, readonly number[]>> = {
  name: 'computers with LAPS',
  reads: { nodeProperties: ['haslaps'], shared: [domains] },
  build: (context) => {
    const computers = context.nodesOf('Computer').and(context.properties.nodesWhere('haslaps', true));
    const byDomain = Map.groupBy(computers, (computer) => context.use(domains).of(computer));
    const { collected } = context.use(domains);
    return new Map([...byDomain].filter(([domain]) => domain !== NO_NODE && collected.has(domain)));
  },
};

export const syncLapsPassword: Rule = {
  name: 'SyncLAPSPassword',
  produces: ['SyncLAPSPassword'],
  reads: { edges: LAPS_RIGHTS, shared: [domains, lapsComputers, principalSets] },
  changedEnds(context) {
    const before = context.origin?.context;
    if (before === undefined || context.origin?.isSame({ shared: [lapsComputers] }) !== true)
      return undefined;
    const changed = [...context.use(lapsComputers)].filter(([domain]) => {
      const [holders, holdersBefore] = [context, before].map((one) => holdersOfAll(one, domain, LAPS_RIGHTS));
      return !holders.equals(holdersBefore);
    });
    return NodeSet.of(
      context.graph.nodeCount,
      changed.flatMap(([, computers]) => computers),
    );
  },
  derive: (context, edges, among) => {
    for (const [domain, all] of context.use(lapsComputers)) {
      const computers = among === undefined ? all : all.filter((computer) => among.has(computer));
      if (computers.length === 0) continue;
      for (const principal of holdersOfAll(context, domain, LAPS_RIGHTS)) {
        for (const computer of computers) {
          edges.add('SyncLAPSPassword', principal, computer, EdgeFlag.Acl | EdgeFlag.HasAcl);
        }
      }
    }
  },
  *ways(context) {
    for (const [domain, ends] of context.use(lapsComputers)) {
      const starts = holdersOfAll(context, domain, LAPS_RIGHTS);
      if (!starts.isEmpty)
        yield {
          ...{ kind: 'SyncLAPSPassword', starts, ends, needs: [] },
          rights: rightsOn(context, domain, LAPS_RIGHTS),
        };
    }
  },
  compose: composeSyncLaps,
};

const rightsOn = (
  context: AnalysisContext,
  node: number,
  rights: readonly EdgeKindName[],
): readonly HeldRight[] =>
  rights.map((kind) => ({ kinds: [kind], node, everybody: 'nested', among: context.nodesOf('Base') }));

function holdersOfAll(context: AnalysisContext, domain: number, rights: readonly EdgeKindName[]): NodeSet {
  const sets = context.use(principalSets);
  const base = context.nodesOf('Base');
  const holders = rights.map((right) => sets.of(context.edges(right).startsOf(domain).and(base)));
  return sets.cover(holders, context.options.rules === 'parity' ? 'toggling' : 'outer');
}

function composeSyncLaps(context: AnalysisContext, { start, end }: EdgeRef) {
  const domain = context.use(domains).of(end);
  if (domain === NO_NODE) return new CompositionBuilder().build();
  return explainRights(context, start, domain, LAPS_RIGHTS);
}

function explainRights(
  context: AnalysisContext,
  principal: number,
  domain: number,
  rights: readonly EdgeKindName[],
) {
  const builder = new CompositionBuilder();
  for (const right of rights) explainHeldRight(context, builder, principal, right, domain);
  return builder.build();
}
