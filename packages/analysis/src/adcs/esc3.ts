/**
 * ADCSESC3: a certificate of the agent template lets its holder enroll in the target template on behalf of others. Both templates and both
 * CAs must allow the principal to enroll; restrictions on enrollment agents, if collected, limit it to the delegated agents.
 *
 * Rule: `docs/rules.md#adcsesc3`. Restrictions that were not collected count as absent, the Windows default: this is the only place where
 * missing data creates an edge.
 */
import type { NodeSet } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import type { PrincipalSet } from '../directory/principalSets.ts';
import { mergeSets } from '../mergeSets.ts';
import type { Rule } from '../rule.ts';
import { certificateAuthorities, commonDomains, type EnterpriseCa } from './certificateAuthorities.ts';
import {
  authenticates,
  type CertTemplate,
  certTemplates,
  needsNoApproval,
  needsNoSignatureStrictly,
} from './certTemplates.ts';
import {
  CA_ENROLLMENT,
  enrollment,
  TEMPLATE_ENROLLMENT,
  usersWithoutDnsName,
  withoutDnsNameFor,
} from './enrollment.ts';
import { published } from './escalation.ts';
import { PkiSketch } from './pkiSketch.ts';

const DELEGATION = ['DelegatedEnrollmentAgent'] as const;

/** An agent template at one CA with a target template at another CA or the same one. */
interface AgentCase {
  readonly agent: CertTemplate;
  readonly agentCa: EnterpriseCa;
  readonly target: CertTemplate;
  readonly targetCa: EnterpriseCa;
  readonly restricted: boolean;
  readonly principals: NodeSet;
  readonly exceptStarts: NodeSet | undefined;
  readonly domains: readonly number[];
}

/** @param only skips cases that certainly do not involve this principal */
function* cases(context: AnalysisContext, only?: number): Generator<AgentCase> {
  const { active, publishersOf } = context.use(certificateAuthorities);
  const templates = context.use(certTemplates);
  const agentsOf = context.edges('EnrollOnBehalfOf');
  for (const targetCa of active) {
    for (const target of targetCa.templates) {
      if (!needsNoApproval(target) || !authenticates(target)) continue;
      for (const agentNode of agentsOf.startsOf(target.node)) {
        const agent = templates.get(agentNode);
        if (agent === undefined || !needsNoApproval(agent) || !needsNoSignatureStrictly(agent)) continue;
        for (const agentCa of publishersOf(agentNode)) {
          const domains = !agentCa.isHosted ? [] : commonDomains(targetCa, agentCa);
          if (domains.length === 0) continue;
          const restricted = restrictsAgents(context, targetCa);
          const sets = rightsOf(context, agent, agentCa, target, targetCa);
          if (restricted) sets.push(context.use(enrollment).holdersOf(target.node, DELEGATION));
          if (sets.some((set) => set.direct.isEmpty)) continue;
          if (only !== undefined && !context.use(enrollment).mayCarry(only, sets)) continue;
          const covered = context.use(enrollment).cover(...sets);
          const exceptStarts = withoutDnsNameFor(context, agent);
          const principals = exceptStarts === undefined ? covered : covered.andNot(exceptStarts);
          yield { agent, agentCa, target, targetCa, restricted, principals, exceptStarts, domains };
        }
      }
    }
  }
}

function restrictsAgents({ properties }: AnalysisContext, ca: EnterpriseCa): boolean {
  return (
    properties.flag('enrollmentagentrestrictionscollected', ca.node) === true &&
    properties.flag('hasenrollmentagentrestrictions', ca.node) === true
  );
}

/** In rule order: the first is the reference set. */
function rightsOf(
  context: AnalysisContext,
  agent: CertTemplate,
  agentCa: EnterpriseCa,
  target: CertTemplate,
  targetCa: EnterpriseCa,
): PrincipalSet[] {
  const enrolled = context.use(enrollment);
  return [
    enrolled.ofTemplate(agent),
    enrolled.ofTemplate(target),
    enrolled.ofCa(agentCa),
    enrolled.ofCa(targetCa),
  ];
}

export const esc3: Rule = {
  name: 'ADCSESC3',
  produces: ['ADCSESC3'],
  reads: {
    edges: ['EnrollOnBehalfOf'],
    nodeProperties: ['enrollmentagentrestrictionscollected', 'hasenrollmentagentrestrictions'],
    shared: [certTemplates, certificateAuthorities, enrollment, usersWithoutDnsName],
  },
  derive: (context, edges) => {
    const united = mergeSets(
      context.graph.nodeCount,
      cases(context),
      (found) => found.domains,
      (found) => found.principals,
    );
    for (const [domains, principals] of united) edges.addProduct('ADCSESC3', principals, domains);
  },
  *ways(context) {
    const enrolled = context.use(enrollment);
    for (const found of cases(context)) {
      const { agent, agentCa, target, targetCa, principals, domains } = found;
      if (principals.isEmpty) continue;
      yield {
        ...{ kind: 'ADCSESC3', starts: principals, exceptStarts: found.exceptStarts, ends: domains },
        needs: [
          { setting: 'template-approval', node: agent.node },
          { setting: 'template-approval', node: target.node },
          published({ template: agent, ca: agentCa }),
          published({ template: target, ca: targetCa }),
        ],
        rights: [
          enrolled.rightOn(agent.node, TEMPLATE_ENROLLMENT),
          enrolled.rightOn(target.node, TEMPLATE_ENROLLMENT),
          enrolled.rightOn(agentCa.node, CA_ENROLLMENT),
          enrolled.rightOn(targetCa.node, CA_ENROLLMENT),
          ...(found.restricted ? [enrolled.rightOn(target.node, DELEGATION)] : []),
        ],
      };
    }
  },
  compose: (context, { start, end }) => {
    const sketch = new PkiSketch(context);
    for (const found of cases(context, start)) {
      if (!found.principals.has(start) || !found.domains.includes(end)) continue;
      const { agent, agentCa, target, targetCa } = found;
      sketch.addEdge(agent.node, 'EnrollOnBehalfOf', target.node);
      sketch.addRights([start], TEMPLATE_ENROLLMENT, agent.node);
      sketch.addRights([start], TEMPLATE_ENROLLMENT, target.node);
      if (found.restricted) sketch.addRights([start], DELEGATION, target.node);
      sketch.addCaEnrollment([start], agentCa);
      sketch.addCaEnrollment([start], targetCa);
      sketch.addIssuance(agent.node, agentCa, end);
      sketch.addIssuance(target.node, targetCa, end);
    }
    return sketch.build();
  },
};
