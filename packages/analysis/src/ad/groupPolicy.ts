/**
 * CanApplyGPO, and GPOAppliesTo for another rule: the policies that apply to an account, and the principals that can link others to it.
 * Experimental: policy status, security and WMI filters and site links are not considered. Rule: `docs/rules.md#gpoappliesto`.
 */
import { EdgeFlag, type EdgeKindName } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
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

/** The policies that apply to one container. */
interface Inheritance {
  readonly policies: ReadonlySet<number>;
  readonly enforced: ReadonlySet<number>;
  readonly appliers: ReadonlySet<number>;
}

export const groupPolicy: Rule = {
  name: 'group policy application',
  produces: ['CanApplyGPO'],
  feature: 'gpo_application',
  reads: {
    edges: ['Contains', 'GPLink', ...APPLIER_RIGHTS],
    nodeProperties: ['blocksinheritance'],
    shared: [domains],
  },
  derive: (context, edges) => {
    descendAll(context, APPLIER_RIGHTS, (account, { appliers }) => {
      for (const applier of appliers) edges.add('CanApplyGPO', applier, account);
    });
  },
};

/** Visits GPOAppliesTo edges of all accounts; used by the rule that produces the kind. */
export function appliedPolicies(
  context: AnalysisContext,
  visit: (policy: number, account: number) => void,
): void {
  descendAll(context, [], (account, { policies }) => {
    for (const policy of policies) visit(policy, account);
  });
}

type Visit = (account: number, inForce: Inheritance) => void;

/** @param rights rights whose holders may link policies */
function descendAll(context: AnalysisContext, rights: readonly EdgeKindName[], visit: Visit): void {
  for (const domain of context.use(domains).collected) descend(context, rights, visit, domain);
}

/** Visits the containers below a domain, each once, without recursion. */
function descend(
  context: AnalysisContext,
  rights: readonly EdgeKindName[],
  visit: Visit,
  domain: number,
): void {
  const nothing: Inheritance = { policies: new Set(), enforced: new Set(), appliers: new Set() };
  const pending: [node: number, above: Inheritance][] = [[domain, nothing]];
  const seen = new Set<number>([domain]);
  const containers = context.nodesOf('OU').or(context.nodesOf('Container'));
  const accounts = context.nodesOf('User').or(context.nodesOf('Computer'));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, above] = next;
    const here = inForce(context, rights, node, above);
    context.edges('Contains').outOf(node, (child) => {
      if (accounts.has(child)) visit(child, here);
      if (!containers.has(child) || seen.has(child)) return;
      seen.add(child);
      pending.push([child, here]);
    });
    context.throwIfCanceled();
  }
}

function inForce(
  context: AnalysisContext,
  rights: readonly EdgeKindName[],
  node: number,
  above: Inheritance,
): Inheritance {
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
  if (rights.length > 0)
    context.edges(...rights).into(node, (holder) => {
      if (principals.has(holder)) appliers.add(holder);
    });
  return { policies, enforced, appliers };
}
