/**
 * CoerceAndRelayNTLMToLDAP and CoerceAndRelayNTLMToLDAPS: every authenticated user can coerce a computer that runs WebClient, and relay the
 * authentication to a domain controller without signing or channel binding. The edge points at the coerced computer. Rule:
 * `docs/rules.md#coerceandrelayntlmtosmb`.
 */
import { NO_NODE, NodeSet } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { specialGroups } from '../directory/specialGroups.ts';
import type { EdgeRef } from '../edgeRef.ts';
import type { Rule } from '../rule.ts';
import type { SettingName } from '../ways.ts';
import { coercibleComputers } from './coercibleComputers.ts';
import { type WeakControllers, weakControllers } from './weakControllers.ts';

const SERVICES = [
  ['CoerceAndRelayNTLMToLDAP', (weak: WeakControllers) => weak.ldap, 'controllers-ldap-signing'],
  ['CoerceAndRelayNTLMToLDAPS', (weak: WeakControllers) => weak.ldaps, 'controllers-channel-binding'],
] as const satisfies readonly (readonly [EdgeKindName, unknown, SettingName])[];

export const relayToLdap: Rule = {
  name: 'relay to LDAP',
  produces: SERVICES.map(([kind]) => kind),
  feature: 'ntlm_post_processing',
  reads: {
    nodeProperties: ['domainsid', 'webclientrunning'],
    shared: [coercibleComputers, domains, weakControllers, specialGroups],
  },
  derive: (context, edges) => {
    const weak = context.use(weakControllers);
    const victims = context
      .use(coercibleComputers)
      .and(context.properties.nodesWhere('webclientrunning', true));
    for (const [kind, targetsOf] of SERVICES) {
      victims.forEach((computer) => {
        const sid = context.properties.text('domainsid', computer);
        const targets = sid === undefined ? undefined : targetsOf(weak).get(sid);
        // A controller cannot be relayed to itself.
        if (targets === undefined || targets.without(computer).isEmpty) return;
        const source = context.use(specialGroups).authenticatedUsersOf(sid);
        if (source !== NO_NODE) edges.add(kind, source, computer);
      });
    }
  },
  *ways(context) {
    const known = context.use(domains);
    const weak = context.use(weakControllers);
    const victims = context
      .use(coercibleComputers)
      .and(context.properties.nodesWhere('webclientrunning', true));
    for (const [kind, targetsOf, setting] of SERVICES) {
      for (const [sid, targets] of targetsOf(weak)) {
        const source = context.use(specialGroups).authenticatedUsersOf(sid);
        const domain = known.bySid(sid);
        if (source === NO_NODE || domain === NO_NODE) continue;
        const ends = victims.filter(
          (computer) =>
            context.properties.text('domainsid', computer) === sid && !targets.without(computer).isEmpty,
        );
        if (!ends.isEmpty)
          yield { kind, starts: [source], ends: [...ends], needs: [{ setting, node: domain }] };
      }
    }
  },
  relayTargets,
};

function relayTargets(context: AnalysisContext, { start, kind }: EdgeRef): Uint32Array {
  const service = SERVICES.find(([name]) => EdgeKind[name] === kind);
  const sid = context.properties.text('domainsid', start);
  if (service === undefined || sid === undefined) return new Uint32Array(0);
  const targets = service[1](context.use(weakControllers)).get(sid) ?? NodeSet.empty(context.graph.nodeCount);
  return targets.and(context.nodesOf('Computer')).toArray();
}
