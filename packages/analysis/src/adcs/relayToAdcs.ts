/**
 * CoerceAndRelayNTLMToADCS: the authentication of a coerced computer is relayed to a CA, which issues a certificate in the computer's name:
 * to its web enrollment (ESC8), or to its request interface if that accepts unencrypted requests (ESC11). The edge starts at Authenticated
 * Users of the domain that accepts the certificate, because anyone can coerce, and ends at the computer.
 *
 * Rule: `docs/rules.md#coerceandrelayntlmtoadcs`.
 */
import { NO_NODE, type NodeSet } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { specialGroups } from '../directory/specialGroups.ts';
import type { EdgeRef } from '../edgeRef.ts';
import { mergeSets } from '../mergeSets.ts';
import { coercibleComputers } from '../ntlm/coercibleComputers.ts';
import type { Rule } from '../rule.ts';
import type { SettingName } from '../ways.ts';
import { certificateAuthorities, type EnterpriseCa } from './certificateAuthorities.ts';
import {
  authenticates,
  type CertTemplate,
  needsNoApproval,
  needsNoSignatureWhenRelayed,
} from './certTemplates.ts';
import { CA_ENROLLMENT, enrollment, TEMPLATE_ENROLLMENT } from './enrollment.ts';
import { published } from './escalation.ts';
import { PkiSketch } from './pkiSketch.ts';
import { victims } from './victims.ts';

type RelaySetting = Extract<SettingName, 'authority-web-enrollment' | 'authority-rpc-encryption'>;

interface RelayCase {
  readonly ca: EnterpriseCa;
  /** The settings that accept relayed requests. */
  readonly openings: readonly RelaySetting[];
  readonly template: CertTemplate;
  readonly computers: NodeSet;
  /** Authenticated Users of each domain of the CA, keyed by group. */
  readonly everybody: ReadonlyMap<number, number>;
}

function* cases(context: AnalysisContext): Generator<RelayCase> {
  for (const ca of context.use(certificateAuthorities).active) {
    const openings = openingsOf(context, ca);
    if (openings.length === 0) continue;
    const everybody = authenticatedUsersOf(context, ca);
    for (const template of ca.templates) {
      if (!needsNoApproval(template) || !authenticates(template)) continue;
      if (!needsNoSignatureWhenRelayed(template)) continue;
      const enrollable = context.use(victims).of(template, ca, 'computers').nodes;
      yield { ca, openings, template, computers: enrollable.and(context.use(coercibleComputers)), everybody };
    }
  }
}

/** No released collector reads the flag of the interface; its value comes from other sources. */
function openingsOf({ properties, options }: AnalysisContext, { node }: EnterpriseCa): RelaySetting[] {
  const openings: RelaySetting[] = [];
  if (properties.flag('hasvulnerableendpoint', node) === true) openings.push('authority-web-enrollment');
  if (options.rules === 'clean' && properties.flag('rpcencryptionenforced', node) === false) {
    openings.push('authority-rpc-encryption');
  }
  return openings;
}

function authenticatedUsersOf(context: AnalysisContext, ca: EnterpriseCa): Map<number, number> {
  const { authenticatedUsersOf: groupOf } = context.use(specialGroups);
  const groups = ca.domains.map((domain) => [groupOf(context.use(domains).sidOf(domain)), domain] as const);
  return new Map(groups.filter(([group]) => group !== NO_NODE));
}

/** @returns the cases behind an edge */
function* casesBehind(context: AnalysisContext, { start, end }: EdgeRef): Generator<RelayCase> {
  for (const found of cases(context)) {
    if (found.everybody.has(start) && found.computers.has(end)) yield found;
  }
}

export const relayToAdcs: Rule = {
  name: 'CoerceAndRelayNTLMToADCS',
  produces: ['CoerceAndRelayNTLMToADCS'],
  feature: 'ntlm_post_processing',
  reads: {
    nodeProperties: ['hasvulnerableendpoint', 'rpcencryptionenforced'],
    shared: [certificateAuthorities, enrollment, victims, domains, specialGroups, coercibleComputers],
  },
  derive: (context, edges) => {
    const united = mergeSets(
      context.graph.nodeCount,
      cases(context),
      (found) => [...found.everybody.keys()],
      (found) => found.computers,
    );
    for (const [groups, computers] of united) {
      edges.addProduct('CoerceAndRelayNTLMToADCS', groups, computers);
    }
  },
  *ways(context) {
    const enrolled = context.use(enrollment);
    for (const { ca, openings, template, computers, everybody } of cases(context)) {
      if (computers.isEmpty || everybody.size === 0) continue;
      for (const setting of openings) {
        yield {
          ...{ kind: 'CoerceAndRelayNTLMToADCS', starts: [...everybody.keys()], ends: [...computers] },
          endRights: [
            enrolled.rightOn(template.node, TEMPLATE_ENROLLMENT, 'direct'),
            enrolled.rightOn(ca.node, CA_ENROLLMENT, 'direct'),
          ],
          needs: [
            { setting, node: ca.node },
            { setting: 'template-approval', node: template.node },
            published({ template, ca }),
          ],
        };
      }
    }
  },
  compose: (context, edge) => {
    const sketch = new PkiSketch(context);
    for (const { ca, template, everybody } of casesBehind(context, edge)) {
      sketch.addRights([edge.end], TEMPLATE_ENROLLMENT, template.node);
      sketch.addCaEnrollment([edge.end], ca);
      sketch.addIssuance(template.node, ca, everybody.get(edge.start)!);
    }
    return sketch.build();
  },
  relayTargets: (context, edge) =>
    Uint32Array.from(new Set([...casesBehind(context, edge)].map(({ ca }) => ca.node))).sort(),
};
