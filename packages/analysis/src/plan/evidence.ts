/**
 * What a finding rests on: the values of its object, the relations behind it, and the repairs that close it.
 *
 * Rule: `docs/findings.md#evidence`.
 */
import { findEdge, type JsonValue, NO_EDGE } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import { compose } from '../analyse.ts';
import type { AnalysisContext } from '../analysisContext.ts';
import { inheritanceSource } from '../directory/inheritance.ts';
import { type EdgeRef, isInherited } from '../edgeRef.ts';
import { environments } from '../findings/environments.ts';
import { FINDING_TYPES, type FindingType } from '../findings/types/index.ts';
import { RULES } from '../rules.ts';
import type { SettingName } from '../ways.ts';
import { adviceFor } from './advice.ts';
import type { EvidenceQuestion } from './evidenceQuestion.ts';
import { type Repair, RepairCatalogue, ruleKinds } from './repairs.ts';

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

export function evidenceOf(context: AnalysisContext, question: EvidenceQuestion): Evidence {
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
    return {
      values,
      advice: adviceFor(context, question),
      relations: relationsOf(context, type, target),
      repairs: repairsOfSetting(context, catalogue, type.id, target),
    };
  }
  const edge = { start: source, kind: edgeKind, end: target };
  const behind = compose(context, edge).edges;
  return {
    values,
    advice: adviceFor(context, question),
    relations: (behind.length === 0 ? [edge] : behind).map((ref) => shownRelation(context, ref)),
    repairs: repairsOfEdge(context, catalogue, edge),
  };
}

function shownRelation({ graph }: AnalysisContext, ref: EdgeRef): EvidenceRelation {
  if (!isInherited(graph, ref)) return { ...ref, isInherited: false };
  const inheritedFrom = inheritanceSource(graph, ref);
  return { ...ref, isInherited: true, ...(inheritedFrom !== undefined && { inheritedFrom }) };
}

/** Relations of the kinds that the type looks at, at its object. */
function relationsOf(context: AnalysisContext, type: FindingType, target: number): Evidence['relations'] {
  const kinds = type.kind === 'list' ? (type.reads?.edges ?? []) : [];
  if (kinds.length === 0) return [];
  const found: EdgeRef[] = [];
  const edges = context.edges(...kinds);
  edges.outOf(target, (end, kind) => found.push({ start: target, kind, end }));
  edges.into(target, (start, kind) => found.push({ start, kind, end: target }));
  return found.slice(0, MOST_RELATIONS).map((ref) => shownRelation(context, ref));
}

function repairsOfEdge(context: AnalysisContext, catalogue: RepairCatalogue, edge: EdgeRef): Repair[] {
  const rule = RULES.find(
    ({ produces, ways }) => ways !== undefined && produces.some((kind) => EdgeKind[kind] === edge.kind),
  );
  const places = new Set<number | undefined>();
  if (rule?.ways !== undefined) {
    for (const { kind, starts, ends, needs, needsOf } of rule.ways(
      context.readingFor(rule.name, rule.reads),
    )) {
      if (EdgeKind[kind] !== edge.kind || !ends.includes(edge.end) || !holds(starts, edge.start)) continue;
      for (const need of [...needs, ...(needsOf?.(edge.start) ?? [])]) places.add(catalogue.ofNeed(need));
    }
  } else {
    const number = findEdge(context.graph, edge.start, edge.kind, edge.end);
    places.add(catalogue.ofEdge(edge, number === NO_EDGE ? 0 : context.graph.out.flags[number]));
  }
  return [...places]
    .flatMap((place) => (place === undefined ? [] : [catalogue.repairs[place]]))
    .slice(0, MOST_REPAIRS);
}

function holds(starts: Iterable<number>, start: number): boolean {
  for (const one of starts) if (one === start) return true;
  return false;
}

/** Settings that list findings are about. Those of controllers are changed for their whole domain. */
const SETTING_OF: Readonly<Record<string, SettingName>> = {
  TemplateESC1: 'template-subject',
  TemplateESC2: 'template-approval',
  TemplateAgentOpen: 'template-approval',
  TemplateNoSecurityExtension: 'template-security-extension',
  CAEditfFlag: 'authority-san-flag',
  CAWebEnrollmentRelay: 'authority-web-enrolment',
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
  if (setting === undefined) return membershipRepairs(context, catalogue, id, target);
  const { nodes, of } = context.use(environments);
  const node = setting.startsWith('controllers-') ? nodes[of[target]] : target;
  const place = node === undefined ? undefined : catalogue.ofNeed({ setting, node });
  return place === undefined ? [] : [catalogue.repairs[place]];
}

/** List findings about relations of one object: which ends, and of which kinds. */
const RELATION_OF: Readonly<Record<string, readonly [side: 'in' | 'out', kind: EdgeKindName]>> = {
  NestedForeignPrincipals: ['out', 'MemberOf'],
  OperatorsGroupsUsed: ['in', 'MemberOf'],
  DnsAdminsNotEmpty: ['in', 'MemberOf'],
  SchemaAdminsNotEmpty: ['in', 'MemberOf'],
  PreWindows2000Access: ['in', 'MemberOf'],
  RBCDConfigured: ['in', 'AllowedToAct'],
  SIDHistoryPresent: ['out', 'HasSIDHistory'],
  PrivilegedSIDHistory: ['out', 'HasSIDHistory'],
  UnconstrainedDelegationComputers: ['out', 'CoerceToTGT'],
  UnconstrainedDelegationUsers: ['out', 'CoerceToTGT'],
};

function membershipRepairs(
  context: AnalysisContext,
  catalogue: RepairCatalogue,
  id: string,
  target: number,
): Repair[] {
  const [side, kind] = RELATION_OF[id] ?? [];
  if (side === undefined || kind === undefined) return [];
  const edges = context.edges(kind);
  const found: number[] = [];
  const add = (start: number, end: number, flags: number): void => {
    const place = catalogue.ofEdge({ start, kind: EdgeKind[kind], end }, flags);
    if (place !== undefined) found.push(place);
  };
  if (side === 'out') edges.outOf(target, (end, _, flags) => add(target, end, flags));
  else edges.into(target, (start, _, flags) => add(start, target, flags));
  return found.slice(0, MOST_REPAIRS).map((place) => catalogue.repairs[place]);
}
