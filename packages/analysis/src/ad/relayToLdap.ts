/**
 * CoerceAndRelayNTLMToLDAP and CoerceAndRelayNTLMToLDAPS: every authenticated user can make a computer that runs
 * WebClient authenticate, and relay that to a domain controller without signing or channel binding. The edge
 * points at the coerced computer. Rule: shared reference `derived-ad.md` 4.7.
 */
import { NO_NODE, NodeSet } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { specialGroups } from '../directory/specialGroups.ts';
import type { EdgeRef, Rule } from '../rule.ts';
import { type Coercion, coercion } from './coercion.ts';

const SERVICES = [
  ['CoerceAndRelayNTLMToLDAP', (sets: Coercion) => sets.ldapTargets],
  ['CoerceAndRelayNTLMToLDAPS', (sets: Coercion) => sets.ldapsTargets],
] as const satisfies readonly (readonly [EdgeKindName, unknown])[];

export const relayToLdap: Rule = {
  name: 'relay to LDAP',
  produces: SERVICES.map(([kind]) => kind),
  feature: 'ntlm_post_processing',
  reads: { nodeProperties: ['domainsid', 'webclientrunning'], shared: [coercion, specialGroups] },
  derive: (context, edges) => {
    const sets = context.use(coercion);
    const victims = sets.coercible.and(context.properties.nodesWhere('webclientrunning', true));
    for (const [kind, targetsOf] of SERVICES) {
      victims.forEach((computer) => {
        const sid = context.properties.text('domainsid', computer);
        const targets = sid === undefined ? undefined : targetsOf(sets).get(sid);
        // A controller cannot relay to itself.
        if (targets === undefined || targets.without(computer).isEmpty) return;
        const source = context.use(specialGroups).authenticatedUsersOf(sid);
        if (source !== NO_NODE) edges.add(kind, source, computer);
      });
    }
  },
  relayTargets,
};

function relayTargets(context: AnalysisContext, { start, kind }: EdgeRef): Uint32Array {
  const service = SERVICES.find(([name]) => EdgeKind[name] === kind);
  const sid = context.properties.text('domainsid', start);
  if (service === undefined || sid === undefined) return new Uint32Array(0);
  const targets = service[1](context.use(coercion)).get(sid) ?? NodeSet.empty(context.graph.nodeCount);
  return targets.and(context.nodesOf('Computer')).toArray();
}
