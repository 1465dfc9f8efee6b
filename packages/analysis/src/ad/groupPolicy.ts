/**
 * GPOAppliesTo and CanApplyGPO: which policies take effect on an account, and who may link others to it.
 * Experimental: policy status, security and WMI filters and site links are not considered.
 * Rule: `docs/rules.md#gpoappliesto`.
 */
import { EdgeFlag, type EdgeKindName } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import type { EdgeSink } from '../derivedEdges.ts';
import { domains } from '../directory/domains.ts';
import type { Rule } from '../rule.ts';

const APPLIER_RIGHTS = [
  'WriteGPLink',
  'GenericWrite',
  'GenericAll',
  'WriteDacl',
  'Owns',
  'WriteOwner',
] as const satisfies readonly EdgeKindName[];

/** What is in force at one container. */
interface Inheritance {
  readonly policies: ReadonlySet<number>;
  readonly enforced: ReadonlySet<number>;
  readonly appliers: ReadonlySet<number>;
}

export const groupPolicy: Rule = {
  name: 'group policy application',
  produces: ['GPOAppliesTo', 'CanApplyGPO'],
  feature: 'gpo_application',
  reads: {
    edges: ['Contains', 'GPLink', ...APPLIER_RIGHTS],
    nodeProperties: ['blocksinheritance'],
    shared: [domains],
  },
  derive: (context, edges) => {
    for (const domain of context.use(domains).collected) descend(context, edges, domain);
  },
};

/** Walks the containers below a domain, each once; deep trees do not nest calls. */
function descend(context: AnalysisContext, edges: EdgeSink, domain: number): void {
  const nothing: Inheritance = { policies: new Set(), enforced: new Set(), appliers: new Set() };
  const pending: [node: number, above: Inheritance][] = [[domain, nothing]];
  const seen = new Set<number>([domain]);
  const containers = context.nodesOf('OU').or(context.nodesOf('Container'));
  const accounts = context.nodesOf('User').or(context.nodesOf('Computer'));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, above] = next;
    const here = inForce(context, node, above);
    context.edges('Contains').outOf(node, (child) => {
      if (accounts.has(child)) {
        for (const policy of here.policies) edges.add('GPOAppliesTo', policy, child);
        for (const applier of here.appliers) edges.add('CanApplyGPO', applier, child);
      }
      if (!containers.has(child) || seen.has(child)) return;
      seen.add(child);
      pending.push([child, here]);
    });
    context.throwIfCancelled();
  }
}

function inForce(context: AnalysisContext, node: number, above: Inheritance): Inheritance {
  const isLinkTarget = context.nodesOf('Domain').has(node) || context.nodesOf('OU').has(node);
  if (!isLinkTarget) return above;
  const blocks =
    context.nodesOf('OU').has(node) && context.properties.flag('blocksinheritance', node) === true;
  const policies = new Set(blocks ? above.enforced : above.policies);
  const enforced = new Set(above.enforced);
  context.edges('GPLink').into(node, (policy, _kind, flags) => {
    policies.add(policy);
    if ((flags & EdgeFlag.Enforced) !== 0) enforced.add(policy);
  });
  const principals = context.nodesOf('User').or(context.nodesOf('Group')).or(context.nodesOf('Computer'));
  const appliers = new Set(above.appliers);
  context.edges(...APPLIER_RIGHTS).into(node, (holder) => {
    if (principals.has(holder)) appliers.add(holder);
  });
  return { policies, enforced, appliers };
}
