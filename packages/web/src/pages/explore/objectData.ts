/** Data of one object: the object, its sections with their counts, and the lists and drawings of each section. */
import {
  AZURE_ENTITY_TYPES,
  AZURE_RELATED_TYPES,
  type AzureRelatedType,
  ENTITY_KINDS,
  type GraphMap,
  type RelatedOperationId,
  type UnifiedNode,
} from '@clew/api';
import { useQuery } from '@tanstack/react-query';
import { EMPTY_GRAPH, fromGraphMap, type Graph } from '../../graph/model.ts';
import { call } from '../../service/client.ts';
import { FIRST_ROWS, readNeighborhood } from './neighborhood.ts';

export interface Section {
  /** Used in addresses. */
  readonly id: string;
  readonly title: string;
  readonly holds: string;
  readonly count: number;
}

interface ListedObject {
  readonly object_id: string;
  readonly name: string;
  readonly kind: string;
}

/** Reads any object by id, with its properties; `undefined` if not found. */
export async function readObject(
  objectId: string,
  signal?: AbortSignal,
): Promise<{ key: string; node: UnifiedNode } | undefined> {
  const { data } = await call(
    'RunCypherQuery',
    {
      body: {
        query: 'MATCH (n) WHERE n.objectid = $id RETURN n LIMIT 1',
        parameters: { id: objectId },
        include_properties: true,
        rows: true,
      },
    },
    { signal },
  );
  const [entry] = Object.entries(data.nodes);
  return entry && { key: entry[0], node: entry[1] };
}

export function useObject(objectId: string | undefined) {
  return useQuery({
    queryKey: ['object', objectId],
    enabled: objectId !== undefined,
    queryFn: async ({ signal }) => (await readObject(objectId!, signal)) ?? null,
  });
}

/** Sections for a kind of objects: the operations for their counts and entries. */
interface Sections {
  read(objectId: string, signal: AbortSignal): Promise<readonly Section[]>;
  page(
    objectId: string,
    section: string,
    skip: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ count: number; objects: readonly ListedObject[] }>;
  graph(objectId: string, section: string, signal: AbortSignal): Promise<Graph>;
}

export function sectionsOf(kind: string): Sections | undefined {
  if (AZURE_ENTITY_TYPES.some((type) => type.kind === kind)) return cloudSections(kind);
  const known = ENTITY_KINDS.find((one) => one.kind === kind);
  if (known !== undefined) return directorySections(known);
  return undefined;
}

const titleOf = (name: string): string => {
  const words = name
    .replaceAll('-', ' ')
    .replace(/\b(?:rdp|sql|dcom|gpos|ous|cas|ps|adcs|dc)\b/g, (word) =>
      word.length > 3 && word.endsWith('s') ? `${word.slice(0, -1).toUpperCase()}s` : word.toUpperCase(),
    );
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function directorySections(entity: (typeof ENTITY_KINDS)[number]): Sections {
  const operationOf = (section: string): RelatedOperationId => {
    const list = entity.related.find(({ suffix }) => suffix === section);
    if (list === undefined) throw new Error(`unknown list ${section} of ${entity.noun}s`);
    return list.operationId;
  };
  return {
    async read(objectId, signal) {
      const { data } = await call(entity.operationId, { params: { object_id: objectId } }, { signal });
      return entity.related.map(({ suffix, countKey, holds }) => ({
        id: suffix,
        title: titleOf(suffix),
        holds,
        count: Number((data as Readonly<Record<string, unknown>>)[countKey] ?? 0),
      }));
    },
    async page(objectId, section, skip, limit, signal) {
      const answer = await call(
        operationOf(section),
        { params: { object_id: objectId }, query: { type: 'list', skip, limit } },
        { signal },
      );
      if (!Array.isArray(answer.data)) throw new Error('the service answered with a graph');
      const { data, count } = answer as {
        data: { objectID: string; name: string; label: string }[];
        count: number;
      };
      return {
        count,
        objects: data.map(({ objectID, name, label }) => ({ object_id: objectID, name, kind: label })),
      };
    },
    async graph(objectId, section, signal) {
      const answer = await call(
        operationOf(section),
        { params: { object_id: objectId }, query: { type: 'graph', connecting: true } },
        { signal },
      );
      return fromGraphMap(answer as GraphMap);
    },
  };
}

function cloudSections(kind: string): Sections {
  const { segment, counts } = AZURE_ENTITY_TYPES.find((type) => type.kind === kind)!;
  const params = { entity_type: segment };
  return {
    async read(objectId, signal) {
      const answer = await call('GetAzureEntity', { params, query: { object_id: objectId } }, { signal });
      const data = (answer as { data: Readonly<Record<string, unknown>> }).data;
      return counts.map(([place, list]) => ({
        id: list,
        title: titleOf(list),
        holds: AZURE_RELATED_TYPES[list],
        count: Number(
          place.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], data) ?? 0,
        ),
      }));
    },
    async page(objectId, section, skip, limit, signal) {
      const query = { object_id: objectId, related_entity_type: section as AzureRelatedType, skip, limit };
      const answer = (await call('GetAzureEntity', { params, query }, { signal })) as {
        data: readonly { kind: string; props: Readonly<Record<string, unknown>> }[];
        count: number;
      };
      return {
        count: answer.count,
        objects: answer.data.map(({ kind: label, props }) => ({
          object_id: String(props.objectid ?? ''),
          name: String(props.name ?? props.displayname ?? props.objectid ?? ''),
          kind: label,
        })),
      };
    },
    async graph(objectId, section, signal) {
      const query = {
        object_id: objectId,
        related_entity_type: section,
        type: 'graph',
        connecting: true,
      } as const;
      return fromGraphMap((await call('GetAzureEntity', { params, query }, { signal })) as GraphMap);
    },
  };
}

/** Maximum number of relationships initially drawn around an object, some of each kind. */
const MAX_NEAR = 120;

/** An object with its direct relationships; `omitted` counts relationships that are not included. */
export async function readNear(
  objectId: string,
  signal: AbortSignal,
): Promise<{ readonly graph: Graph; readonly omitted: number }> {
  const near = await readNeighborhood(objectId, signal, (kinds) =>
    Math.max(FIRST_ROWS, Math.floor(MAX_NEAR / Math.max(1, kinds))),
  );
  if (near === undefined) return { graph: EMPTY_GRAPH, omitted: 0 };
  return { graph: near.graph, omitted: Math.max(0, near.total - near.graph.edges.length) };
}
