/**
 * ADCSESC9a, 9b, 10a, 10b: a certificate identifies its holder by an attribute, and a domain controller trusts it. A principal that can
 * write that attribute of a victim that can enroll can take any name: by UPN for any account (a), by DNS name for computers (b); over
 * Kerberos (9) or Schannel (10).
 *
 * Rule: `docs/rules.md#adcsesc9a`.
 */
import type { NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import type { FeatureName } from '../features.ts';
import { mergeSets } from '../mergeSets.ts';
import type { Rule } from '../rule.ts';
import type { SettingName } from '../ways.ts';
import { certificateAuthorities, type EnterpriseCa } from './certificateAuthorities.ts';
import {
  authenticates,
  authenticatesOverSchannel,
  type CertTemplate,
  letsSubjectBeSupplied,
  namesByDns,
  namesByUpn,
  needsNoApproval,
  needsNoSignature,
  omitsSecurityExtension,
  takesSubjectFromDirectory,
} from './certTemplates.ts';
import { CA_ENROLLMENT, enrollment, TEMPLATE_ENROLLMENT } from './enrollment.ts';
import { published } from './escalation.ts';
import { mappingState } from './mappingState.ts';
import { PkiSketch } from './pkiSketch.ts';
import { CONTROL_OF_VICTIM, type VictimChoice, type VictimSet, victims } from './victims.ts';

/** A group may control a million victims; an explanation shows only the first ones. */
const VICTIMS_SHOWN = 100;

export interface WeakMapping {
  readonly kind: EdgeKindName;
  readonly feature?: FeatureName;
  /** Default: all authorities. */
  readonly ca?: (context: AnalysisContext, ca: EnterpriseCa) => boolean;
  readonly template: (template: CertTemplate) => boolean;
  readonly victims: VictimChoice;
  /** Domain controllers of the domain's forest that trust the name in the certificate. */
  readonly controllers: (context: AnalysisContext, domain: number) => NodeSet;
  /** The setting that makes them accept it. */
  readonly setting: SettingName;
  readonly templateSettings: readonly SettingName[];
  readonly authoritySettings?: readonly SettingName[];
}

export function weakMappingRule(mapping: WeakMapping): Rule {
  const { kind, feature } = mapping;
  return {
    name: kind,
    produces: [kind],
    feature,
    reads: {
      edges: CONTROL_OF_VICTIM,
      shared: [certificateAuthorities, enrollment, victims, mappingState],
    },
    derive: (context, edges) => {
      const believing = (ca: EnterpriseCa) =>
        ca.domains.filter((domain) => !mapping.controllers(context, domain).isEmpty);
      const united = mergeSets(
        context.graph.nodeCount,
        authorities(context, mapping).filter((ca) => believing(ca).length > 0),
        believing,
        (ca) => context.use(victims).controllersOf(victimSets(context, mapping, ca).map(([, set]) => set)),
      );
      for (const [domains, principals] of united) edges.addProduct(kind, principals, domains);
    },
    *ways(context) {
      const enrolled = context.use(enrollment);
      for (const ca of authorities(context, mapping)) {
        for (const template of templatesOf(mapping, ca, true)) {
          const set = context.use(victims).of(template, ca, mapping.victims);
          const starts = context.use(victims).controllersOf([set]);
          for (const domain of ca.domains) {
            if (starts.isEmpty || mapping.controllers(context, domain).isEmpty) continue;
            yield {
              ...{ kind, starts, ends: [domain], isHidden: !takesSubjectFromDirectory(template) },
              victims: { nodes: set.nodes, control: CONTROL_OF_VICTIM },
              rights: [
                enrolled.rightOn(template.node, TEMPLATE_ENROLLMENT, 'direct'),
                enrolled.rightOn(ca.node, CA_ENROLLMENT, 'direct'),
              ],
              needs: [
                { setting: mapping.setting, node: domain },
                ...mapping.templateSettings.map((setting) => ({ setting, node: template.node })),
                ...(mapping.authoritySettings ?? []).map((setting) => ({ setting, node: ca.node })),
                published({ template, ca }),
              ],
            };
          }
        }
      }
    },
    compose: (context, { start, end }) => {
      const sketch = new PkiSketch(context);
      const controllers = mapping.controllers(context, end);
      if (controllers.isEmpty) return sketch.build();
      const controlled = context.edges(...CONTROL_OF_VICTIM).endsOf(start);
      for (const ca of authorities(context, mapping)) {
        if (!ca.domains.includes(end)) continue;
        for (const [template, set] of victimSets(context, mapping, ca)) {
          const shown = [...set.nodes.and(controlled)].slice(0, VICTIMS_SHOWN);
          if (shown.length === 0) continue;
          for (const victim of shown) {
            for (const right of CONTROL_OF_VICTIM) sketch.addEdge(start, right, victim);
          }
          sketch.addRights(shown, TEMPLATE_ENROLLMENT, template.node);
          sketch.addCaEnrollment(shown, ca);
          sketch.addIssuance(template.node, ca, end);
          sketch.addControllers(controllers);
        }
      }
      return sketch.build();
    },
  };
}

function authorities(context: AnalysisContext, { ca: fits }: WeakMapping): readonly EnterpriseCa[] {
  const { active } = context.use(certificateAuthorities);
  return fits === undefined ? active : active.filter((ca) => fits(context, ca));
}

function victimSets(
  context: AnalysisContext,
  mapping: WeakMapping,
  ca: EnterpriseCa,
): [CertTemplate, VictimSet][] {
  return templatesOf(mapping, ca, false).map((template) => [
    template,
    context.use(victims).of(template, ca, mapping.victims),
  ]);
}

/**
 * @param orWould includes templates that would qualify once they take the subject from the directory; until then they belong to ADCSESC1
 */
const templatesOf = (mapping: WeakMapping, ca: EnterpriseCa, orWould: boolean): readonly CertTemplate[] =>
  ca.templates.filter(
    (template) =>
      needsNoApproval(template) &&
      needsNoSignature(template) &&
      (takesSubjectFromDirectory(template) ||
        (orWould && letsSubjectBeSupplied(template) && authenticates(template))) &&
      mapping.template(template),
  );

export const overKerberos = {
  controllers: (context: AnalysisContext, domain: number) =>
    context.use(mappingState).weakBindingControllers(domain),
  setting: 'controllers-certificate-binding',
  templateSettings: ['template-security-extension', 'template-approval'],
} as const;

const overSchannel = {
  controllers: (context: AnalysisContext, domain: number) =>
    context.use(mappingState).upnMappingControllers(domain),
  setting: 'controllers-certificate-mapping',
  templateSettings: ['template-approval'],
} as const;

const kerberosTemplate = (template: CertTemplate) =>
  authenticates(template) && omitsSecurityExtension(template);

export const esc9a = weakMappingRule({
  ...overKerberos,
  feature: 'adcs_esc9',
  kind: 'ADCSESC9a',
  template: (template) => kerberosTemplate(template) && namesByUpn(template),
  victims: 'enrollable',
});

export const esc9b = weakMappingRule({
  ...overKerberos,
  feature: 'adcs_esc9',
  kind: 'ADCSESC9b',
  template: (template) => kerberosTemplate(template) && namesByDns(template),
  victims: 'computers',
});

export const esc10a = weakMappingRule({
  ...overSchannel,
  kind: 'ADCSESC10a',
  template: (template) => authenticatesOverSchannel(template) && namesByUpn(template),
  victims: 'enrollable',
});

export const esc10b = weakMappingRule({
  ...overSchannel,
  kind: 'ADCSESC10b',
  template: (template) => authenticatesOverSchannel(template) && namesByDns(template),
  victims: 'computers',
});
