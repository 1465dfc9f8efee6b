/**
 * Framework of the rules in which a principal that enrolls can impersonate others: a template published by an active CA, rights on both,
 * and the resulting domains (or groups). A rule lists its cases; edges and explanations are derived from them.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import type { NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import type { FeatureName } from '../features.ts';
import { mergeSets } from '../mergeSets.ts';
import type { Rule } from '../rule.ts';
import type { Need } from '../ways.ts';
import { certificateAuthorities, type EnterpriseCa } from './certificateAuthorities.ts';
import type { CertTemplate } from './certTemplates.ts';
import { CA_ENROLLMENT, enrollment, TEMPLATE_ENROLLMENT, withoutDnsNameFor } from './enrollment.ts';
import { PkiSketch } from './pkiSketch.ts';

/** One template at one CA, with the principals that hold the required rights there. */
export interface EscalationCase {
  readonly ca: EnterpriseCa;
  readonly template: CertTemplate;
  /** Starts of edges. */
  readonly principals: NodeSet;
  /** Principals that are never a start, regardless of their rights. */
  readonly exceptStarts?: NodeSet;
  /** Ends of edges. */
  readonly targets: readonly number[];
  /** Rights on the template, each as a list of alternative kinds; a principal needs one kind of each. */
  readonly rights: readonly (readonly EdgeKindName[])[];
}

export interface EscalationRule {
  readonly kind: EdgeKindName;
  /** Inputs in addition to CAs and the principals that may enroll. */
  readonly reads?: Reads;
  readonly feature?: FeatureName;
  /** @param only skips cases that certainly do not involve this principal */
  readonly cases: (context: AnalysisContext, only?: number) => Iterable<EscalationCase>;
  /** Settings required for a case, in addition to the rights and the published template. */
  readonly settings: (found: EscalationCase) => readonly Need[];
  /** Further settings required for edges to one target. */
  readonly settingsOf?: (target: number, found: EscalationCase, context: AnalysisContext) => readonly Need[];
  /** Domains whose trust in the CA explains an edge to this target; default the target itself. */
  readonly domainsOf?: (context: AnalysisContext, ca: EnterpriseCa, target: number) => readonly number[];
  /** Adds the other reasons for an edge to this target. */
  readonly explain?: (
    context: AnalysisContext,
    sketch: PkiSketch,
    found: EscalationCase,
    target: number,
  ) => void;
}

export function escalationRule({
  kind,
  reads,
  feature,
  cases,
  settings,
  settingsOf,
  domainsOf,
  explain,
}: EscalationRule): Rule {
  return {
    name: kind,
    produces: [kind],
    reads: {
      ...reads,
      shared: [certificateAuthorities, enrollment, ...(reads?.shared ?? [])],
    },
    feature,
    derive: (context, edges) => {
      const united = mergeSets(
        context.graph.nodeCount,
        cases(context),
        (found) => found.targets,
        (found) => found.principals,
      );
      for (const [targets, principals] of united) edges.addProduct(kind, principals, targets);
    },
    *ways(context) {
      const enrolled = context.use(enrollment);
      for (const found of cases(context)) {
        if (found.principals.isEmpty) continue;
        const { ca, template, rights, exceptStarts } = found;
        const way = {
          ...{ kind, starts: found.principals, exceptStarts },
          rights: [
            ...rights.map((choice) => enrolled.rightOn(template.node, choice)),
            enrolled.rightOn(ca.node, CA_ENROLLMENT),
          ],
        };
        const needs = [...settings(found), published(found)];
        if (settingsOf === undefined) yield { ...way, ends: found.targets, needs };
        else
          for (const target of found.targets)
            yield { ...way, ends: [target], needs: [...needs, ...settingsOf(target, found, context)] };
      }
    },
    compose: (context, { start, end }) => {
      const sketch = new PkiSketch(context);
      for (const found of cases(context, start)) {
        if (!found.principals.has(start) || !found.targets.includes(end)) continue;
        for (const choice of found.rights) sketch.addRights([start], choice, found.template.node);
        sketch.addCaEnrollment([start], found.ca);
        for (const domain of domainsOf?.(context, found.ca, end) ?? [end]) {
          sketch.addIssuance(found.template.node, found.ca, domain);
        }
        explain?.(context, sketch, found, end);
      }
      return sketch.build();
    },
  };
}

export const published = ({ template, ca }: Pick<EscalationCase, 'template' | 'ca'>): Need => ({
  ...{ start: template.node, kind: 'PublishedTo', end: ca.node },
});

/** The conditions that a rule adds to "may enroll in the template and at the CA". */
export interface EnrollmentConditions {
  readonly ca?: (context: AnalysisContext, ca: EnterpriseCa) => boolean;
  readonly template: (template: CertTemplate) => boolean;
  /** Excludes ordinary users if the template requires a DNS name. */
  readonly dnsFilter: boolean;
  /** Default: the CA's domains. */
  readonly targets?: (
    context: AnalysisContext,
    ca: EnterpriseCa,
    template: CertTemplate,
  ) => readonly number[];
}

/**
 * @param only skips cases that certainly do not involve this principal
 * @returns a case for each matching template at each matching active CA
 */
export function* enrollmentCases(
  context: AnalysisContext,
  only: number | undefined,
  { ca: fits, template: isUsable, dnsFilter, targets: targetsOf }: EnrollmentConditions,
): Generator<EscalationCase> {
  const enrolled = context.use(enrollment);
  for (const ca of context.use(certificateAuthorities).active) {
    if (fits !== undefined && !fits(context, ca)) continue;
    for (const template of ca.templates) {
      if (!isUsable(template)) continue;
      const targets = targetsOf === undefined ? ca.domains : targetsOf(context, ca, template);
      if (targets.length === 0) continue;
      const sets = [enrolled.ofTemplate(template), enrolled.ofCa(ca)];
      if (only !== undefined && !enrolled.mayCarry(only, sets)) continue;
      const covered = enrolled.cover(...sets);
      const exceptStarts = dnsFilter ? withoutDnsNameFor(context, template) : undefined;
      const principals = exceptStarts === undefined ? covered : covered.andNot(exceptStarts);
      yield { ca, template, principals, exceptStarts, targets, rights: [TEMPLATE_ENROLLMENT] };
    }
  }
}
