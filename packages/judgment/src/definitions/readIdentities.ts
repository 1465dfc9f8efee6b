/** Reads identifying values of nodes from the store. */
import {
  type AttackGraph,
  type DeclaredIdentity,
  findNodeByStoreId,
  type IdentityEnd,
  NO_NODE,
  objectIdOf,
} from '@clew/graph';
import { NodeKind, nodeKindByName } from '@clew/model';
import { copyOut } from '@clew/store';
import type pg from 'pg';
import { comparedValue, type DomainNames, type Known } from './identities.ts';

/** @param kinds numbers of custom node kinds, by name */
export async function readIdentities(
  client: pg.ClientBase,
  graph: AttackGraph,
  kinds: ReadonlyMap<string, number>,
  { matcher, start, end }: DeclaredIdentity,
  signal: AbortSignal,
): Promise<{ readonly starts: readonly Known[]; readonly ends: readonly Known[] }> {
  const domains = matcher === 'account_name' ? await domainNames(client) : new Map<string, null>();
  const knownAt = async ({ kind: kindName, property, domain }: IdentityEnd): Promise<Known[]> => {
    const kind = nodeKindByName(kindName)?.id ?? kinds.get(kindName);
    if (kind === undefined) return [];
    const hasKind = graph.kindSets.map((set) => set.includes(kind));
    const known: Known[] = [];
    const add = (node: number, value: unknown, of: unknown): void => {
      if (node === NO_NODE || !hasKind[graph.kindSetOf[node]]) return;
      for (const one of Array.isArray(value) ? value : [value]) {
        if (typeof one !== 'string') continue;
        const compared = comparedValue(matcher, one, typeof of === 'string' ? of : undefined, domains);
        if (compared !== undefined) known.push([node, compared]);
      }
    };
    if (property === 'objectid') {
      for (let node = 0; node < graph.nodeCount; node++)
        if (hasKind[graph.kindSetOf[node]]) add(node, objectIdOf(graph, node), undefined);
      return known;
    }
    const text = (key: string): string => `'${key.replaceAll("'", "''")}'`;
    await copyOut(
      client,
      `select id, jsonb_build_array(properties -> ${text(property)}, properties -> ${text(domain ?? '')})
       from node where deleted_at is null and properties ? ${text(property)}`,
      (row) => {
        const [value, of] = row.json(1) as readonly unknown[];
        add(findNodeByStoreId(graph, row.int4(0)), value, of);
      },
      signal,
    );
    return known;
  };
  return { starts: await knownAt(start), ends: await knownAt(end) };
}

async function domainNames(client: pg.ClientBase): Promise<DomainNames> {
  const { rows } = await client.query<{ short: string; full: string }>(
    `select lower(properties ->> 'netbios') as short, lower(name) as full from node
     where kinds && array[${NodeKind.Domain}]::smallint[] and deleted_at is null and name is not null and properties ->> 'netbios' <> ''`,
  );
  const names = new Map<string, string | null>();
  for (const { short, full } of rows)
    names.set(short, names.has(short) && names.get(short) !== full ? null : full);
  return names;
}
