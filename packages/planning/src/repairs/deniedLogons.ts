/** The groups and accounts to which `separate-logons` denies logons, and the service accounts among them, whose services would stop. */
import { type AnalysisContext, domains, environments } from '@clew/analysis';
import { objectIdOf, reachableNodes } from '@clew/graph';
import type { Repair } from './repair.ts';

/** Relative ids of Domain Admins, Schema Admins and Enterprise Admins. */
export const DENIED_GROUPS = ['512', '518', '519'] as const;

/** @returns the denied groups of the domain and the accounts with an observed session */
export function deniedPrincipals(context: AnalysisContext, { object, change }: Repair): number[] {
  const sid = context.use(domains).sidOf(object);
  const ids = new Set(DENIED_GROUPS.map((end) => `${sid}-${end}`));
  const groups = context.nodesOf('Group').filter((node) => ids.has(objectIdOf(context.graph, node)));
  return [...new Set([...groups, ...change.removed.map(({ end }) => end)])];
}

export interface DeniedService {
  readonly account: number;
  /** The denied group that it belongs to; undefined if it is denied itself. */
  readonly group: number | undefined;
}

/** @returns enabled accounts of the domain with a service principal name, and managed service accounts, ascending */
export function deniedServices(context: AnalysisContext, repair: Repair): DeniedService[] {
  const { properties, graph } = context;
  const { of } = context.use(environments);
  const { filter } = context.edges('MemberOf');
  const isService = (node: number): boolean =>
    of[node] === of[repair.object] &&
    properties.flag('enabled', node) !== false &&
    ['gmsa', 'msa', 'hasspn'].some((key) => properties.flag(key, node) === true);
  const users = context.nodesOf('User');
  const found = new Map<number, number | undefined>();
  // Moving an account out of its group is the way out, so the group is named if there is one.
  for (const denied of deniedPrincipals(context, repair))
    for (const node of reachableNodes(graph, [denied], { direction: 'in', filter }).and(users))
      if (isService(node) && found.get(node) === undefined)
        found.set(node, node === denied ? undefined : denied);
  return [...found].map(([account, group]) => ({ account, group })).sort((a, b) => a.account - b.account);
}
