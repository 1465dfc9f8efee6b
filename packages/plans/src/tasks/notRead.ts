/** Lists data that was not collected, so that an incomplete plan does not look complete. Rule: `docs/findings.md#missing-data`. */
import { type AttackGraph, type NodeSet, nameOf, nodesOfKind, objectIdOf } from '@clew/graph';
import { counted, NodeKind, UNREAD_PARTS, type UnreadPart } from '@clew/model';
import type { PlanState } from './planState.ts';

/** A collected part is listed with its count if it covers less than this share of computers. */
const MIN_READ = 0.5;

/**
 * @param unread parts by object id of the environment
 * @param wanted object ids of environments; empty for all
 * @returns sentences, by environment
 */
export function notRead(
  { generation, world }: PlanState,
  unread: ReadonlyMap<string, readonly string[]>,
  wanted: ReadonlySet<string> = new Set(),
): string[] {
  const { graph } = generation;
  const computers = nodesOfKind(graph, NodeKind.Computer);
  const { scanned } = world.options;
  return world.environments.flatMap((environment) => {
    const id = objectIdOf(graph, environment);
    if (wanted.size > 0 && !wanted.has(id)) return [];
    const name = nameOf(graph, environment) || id;
    const missing = unread.get(id) ?? [];
    const own = inEnvironment(graph, computers, environment);
    const partly = (part: UnreadPart, read: NodeSet | undefined): string[] => {
      if (missing.includes(part) || missing.includes('environment') || read === undefined) return [];
      const count = own.and(read).size;
      if (own.size === 0 || count >= own.size * MIN_READ) return [];
      return [
        `Of ${name}, ${UNREAD_PARTS[part].replace(' of computers', '')} were collected from ${count} of ${counted(own.size, 'computer')}. Paths through the others are not in these figures.`,
      ];
    };
    return [
      ...whole(name, missing),
      ...partly('sessions', scanned?.sessions),
      ...partly('local-groups', scanned?.localGroups),
    ];
  });
}

function whole(environment: string, missing: readonly string[]): string[] {
  if (missing.includes('environment'))
    return [`${environment} was not collected. Paths through it are not in these figures.`];
  const parts = missing.map((part) => UNREAD_PARTS[part as UnreadPart] ?? part);
  if (parts.length === 0) return [];
  const verb = parts.length === 1 && ONE_THING.test(parts[0] as string) ? 'was' : 'were';
  const over = verb === 'was' ? 'it' : 'them';
  const last = parts.pop() as string;
  const named = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  return [
    `Of ${environment}, ${named} ${verb} not collected. Paths through ${over} are not in these figures.`,
  ];
}

/** Names of parts in the singular. */
const ONE_THING = /^(?:the (?:registry|environment)\b|AD CS$)/;

const inEnvironment = ({ environmentOf }: AttackGraph, nodes: NodeSet, environment: number): NodeSet =>
  nodes.filter((node) => environmentOf[node] === environment);
