/** Search: objects by name or object id, as records or as graph nodes. */
import type { SearchResult } from '@clew/api';
import { apiError, dataStream, type Handler, type Handlers, notReady } from '@clew/common';
import type { Generation } from '@clew/generation';
import { findNode, findNodesByPrefix, NO_NODE, nameOf, objectIdOf } from '@clew/graph';
import { nodeKindByName } from '@clew/model';
import {
  exactHits,
  labelOf,
  localGroupsBeginningWith,
  namesBeginningWith,
  type QueryData,
  queryDataOf,
  runInTurns,
  type SearchIndex,
  searchNodes,
  wordHits,
} from '@clew/queries';
import type { QueryServices } from '../queryServices.ts';
import { nodeKey, visibleMapNode } from '../render/graphMap.ts';
import { isTierZero, shownName, systemTags } from '../render/nodeSigns.ts';
import { ShownTexts } from '../shownTexts.ts';
import { isVisible, visibilityOf } from '../visibility.ts';

/** Maximum nodes of a graph search: enough to choose from, and fast to draw. */
const MAX_GRAPH_HITS = 1_000;

export function searchHandlers(services: QueryServices): Handlers<'Search' | 'GetSearchResult'> {
  return { Search: search(services), GetSearchResult: graphSearch(services) };
}

function search(services: QueryServices): Handler<'Search'> {
  const places = new ShownTexts(services.properties, 'distinguishedname');
  const results = async (generation: Generation, nodes: readonly number[]): Promise<SearchResult[]> => {
    const data = queryDataOf(generation);
    const storeIds = nodes.map((node) => data.graph.storeIds[node]);
    const texts = await places.read(generation, storeIds);
    return nodes.map((node, at) => searchResult(data, node, texts[at]));
  };
  return async ({ query }, { principal, signal }) => {
    const generation = services.generations.current();
    const data = queryDataOf(generation);
    const { q, type, skip, limit } = query;
    const kindSets = type === undefined ? undefined : kindSetsOf(data, generation, [type].flat());
    const visibility = visibilityOf(data, principal);
    const index = await services.searchIndexes.get(data);
    const admits = (node: number): boolean => isVisible(data, visibility, node);
    const wanted = skip + limit;
    const found = await runInTurns(
      searchNodes(data.graph, index, {
        ...{ text: q.toUpperCase(), asWritten: q, skip: 0, limit: wanted, kindSets, admits },
        classOf: (node) => classOf(data, node),
      }),
      signal,
    );
    if (found.length < wanted) {
      const named = new Set(found);
      const words = await services.wordIndexes.get(data, index);
      // Otherwise, an empty answer would claim that no object has these words.
      if (words === undefined && found.length === 0) throw notReady(NO_WORDS, RETRY_SECONDS);
      if (words !== undefined) {
        const { nodeOf } = words;
        const isMore = (node: number): boolean =>
          node !== NO_NODE &&
          !named.has(node) &&
          (kindSets === undefined || kindSets[data.graph.kindSetOf[node]] === 1) &&
          admits(node);
        const more = wordHits(words.index, words.words, {
          ...{ text: q, wanted: wanted - found.length, mayHaveTypo: found.length === 0 },
          admits: (node) => isMore(nodeOf(node)),
        });
        found.push(...(await runInTurns(more, signal)).map(nodeOf));
      }
    }
    const nodes = found.slice(skip);
    if (nodes.length <= CHUNK) return { status: 200, json: { data: await results(generation, nodes) } };
    return {
      status: 200,
      mediaType: 'application/json',
      stream: dataStream(
        (async function* () {
          for (let at = 0; at < nodes.length; at += CHUNK)
            yield await results(generation, nodes.slice(at, at + CHUNK));
        })(),
      ),
    };
  };
}

const NO_WORDS = 'no object has this name, and the search index is being built';
const RETRY_SECONDS = 5;

/** Tier Zero first, then kinds that users look for, then their containers. */
function classOf(data: QueryData, node: number): number {
  if (isTierZero(data, node)) return 0;
  return LOOKED_FOR.has(labelOf(data, node)) ? 1 : 2;
}

const LOOKED_FOR: ReadonlySet<string> = new Set([
  ...['User', 'Computer', 'Group', 'Domain'],
  ...['AZUser', 'AZGroup', 'AZServicePrincipal', 'AZApp', 'AZDevice', 'AZVM', 'AZTenant', 'AZRole'],
]);

/** Number of results written at once: a few milliseconds of work. */
const CHUNK = 500;

/**
 * @returns a value per kind set: 1 if it contains one of the kinds
 * @throws ApiError 400 if none of the names is a kind
 */
function kindSetsOf(data: QueryData, generation: Generation, names: readonly string[]): Uint8Array {
  const custom = new Set(generation.customNodeKinds.values());
  const known = names.filter((name) => nodeKindByName(name) !== undefined || custom.has(name));
  if (known.length === 0) throw apiError('unknownSearchType');
  return Uint8Array.from(data.kindNames, (kinds) => (known.some((name) => kinds.includes(name)) ? 1 : 0));
}

function searchResult(data: QueryData, node: number, distinguishedName: string): SearchResult {
  return {
    objectid: objectIdOf(data.graph, node),
    type: labelOf(data, node),
    name: shownName(data, node),
    distinguishedname: distinguishedName,
    system_tags: systemTags(data, node),
  };
}

/** Rule: `docs/reference/queries.md#search`; hidden objects are shown as placeholders. */
function graphSearch(services: QueryServices): Handler<'GetSearchResult'> {
  return async ({ rawQuery }, { principal }) => {
    const { text, asWritten, isExact } = readGraphSearch(rawQuery);
    const data = queryDataOf(services.generations.current());
    const index = await services.searchIndexes.get(data);
    const named = [...exactHits(data.graph, index, text, asWritten), ...localGroupsNamed(data, index, text)];
    const hits = new Set(isExact || services.rules === 'clean' ? named : []);
    if (!isExact) {
      const ranges = [...new Set([asWritten, text])].map((prefix) => findNodesByPrefix(data.graph, prefix));
      const beginning = [
        ...namesBeginningWith(index, text),
        ...localGroupsBeginningWith(data.graph, index, text),
        ...ranges.flatMap(({ first, end }) => [...range(first, end)]),
      ];
      for (const node of beginning) {
        if (hits.size === MAX_GRAPH_HITS) break;
        if (!named.includes(node)) hits.add(node);
      }
    }
    const nodes = [...hits];
    const looks = await services.looks.read();
    const visibility = visibilityOf(data, principal);
    const details = await services.properties.read(nodes.map((node) => data.graph.storeIds[node]));
    const entries = nodes.map((node) => [
      nodeKey(data, node),
      visibleMapNode(data, visibility, node, details.get(data.graph.storeIds[node]), { looks }),
    ]);
    return { status: 200, json: { data: Object.fromEntries(entries) } };
  };
}

/** @returns local groups with this name or object id, which index hits lack */
function localGroupsNamed({ graph }: QueryData, index: SearchIndex, text: string): number[] {
  const named: number[] = [];
  for (const node of localGroupsBeginningWith(graph, index, text)) {
    if (nameOf(graph, node).toUpperCase() !== text) break;
    named.push(node);
  }
  const byId = findNode(graph, text);
  const isLeftOut = byId !== NO_NODE && index.rankOfNode[byId] === NO_NODE && !named.includes(byId);
  return isLeftOut ? [byId, ...named] : named;
}

function readGraphSearch(query: URLSearchParams): {
  /** In upper case. */
  readonly text: string;
  readonly asWritten: string;
  readonly isExact: boolean;
} {
  const texts = query.getAll('query');
  const types = query.getAll('type');
  if (texts.length === 0 || texts[0] === '') throw apiError('missingGraphSearchText');
  if (texts.length > 1) throw apiError('severalGraphSearchTexts');
  if (types.length > 1) throw apiError('severalGraphSearchTypes');
  const [asWritten] = texts;
  return { text: asWritten.toUpperCase(), asWritten, isExact: types[0]?.toLowerCase() === 'exact' };
}

function* range(from: number, to: number): Generator<number> {
  for (let node = from; node < to; node++) yield node;
}
