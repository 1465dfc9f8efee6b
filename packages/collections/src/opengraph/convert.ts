/**
 * Converts OpenGraph nodes and edges to facts. Edges are added to those that their source reported before: a payload enumerates nothing, so
 * facts that a later payload lacks are not removed (they age, or their source is deleted). Rules:
 * `docs/reference/collections.md#opengraph`.
 */
import {
  type EdgeFact,
  EdgeFlag,
  edgeKindByName,
  type MatchedEdgeFact,
  type NodeMatcher,
  nodeKindByName,
  type ObjectFacts,
  OWNERLESS,
  type Properties,
  type PropertyValue,
  type ReadIssue,
} from '@clew/model';
import type { CollectionHeader } from '../header.ts';
import { type Item, isItem, type Violation, validateEdge, validateNode } from './validate.ts';

/** Node properties stored in upper case, like names and ids of collected objects. */
const UPPER_CASE_PROPERTIES = new Set(['name', 'operatingsystem', 'distinguishedname', 'environmentid']);

/** Edge properties converted to bits, so that edges of built-in kinds are fully used in analysis. */
const FLAG_PROPERTIES: ReadonlyMap<string, number> = new Map([
  ['isinherited', EdgeFlag.Inherited],
  ['enforced', EdgeFlag.Enforced],
  ['isprimarygroup', EdgeFlag.PrimaryGroup],
]);

const OTHER_ID = 'the property "objectid" differs from the ID; the ID is used';

const NOT_AN_OBJECT: readonly Violation[] = [{ path: '', problem: 'must be an object' }];

/** Traits that the payload declares for itself. */
export type PayloadTraits = Pick<CollectionHeader, 'sourceKind' | 'keepsCase'>;

export function convertNode(
  value: unknown,
  index: number,
  payload: PayloadTraits,
  offset?: number,
): ObjectFacts {
  const place = { list: 'graph.nodes', index, offset };
  if (!isItem(value)) return rejected(place, NOT_AN_OBJECT);
  const violations = validateNode(value, payload.sourceKind);
  if (violations.length > 0) return rejected(place, violations, value.id);
  const kinds = value.kinds as readonly string[];
  if (isOwnNode(kinds, value.properties)) {
    const reason = 'derived nodes are created again by the analysis';
    return { index, nodes: [], edgeSets: [], issues: [note(index, offset, reason, value.id)] };
  }
  const objectId = idOf(payload, value.id as string, kinds);
  const issues: ReadIssue[] = [];
  const properties: Record<string, PropertyValue> = {};
  for (const [key, property] of Object.entries((value.properties ?? {}) as Properties)) {
    if (key === 'reconcile') continue;
    if (key === 'objectid') {
      // Published collectors write it, following earlier documentation; the id is always the object id.
      if (idOf(payload, String(property), kinds) !== objectId)
        issues.push(note(index, offset, OTHER_ID, value.id));
      continue;
    }
    if (typeof property !== 'string' || !UPPER_CASE_PROPERTIES.has(key)) properties[key] = property;
    else properties[key] = key === 'environmentid' ? idOf(payload, property) : property.toUpperCase();
  }
  const [primary] = kinds;
  if (primary !== undefined) properties.primarykind = primary;
  const node = {
    objectId,
    kinds: withBaseKinds(kinds, payload.sourceKind),
    properties,
    described: false,
  };
  return { index, nodes: [node], edgeSets: [], issues };
}

/** Ends that the payload does not define get no source kind from it: they may belong to another source. */
export function convertEdge(
  value: unknown,
  index: number,
  payload: PayloadTraits,
  offset?: number,
): ObjectFacts {
  const place = { list: 'graph.edges', index, offset };
  if (!isItem(value)) return rejected(place, NOT_AN_OBJECT);
  const violations = validateEdge(value);
  if (violations.length > 0) return rejected(place, violations);
  const kind = value.kind as string;
  if (isOwnResult(kind, value.properties)) {
    const reason = 'derived edges are computed again by the analysis';
    return { index, nodes: [], edgeSets: [], issues: [note(index, offset, reason)] };
  }
  const { flags, properties } = splitProperties(kind, (value.properties ?? {}) as Properties);
  const [start, end] = [endOf(value.start as Item, payload), endOf(value.end as Item, payload)];
  const edge = {
    startKind: start.kind,
    kind,
    endKind: end.kind,
    flags,
    ...(properties === undefined ? {} : { properties }),
  };
  // The set belongs to the end with an id; the store resolves ends that are matched by properties.
  const owner = typeof start.id === 'string' ? start : end;
  const ownerId = typeof owner.id === 'string' ? owner.id : OWNERLESS;
  const edges: EdgeFact[] = [];
  const matchedEdges: MatchedEdgeFact[] = [];
  if (typeof start.id === 'string' && typeof end.id === 'string') {
    edges.push({ ...edge, startId: start.id, endId: end.id });
  } else {
    matchedEdges.push({ ...edge, start: start.id, end: end.id, createMissing: false });
  }
  if (kind === 'MemberOfLocalGroup') edges.push(...computerOfGroup(end.id));
  const set = {
    ownerId,
    ownerKind: owner.kind,
    aspect: 'opengraph' as const,
    edges,
    matchedEdges,
    replaces: false,
  };
  const issues = isAnalysisAlone(kind) ? [note(index, offset, workedOut(kind))] : [];
  return { index, nodes: [], edgeSets: [set], issues };
}

/** A node that an export marked as derived; in other kinds, the property has another meaning. */
function isOwnNode(kinds: readonly string[], properties: unknown): boolean {
  const isDerived = isItem(properties) && properties.derived === true;
  return isDerived && kinds.every((kind) => nodeKindByName(kind) !== undefined);
}

/** An edge that an export marked as derived: if stored, it would remain after its causes disappear. */
function isOwnResult(kind: string, properties: unknown): boolean {
  const origin = edgeKindByName(kind)?.origin;
  return isItem(properties) && properties.derived === true && origin !== undefined && origin !== 'collected';
}

/** Collected edges of such a kind last until the next analysis, which derives them again. */
function isAnalysisAlone(kind: string): boolean {
  return edgeKindByName(kind)?.origin === 'derived';
}

const workedOut = (kind: string): string =>
  `relationships of kind ${kind} are derived by the analysis; relationships of this kind in files are replaced`;

function note(index: number, offset: number | undefined, reason: string, id?: unknown): ReadIssue {
  return {
    severity: 'note',
    index,
    ...(offset === undefined ? {} : { offset }),
    ...(typeof id === 'string' ? { object: id.slice(0, 128) } : {}),
    reason,
  };
}

const LOCAL_GROUP = /^(S-1-5-21-\d+-\d+-\d+-\d+)-\d+$/;

/**
 * The id of a local group starts with the id of its computer. The documented way to report administrators of a computer is a member of
 * `<computer SID>-544`, so this adds the edge from the group to the computer that analysis follows.
 */
function computerOfGroup(group: string | NodeMatcher): EdgeFact[] {
  const computer = typeof group === 'string' ? LOCAL_GROUP.exec(group)?.[1] : undefined;
  if (computer === undefined) return [];
  const ends = { startId: group as string, startKind: 'ADLocalGroup', endId: computer, endKind: 'Computer' };
  return [{ ...ends, kind: 'LocalToComputer', flags: 0 }];
}

/** An end by its id, or by a matcher; with the kind of its stub. */
function endOf(endpoint: Item, payload: PayloadTraits): { id: string | NodeMatcher; kind: string } {
  const kind = (endpoint.kind as string | undefined) ?? '';
  const filter = endpoint.kind === undefined ? {} : { kind: endpoint.kind as string };
  if (endpoint.match_by === 'property') {
    const matchers = endpoint.property_matchers as readonly {
      key: string;
      value: string | number | boolean;
    }[];
    return {
      id: { matchers: matchers.map(({ key, value }) => ({ key, value: storedForm(key, value) })), ...filter },
      kind,
    };
  }
  const value = endpoint.value as string;
  if (endpoint.match_by === 'name')
    return { id: { matchers: [{ key: 'name', value: value.toUpperCase() }], ...filter }, kind };
  return { id: idOf(payload, value, kind === '' ? [] : [kind]), kind };
}

/** SIDs, also with a domain before well-known ones, and GUIDs are case-insensitive on every platform. */
const WITHOUT_CASE = /^(?:.*-)?S-1-\d+(?:-\d+)+$|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Ids are stored in upper case, unless the payload declares them case-sensitive. If such a payload names objects of Active Directory and
 * Entra ID, these are the collected ones, whose ids are in upper case.
 */
function idOf({ keepsCase }: PayloadTraits, id: string, kinds: readonly string[] = []): string {
  if (keepsCase !== true || WITHOUT_CASE.test(id)) return id.toUpperCase();
  return kinds.some((kind) => nodeKindByName(kind) !== undefined) ? id.toUpperCase() : id;
}

function storedForm(key: string, value: string | number | boolean): string | number | boolean {
  return UPPER_CASE_PROPERTIES.has(key) && typeof value === 'string' ? value.toUpperCase() : value;
}

/** The source kind first; a built-in AD or Azure kind adds its base kind, because analysis requires it. */
function withBaseKinds(kinds: readonly string[], sourceKind: string | undefined): readonly string[] {
  const all = new Set(sourceKind === undefined ? [] : [sourceKind]);
  for (const kind of kinds) {
    const platform = nodeKindByName(kind)?.platform;
    if (platform !== undefined) all.add(platform === 'ad' ? 'Base' : 'AZBase');
  }
  for (const kind of kinds) all.add(kind);
  return [...all];
}

/** Converts the properties that rules read to bits, and keeps the others. */
function splitProperties(kind: string, given: Properties): { flags: number; properties?: Properties } {
  const traits = edgeKindByName(kind);
  let flags = 0;
  const rest: Record<string, PropertyValue> = {};
  for (const [key, value] of Object.entries(given)) {
    const bit = FLAG_PROPERTIES.get(key);
    if (key === 'isacl' && typeof value === 'boolean') {
      flags |= EdgeFlag.HasAcl | (value ? EdgeFlag.Acl : 0);
    } else if (bit !== undefined && typeof value === 'boolean') {
      if (value) flags |= bit;
    } else if (key !== 'lastseen' && key !== 'derived') {
      rest[key] = value;
    }
  }
  if (traits?.acl === true && (flags & EdgeFlag.HasAcl) === 0) flags |= EdgeFlag.HasAcl | EdgeFlag.Acl;
  return Object.keys(rest).length === 0 ? { flags } : { flags, properties: rest };
}

interface Place {
  readonly list: string;
  readonly index: number;
  readonly offset: number | undefined;
}

function rejected(
  { list, index, offset }: Place,
  violations: readonly Violation[],
  id?: unknown,
): ObjectFacts {
  const object = typeof id === 'string' ? { object: id.slice(0, 128) } : {};
  const issues = violations.map(
    ({ path, problem }): ReadIssue => ({
      severity: 'rejected',
      index,
      ...(offset === undefined ? {} : { offset }),
      ...object,
      reason: `${list}[${index}]${path === '' ? '' : `.${path}`} ${problem}`,
    }),
  );
  return { index, nodes: [], edgeSets: [], issues };
}
