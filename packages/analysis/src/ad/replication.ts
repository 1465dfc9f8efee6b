/**
 * DCSync and SyncLAPSPassword: principals that hold both replication rights of a pair on a collected domain.
 * Set semantics: a group that holds one right and its member that holds the other count.
 *
 * Rule: `docs/rules.md#dcsync`. GenericAll and AllExtendedRights have edges of their own and do
 * not count here.
 */
import type { NodeSet } from '@clew/graph';
import { NO_NODE } from '@clew/graph';
import { EdgeFlag, type EdgeKindName } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { CompositionBuilder } from '../composition.ts';
import { domains } from '../directory/domains.ts';
import { explainHeldRight } from '../directory/heldRights.ts';
import { principalSets } from '../directory/principalSets.ts';
import type { EdgeRef } from '../edgeRef.ts';
import type { Rule } from '../rule.ts';

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
      for (const start of holdersOfAll(context, domain, DCSYNC_RIGHTS)) {
        const needs = DCSYNC_RIGHTS.filter(
          (right) => context.edges(right).kindsBetween(start, domain).length > 0,
        ).map((right) => ({ start, kinds: [right], end: domain }));
        yield { kind: 'DCSync', starts: [start], ends: [domain], needs };
      }
    }
  },
  compose: (context, { start, end }) => explainRights(context, start, end, DCSYNC_RIGHTS),
};

export const syncLapsPassword: Rule = {
  name: 'SyncLAPSPassword',
  produces: ['SyncLAPSPassword'],
  reads: { edges: LAPS_RIGHTS, nodeProperties: ['haslaps'], shared: [domains, principalSets] },
  derive: (context, edges) => {
    const lapsComputers = context.nodesOf('Computer').and(context.properties.nodesWhere('haslaps', true));
    const byDomain = Map.groupBy(lapsComputers, (computer) => context.use(domains).of(computer));
    context.use(domains).collected.forEach((domain) => {
      const computers = byDomain.get(domain) ?? [];
      if (computers.length === 0) return;
      for (const principal of holdersOfAll(context, domain, LAPS_RIGHTS)) {
        for (const computer of computers) {
          edges.add('SyncLAPSPassword', principal, computer, EdgeFlag.Acl | EdgeFlag.HasAcl);
        }
      }
    });
  },
  compose: composeSyncLaps,
};

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
