/**
 * Combined nodes over HTTP. Rule: `docs/reference/api.md#combined-nodes`; how they are combined: `combinedTree.ts`.
 */

import { apiError, type Handlers, type RequestContext, type RequestInput } from '@clew/common';
import { type QueryServices, visibilityOf } from '@clew/explore';
import { findNode, NO_NODE } from '@clew/graph';
import { type CombinedTree, type CombinedTreeRequest, type QueryData, queryDataOf } from '@clew/queries';
import { TIER_ZERO } from '@clew/store';
import { expectAssetGroup } from '../../zones/legacyGroups.ts';
import { listZones, type ZoneRow } from '../../zones/zones.ts';
import { askedEnvironment, askedEnvironments, askedZone } from '../askedScope.ts';
import { answeringZoneFaults } from '../zoneAnswers.ts';
import {
  type CombinedView,
  combinedGraph,
  combinedMapNode,
  combinedProps,
  parseCombinedId,
  placeOf,
} from './combinedMap.ts';

const ROOT = 0;

type EnvironmentViews = 'GetLatestTierZeroComboNode' | 'GetComboTreeGraph';
type Operations = EnvironmentViews | 'GetMetaEntity' | 'GetAssetGroupComboNode';

export function combinedHandlers(services: QueryServices): Handlers<Operations> {
  const views = new CombinedViews(services);

  /** Loads the view of the environment in the path and the zone in the query. */
  const askedView = async (
    input: RequestInput<EnvironmentViews>,
    context: RequestContext,
  ): Promise<CombinedView> => {
    const environment = askedEnvironment(services.generations, input.params.domain_id, context.principal);
    const zone = await askedZone(services.database.db, input.rawQuery);
    return views.of(zone?.id ?? TIER_ZERO, environment, context);
  };

  return answeringZoneFaults<Handlers<Operations>>({
    async GetMetaEntity({ params }, context) {
      const asked = parseCombinedId(params.object_id);
      if (asked === undefined) throw apiError('nodeNotFound');
      const { zone, node } = asked;
      const environment =
        asked.environment && askedEnvironment(services.generations, asked.environment, context.principal);
      const view = await views.of(zone, environment, context);
      const place = node === 'root' ? ROOT : placeOf(view.tree, node);
      if (place === undefined) throw apiError('nodeNotFound');
      const props = combinedProps(view, place);
      const kinds = ['Meta', ...(typeof props.kind === 'string' ? [props.kind] : [])];
      return { status: 200, json: { data: { props, kinds } } };
    },

    async GetLatestTierZeroComboNode(input, context) {
      const view = await askedView(input, context);
      return { status: 200, json: { data: Object.fromEntries([combinedMapNode(view, ROOT)]) } };
    },

    async GetComboTreeGraph(input, context) {
      const view = await askedView(input, context);
      const { node_id } = input.query;
      const from = node_id === undefined ? ROOT : placeOf(view.tree, node_id);
      if (from === undefined) throw apiError('nodeNotFound');
      return { status: 200, json: { data: combinedGraph(view, from) } };
    },

    async GetAssetGroupComboNode({ params, rawQuery }, context) {
      const group = await expectAssetGroup(services.database.db, params.asset_group_id);
      const [asked, ...others] = askedEnvironments(rawQuery, 'domainsid', services.generations);
      if (others.length > 0) {
        throw apiError('malformedQueryParameter', { name: 'domainsid', reason: 'must be given once' });
      }
      const environment = asked && askedEnvironment(services.generations, asked, context.principal);
      const view = await views.of(group.id, environment, context);
      return { status: 200, json: { data: combinedGraph(view, ROOT) } };
    },
  });
}

/** Maximum number of cached trees per generation; one takes up to 60 bytes per object of the graph. */
const MAX_KEPT = 8;

/** Builds trees, and caches the most recently used ones of the current graph. */
class CombinedViews {
  readonly #services: QueryServices;
  readonly #trees = new WeakMap<QueryData, Map<string, CombinedTree>>();

  constructor(services: QueryServices) {
    this.#services = services;
  }

  /** @throws ApiError 404 for a zone that does not exist */
  async of(tagId: number, environment: string | undefined, context: RequestContext): Promise<CombinedView> {
    const { generations, database } = this.#services;
    const zones = await listZones(database.db, { filters: [], sorts: [] });
    const zone = zones.find(({ id }) => id === tagId);
    if (zone === undefined) throw apiError('zoneNotFound', { id: String(tagId) });
    const generation = generations.current();
    const data = queryDataOf(generation);
    const tree = await this.#treeOf(data, requestOf(data, zone, zones, environment, context), context);
    return { generation, data, tree, zone, ...(environment === undefined ? {} : { environment }) };
  }

  async #treeOf(
    data: QueryData,
    request: CombinedTreeRequest,
    { signal }: RequestContext,
  ): Promise<CombinedTree> {
    const kept = this.#trees.get(data) ?? new Map<string, CombinedTree>();
    this.#trees.set(data, kept);
    const key = JSON.stringify(request);
    const tree = kept.get(key) ?? (await this.#services.pool.run(data, 'combinedTree', request, signal));
    kept.delete(key);
    kept.set(key, tree);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return tree;
  }
}

function requestOf(
  data: QueryData,
  zone: ZoneRow,
  zones: readonly ZoneRow[],
  environment: string | undefined,
  { principal }: RequestContext,
): CombinedTreeRequest {
  const above = zones.filter(({ position }) => isAtOrAbove(position, zone.position)).map(({ id }) => id);
  const node = environment === undefined ? NO_NODE : findNode(data.graph, environment);
  const { environments } = visibilityOf(data, principal);
  return {
    zone: zone.id,
    atOrAbove: [zone.id, ...above],
    ...(node === NO_NODE ? {} : { environment: node }),
    ...(environments === undefined ? {} : { visible: [...environments].sort((a, b) => a - b) }),
  };
}

/** Labels have no position, so there are no zones above them. */
const isAtOrAbove = (position: number | null, limit: number | null): boolean =>
  position !== null && limit !== null && position <= limit;
