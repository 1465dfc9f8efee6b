/**
 * What a finding rests on: the values of its object, the relations behind it, and the repairs that close it.
 *
 * Rule: `docs/findings.md#evidence`.
 */
import { type JsonValue, NodeSet, nameOf, objectIdOf } from '@clew/graph';
import { compose } from '../analyse.ts';
import type { AnalysisContext } from '../analysisContext.ts';
import { inheritanceSource } from '../directory/inheritance.ts';
import { type EdgeRef, isInherited } from '../edgeRef.ts';
import { environments } from '../findings/environments.ts';
import { FindingFacts } from '../findings/findingFacts.ts';
import { FINDING_TYPES } from '../findings/types/index.ts';
import type { SettingName } from '../ways.ts';
import { adviceFor } from './advice.ts';
import type { EvidenceQuestion } from './evidenceQuestion.ts';
import { foundRelations, isNeeded, isRepairedByRelations } from './foundRelations.ts';
import { aboutPermanent } from './permanent.ts';
import { type Repair, RepairCatalogue, ruleKinds } from './repairs.ts';
import { repairsBehind } from './repairsBehind.ts';

export interface EvidenceRelation extends EdgeRef {
  readonly isInherited: boolean;
  /** Container that an inherited entry comes from, where it was seen there. */
  readonly inheritedFrom?: number;
}

export interface Evidence {
  readonly values: readonly { readonly node: number; readonly key: string; readonly value: JsonValue }[];
  /** All alternatives of a derived relation; else the relation, or what links the object of a list finding. */
  readonly relations: readonly EvidenceRelation[];
  /** What the remedy of the type cannot know of these objects; sentences. */
  readonly advice: readonly string[];
  /** Each of them closes the finding, or one of its ways. */
  readonly repairs: readonly Repair[];
}

/** Relations shown of an object of a list finding. */
const MOST_RELATIONS = 50;
const MOST_REPAIRS = 20;

/** What says most of an account or a computer, whatever the finding. */
const ALWAYS = [
  ...['enabled', 'pwdlastset', 'lastlogontimestamp', 'whencreated', 'admincount', 'serviceprincipalnames'],
  ...['operatingsystem', 'unconstraineddelegation', 'allowedtodelegate', 'gmsa', 'sidhistory'],
] as const;

/** @param tierZero its members; without them nothing is known to be inside or outside */
export function evidenceOf(
  context: AnalysisContext,
  question: EvidenceQuestion,
  tierZero: NodeSet = NodeSet.empty(context.graph.nodeCount),
): Evidence {
  const facts = new FindingFacts(context, tierZero, Date.now() / 1000);
  const type = FINDING_TYPES[question.type];
  const { source, target, edgeKind } = question;
  const ends = source === undefined ? [target] : [source, target];
  const keys = new Set<string>([
    ...(type.kind === 'list'
      ? [...type.needs, type.seenBy ?? '', ...(type.reads?.nodeProperties ?? [])]
      : []),
    ...ALWAYS,
  ]);
  const values = ends.flatMap((node) =>
    [...keys].flatMap((key) => {
      const value = context.properties.value(key, node);
      return value === undefined || value === null ? [] : [{ node, key, value }];
    }),
  );
  const catalogue = new RepairCatalogue(context, ruleKinds());
  if (type.kind === 'list' || source === undefined || edgeKind === undefined) {
    const found = foundRelations(facts, type.id, target);
    return {
      values,
      advice: [
        ...adviceFor(context, question),
        ...aboutNeeded(facts, found),
        ...(isRepairedByRelations(type.id) ? aboutPermanent(context, found) : []),
      ],
      relations: withCauses(context, found.slice(0, MOST_RELATIONS)).map((ref) =>
        shownRelation(context, ref),
      ),
      repairs: [
        ...repairsOfSetting(context, catalogue, type.id, target),
        ...repairsOfRelations(facts, catalogue, type.id, found),
      ].slice(0, MOST_REPAIRS),
    };
  }
  const edge = { start: source, kind: edgeKind, end: target };
  const behind = compose(context, edge).edges;
  const stands = behind.length === 0 ? [edge] : behind;
  const isKept = isNeeded(facts, edge);
  return {
    values,
    advice: [
      ...adviceFor(context, question),
      ...aboutNeeded(facts, [edge]),
      ...aboutPermanent(context, stands),
    ],
    relations: stands.map((ref) => shownRelation(context, ref)),
    repairs: isKept ? [] : repairsOfEdge(context, catalogue, edge),
  };
}

/** Each relation, and behind a derived one what it is made of, which its repairs are about. */
function withCauses(context: AnalysisContext, found: readonly EdgeRef[]): EdgeRef[] {
  const all = new Map<string, EdgeRef>();
  for (const ref of found)
    for (const edge of [ref, ...compose(context, ref).edges])
      all.set(`${edge.start} ${edge.kind} ${edge.end}`, edge);
  return [...all.values()];
}

function shownRelation({ graph }: AnalysisContext, ref: EdgeRef): EvidenceRelation {
  if (!isInherited(graph, ref)) return { ...ref, isInherited: false };
  const inheritedFrom = inheritanceSource(graph, ref);
  return { ...ref, isInherited: true, ...(inheritedFrom !== undefined && { inheritedFrom }) };
}

/** Of relations that stay although they give control. */
function aboutNeeded(facts: FindingFacts, relations: readonly EdgeRef[]): string[] {
  const { graph } = facts.context;
  const needed = relations.find((edge) => isNeeded(facts, edge));
  if (needed === undefined) return [];
  const name = nameOf(graph, needed.start) || objectIdOf(graph, needed.start);
  return [
    `${name} is a connector account of directory synchronisation. Leave its replication rights: without them password hash synchronisation stops. Add the account and the server of the synchronisation to Tier Zero, and protect them like the rest of it.`,
  ];
}

/** Of each relation that the rule found, the repair that takes it away, but for those that something needs. */
function repairsOfRelations(
  facts: FindingFacts,
  catalogue: RepairCatalogue,
  id: string,
  found: readonly EdgeRef[],
): Repair[] {
  if (!isRepairedByRelations(id)) return [];
  const repairs = new Set<Repair>();
  for (const edge of found) {
    if (isNeeded(facts, edge)) continue;
    for (const repair of repairsOfEdge(facts.context, catalogue, edge)) repairs.add(repair);
    if (repairs.size >= MOST_REPAIRS) break;
  }
  return [...repairs];
}

function repairsOfEdge(context: AnalysisContext, catalogue: RepairCatalogue, edge: EdgeRef): Repair[] {
  return repairsBehind(context, catalogue, edge)
    .slice(0, MOST_REPAIRS)
    .map((place) => catalogue.repairs[place]);
}

/** Settings that list findings are about. Those of controllers are changed for their whole domain. */
const SETTING_OF: Readonly<Record<string, SettingName>> = {
  TemplateESC1: 'template-subject',
  TemplateESC2: 'template-approval',
  TemplateESC15: 'template-subject',
  TemplateAgentOpen: 'template-approval',
  TemplateNoSecurityExtension: 'template-security-extension',
  CAEditfFlag: 'authority-san-flag',
  CAWebEnrollmentRelay: 'authority-web-enrolment',
  CAUnencryptedRPC: 'authority-rpc-encryption',
  CASecurityExtensionDisabled: 'authority-extensions',
  DCWeakCertificateBinding: 'controllers-certificate-binding',
  DCUPNCertificateMapping: 'controllers-certificate-mapping',
  DCLDAPSigningOff: 'controllers-ldap-signing',
  DCLDAPSChannelBindingOff: 'controllers-channel-binding',
  SMBSigningNotRequired: 'computer-smb-signing',
  T0SMBSigningNotRequired: 'computer-smb-signing',
};

function repairsOfSetting(
  context: AnalysisContext,
  catalogue: RepairCatalogue,
  id: string,
  target: number,
): Repair[] {
  const setting = SETTING_OF[id];
  if (setting === undefined) return [];
  const { nodes, of } = context.use(environments);
  const node = setting.startsWith('controllers-') ? nodes[of[target]] : target;
  const place = node === undefined ? undefined : catalogue.ofNeed({ setting, node });
  return place === undefined ? [] : [catalogue.repairs[place]];
}
