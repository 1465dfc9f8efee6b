/** Nodes, edges and kinds by graph id, and the names of all kinds. */
import { isAttackStep } from '@clew/analysis';
import { apiError, type Handler, type Handlers } from '@clew/common';
import { edgeKindOf, endOf, findNodeByStoreId, NO_NODE, objectIdOf, startOf } from '@clew/graph';
import { builtInExtension, sectionsInOrder } from '@clew/intake';
import { EDGE_KINDS, edgeKindById, edgeText, NODE_DEFINITIONS, NODE_KINDS, nodeKindById } from '@clew/model';
import { edgeKindName, kindNamesOf, queryDataOf } from '@clew/queries';
import type { QueryServices } from '../queryServices.ts';
import { appearanceOf } from '../render/appearance.ts';
import { edgeFacts, lastSeenOf, readEdges } from '../render/edgeFacts.ts';
import { lookOf } from '../render/kindLooks.ts';
import { withName } from '../render/nodeSigns.ts';
import { missingFrom, requireVisible, visibilityOf } from '../visibility.ts';

export function graphObjectHandlers(
  services: QueryServices,
): Handlers<'GetKinds' | 'GetNodeByID' | 'GetRelationshipByID' | 'GetNodeKind' | 'GetRelationshipKind'> {
  return {
    GetKinds: listKinds(services),
    GetNodeByID: node(services),
    GetRelationshipByID: relationship(services),
    GetNodeKind: nodeKind(services),
    GetRelationshipKind: relationshipKind(services),
  };
}

/** `type` filters with `[eq:|neq:]node|edge`. */
function listKinds(services: QueryServices): Handler<'GetKinds'> {
  return async ({ rawQuery }) => {
    const generation = services.generations.current();
    const kinds = {
      node: [...NODE_KINDS.map(({ name }) => name), ...generation.customNodeKinds.values()],
      edge: [...EDGE_KINDS.map(({ name }) => name), ...generation.customEdgeKinds.values()],
    };
    const tests = rawQuery.getAll('type').map(parseKindType);
    const chosen = (['node', 'edge'] as const).filter((type) => tests.every((test) => test(type)));
    return { status: 200, json: { data: { kinds: chosen.flatMap((type) => kinds[type]) } } };
  };
}

function parseKindType(text: string): (type: string) => boolean {
  const match = /^(?:(eq|neq):)?(node|edge)$/.exec(text);
  if (match === null) throw apiError('malformedFilter');
  return (type) => (type === match[2]) === (match[1] !== 'neq');
}

function node(services: QueryServices): Handler<'GetNodeByID'> {
  return async ({ params, query }, { principal }) => {
    const data = queryDataOf(services.generations.current());
    const storeId = params.node_id;
    const found = findNodeByStoreId(data.graph, storeId);
    const visibility = visibilityOf(data, principal);
    if (found === NO_NODE) throw missingFrom(visibility);
    requireVisible(data, visibility, found);
    const details = (await services.properties.read([storeId])).get(storeId);
    const kinds = data.graph.kindSets[data.graph.kindSetOf[found]];
    const names = kindNamesOf(data, found);
    return {
      status: 200,
      json: {
        data: {
          node_id: storeId,
          kinds: kinds.map((kind, at) => ({ node_kind_id: kind, name: names[at] })),
          properties: {
            ...withName(data, found, details?.properties),
            objectid: objectIdOf(data.graph, found),
            ...(details === undefined ? {} : { lastSeen: details.lastSeen }),
          },
          ...(query['include-info'] ? { info: await nodeSections(services, kinds, names) } : {}),
        },
      },
    };
  };
}

/** Edges have no number in the store: they use that of the current graph, as in graph answers. */
function relationship(services: QueryServices): Handler<'GetRelationshipByID'> {
  return async ({ params, query }, { principal }) => {
    const generation = services.generations.current();
    const data = queryDataOf(generation);
    const edge = params.relationship_id;
    const visibility = visibilityOf(data, principal);
    if (edge >= data.graph.edgeCount) throw missingFrom(visibility, 'resourceNotFound');
    const ends = [startOf(data.graph, edge), endOf(data.graph, edge)];
    for (const end of ends) requireVisible(data, visibility, end);
    const [start, end] = ends.map((each) => data.graph.storeIds[each]);
    const kind = edgeKindOf(data.graph, edge);
    const kindName = edgeKindName(generation, kind);
    const details = await services.properties.read([start, end]);
    const stored = await readEdges(services.edgeProperties, data, [edge]);
    const lastSeen = lastSeenOf(data, generation, details, edge);
    return {
      status: 200,
      json: {
        data: {
          relationship_id: edge,
          source_node_id: start,
          target_node_id: end,
          kind: { relationship_kind_id: kind, name: kindName },
          properties: {
            is_traversable: isAttackStep(data.graph, kind),
            lastSeen,
            ...edgeFacts(data, generation, { seen: details, stored }, edge),
          },
          ...(query['include-info'] ? { info: await edgeSections(services, kind, kindName) } : {}),
        },
      },
    };
  };
}

/** Authors' descriptions of the kinds of a node, in display order. */
async function nodeSections(services: QueryServices, kinds: readonly number[], names: readonly string[]) {
  const { nodeKinds } = await services.extensions.read();
  return names.flatMap((name, at) =>
    sectionsInOrder(nodeKinds.get(name)?.kind.info ?? {}).map((section) => ({
      ...section,
      node_kind_id: kinds[at],
    })),
  );
}

async function edgeSections(services: QueryServices, kind: number, name: string) {
  const { relationshipKinds } = await services.extensions.read();
  return sectionsInOrder(relationshipKinds.get(name)?.kind.info ?? {}).map((section) => ({
    ...section,
    relationship_kind_id: kind,
  }));
}

function nodeKind(services: QueryServices): Handler<'GetNodeKind'> {
  return async ({ params }) => {
    const generation = services.generations.current();
    const id = params.node_kind_id;
    const builtIn = nodeKindById(id);
    const { nodeKinds } = await services.extensions.read();
    // A recently declared kind is not in a generation yet.
    const declared = [...nodeKinds.values()].find(({ number }) => number === id);
    const name = builtIn?.name ?? declared?.kind.name ?? generation.customNodeKinds.get(id);
    if (name === undefined) throw apiError('resourceNotFound');
    const { icon, color } = declared === undefined ? appearanceOf(name) : lookOf(declared.kind);
    return {
      status: 200,
      json: {
        data: {
          node_kind_id: id,
          name,
          display_name: declared?.kind.display_name ?? name,
          description: declared?.kind.description ?? meaningOf(name) ?? UPLOADED,
          is_display_kind: declared?.kind.is_display_kind ?? (name !== 'Base' && name !== 'AZBase'),
          icon: icon.replace(/^fa-/, ''),
          color,
          extension:
            declared?.extension ?? (builtIn === undefined ? null : builtInExtension(builtIn.platform)),
          info: { ...declared?.kind.info },
        },
      },
    };
  };
}

function relationshipKind(services: QueryServices): Handler<'GetRelationshipKind'> {
  return async ({ params }) => {
    const generation = services.generations.current();
    const id = params.relationship_kind_id;
    const builtIn = edgeKindById(id);
    const { relationshipKinds } = await services.extensions.read();
    const declared = [...relationshipKinds.values()].find(({ number }) => number === id);
    const name = builtIn?.name ?? declared?.kind.name ?? generation.customEdgeKinds.get(id);
    if (name === undefined) throw apiError('resourceNotFound');
    return {
      status: 200,
      json: {
        data: {
          relationship_kind_id: id,
          name,
          description: declared?.kind.description ?? (builtIn && edgeText(name).meaning) ?? UPLOADED,
          is_traversable: builtIn?.traversable ?? declared?.kind.is_traversable ?? false,
          extension:
            declared?.extension ?? (builtIn === undefined ? null : builtInExtension(builtIn.platform)),
          info: { ...declared?.kind.info },
        },
      },
    };
  };
}

const UPLOADED = 'Kind of an OpenGraph source';

const meanings: ReadonlyMap<string, string> = new Map(
  NODE_DEFINITIONS.map(([name, { meaning }]) => [name, meaning]),
);
const meaningOf = (kind: string): string | undefined => meanings.get(kind);
