/**
 * Determines whether an entry on a protected object is a copy of an AdminSDHolder entry. The protection task (SDProp) overwrites the access
 * list of each protected object with that of AdminSDHolder, so a removed copy comes back, and an entry only on the object does not last.
 *
 * An object that left its protected group keeps `adminCount` and its access list without inheritance, but the task no longer writes it, so
 * an entry there may be its own. For containers, including AdminSDHolder, collectors report only four rights; for all other rights, objects
 * that are certainly protected show which entries are copied.
 *
 * Source: Microsoft, securing Active Directory, appendix C. Rule: `docs/plan.md#packages`.
 */
import {
  type AnalysisContext,
  domains,
  type EdgeRef,
  isAdminSdHolder,
  type Kept,
  NOT_COPIED,
  ONCE,
  type Once,
} from '@clew/analysis';
import { findEdge, NO_EDGE, NO_NODE, type NodeSet, objectIdOf } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';

/** `copied`: AdminSDHolder has it. `own`: it does not. `unknown`: neither its list nor that of another protected object shows this. */
export type Protection = 'copied' | 'own' | 'unknown';

/** Rights that collectors report for containers. */
const OF_CONTAINERS: ReadonlySet<number> = new Set([
  ...[EdgeKind.GenericAll, EdgeKind.WriteDacl, EdgeKind.WriteOwner, EdgeKind.WriteOwnerRaw],
]);

/** Relative ids of accounts and groups that are always protected: forest settings can exclude only the operators. */
const ALWAYS = /^S-1-5-21-(?:\d+-){3}(?:500|502|512|516|518|519)$|S-1-5-32-544$/;

/**
 * @param entries removed from access lists
 * @returns undefined if no protected object has one of them
 */
export function protectionOf(context: AnalysisContext, entries: readonly EdgeRef[]): Protection | undefined {
  const found = new Set<Protection>();
  for (const entry of entries)
    if (!NOT_COPIED.has(entry.kind) && isProtected(context, entry.end)) found.add(ofEntry(context, entry));
  return (['copied', 'unknown', 'own'] as const).find((one) => found.has(one));
}

function isProtected(context: AnalysisContext, node: number): boolean {
  const { properties } = context;
  if (!context.edges('ProtectAdminGroups').startsOf(node).isEmpty) return true;
  return properties.flag('admincount', node) === true && properties.flag('isaclprotected', node) === true;
}

function ofEntry(context: AnalysisContext, { start, kind, end }: EdgeRef): Protection {
  const { graph } = context;
  const lists = listsOf(context, end);
  const has = (object: number): boolean => findEdge(graph, start, kind, object) !== NO_EDGE;
  if (lists.holder !== undefined) {
    if (has(lists.holder)) return 'copied';
    if (OF_CONTAINERS.has(kind)) return 'own';
  }
  // The collector compared both lists and found them equal.
  if (!context.edges('ProtectAdminGroups').startsOf(end).isEmpty) return 'copied';
  const others = lists.peers.filter((peer) => peer !== end);
  if (others.length === 0) return 'unknown';
  return others.every(has) ? 'copied' : 'own';
}

interface KnownLists {
  /** AdminSDHolder, if its access list was collected. */
  readonly holder: number | undefined;
  /** Objects of the same kind that are certainly protected, with collected lists. */
  readonly peers: readonly number[];
}

/** Access lists of the object's domain that show which entries are copied to it. */
function listsOf(context: AnalysisContext, object: number): KnownLists {
  const domain = context.use(domains).of(object);
  if (domain === NO_NODE) return { holder: undefined, peers: [] };
  const all = allLists(context);
  const holder = all.holders.find((node) => context.use(domains).of(node) === domain);
  const kind = (['User', 'Group', 'Computer'] as const).find((name) => context.nodesOf(name).has(object));
  const peers = all.peers.filter(
    (node) =>
      kind !== undefined && context.nodesOf(kind).has(node) && context.use(domains).of(node) === domain,
  );
  return { holder, peers };
}

interface AllLists {
  readonly holders: readonly number[];
  readonly peers: readonly number[];
}

const LISTS: Kept<Once, AllLists> = { name: 'access lists of protected objects' };

const allLists = (context: AnalysisContext): AllLists =>
  context.memory.use(LISTS, ONCE, () => {
    const containers = context
      .nodesOf('Container')
      .filter((node) => isAdminSdHolder(context.properties.text('distinguishedname', node)));
    return { holders: withLists(context, containers), peers: withLists(context, surelyProtected(context)) };
  });

/** Accounts and groups that are always protected, and the computers of Domain Controllers. */
function surelyProtected(context: AnalysisContext): NodeSet {
  const { graph } = context;
  const always = context
    .nodesOf('User')
    .or(context.nodesOf('Group'))
    .filter((node) => ALWAYS.test(objectIdOf(graph, node)));
  const groupsOfControllers = always.filter((node) => /-516$/.test(objectIdOf(graph, node)));
  return always.or(
    context.edges('MemberOf').startsOfAny(groupsOfControllers).and(context.nodesOf('Computer')),
  );
}

/** Nodes with a collected access list: every list has entries. */
function withLists({ graph }: AnalysisContext, nodes: NodeSet): number[] {
  const { offsets, flags } = graph.in;
  const hasEntries = (node: number): boolean => {
    for (let at = offsets[node]; at < offsets[node + 1]; at++)
      if ((flags[at] & EdgeFlag.Acl) !== 0) return true;
    return false;
  };
  return [...nodes.filter(hasEntries)];
}
