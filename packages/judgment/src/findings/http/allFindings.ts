/**
 * Findings over all environments and types. Rule: `docs/findings.md#records-over-time` and
 * `docs/findings.md#life-cycle-of-a-finding`; `docs/reference/api.md#combined-nodes`.
 */

import {
  ANY_ZONE,
  FINDING_TEXTS,
  type FindingType,
  findingText,
  isOfEachZone,
  type TypesById,
  typesById,
} from '@clew/analysis';
import {
  FINDING_NAME_COLUMNS,
  FINDING_TYPE_COLUMNS,
  type FindingBundle,
  UNIFIED_FINDING_COLUMNS,
} from '@clew/api';
import {
  type Exports,
  type Handlers,
  type JsonPieces,
  jsonStream,
  parseListQuery,
  principalId,
} from '@clew/common';
import type { Generation } from '@clew/generation';
import { findEdgeByStoreIds, NO_EDGE } from '@clew/graph';
import type { Properties } from '@clew/model';
import type { Static } from 'typebox';
import { findingGroups } from '../findingGroups.ts';
import {
  availableTitles,
  availableTypes,
  eachFinding,
  type FindingRow,
  type FindingScope,
  propertiesOf,
  propertiesOfEnds,
  UNIFIED_REFERENCES,
} from '../findingQueries.ts';
import { findingTrends } from '../posture.ts';
import { publishedInstant } from '../publishedInstant.ts';
import { askedFindings, takeEnvironments } from './askedFindings.ts';
import {
  askedEnvironments,
  askedWindow,
  askedZone,
  filteredZone,
  tagsOf,
  visibleEnvironments,
} from './askedScope.ts';
import { ANY_ZONE_PREFIX } from './assets.ts';
import { chosenNames } from './environmentFindings.ts';
import { findingCsv, findingPage, wantsCsv } from './findingLists.ts';
import type { FindingParts } from './findingParts.ts';
import { UNIFIED_CSV, unifiedFinding } from './findingRecords.ts';
import { allTypes, withNamedTypes } from './findingTypeNames.ts';

type Operations =
  | 'ListAttackPathTypes'
  | 'ListAttackPathFindingTypes'
  | 'ListAttackPathFindings'
  | 'ListAttackPathFindingGroups'
  | 'GetAllAttackPathFindings'
  | 'FindingTrendsForEnvironment';

export function allFindingHandlers(parts: FindingParts): Handlers<Operations> {
  const { db, exports, generations } = parts;
  const currentTypes = (): TypesById => typesById(generations.current().graph);

  return {
    async ListAttackPathTypes({ rawQuery }) {
      const list = parseListQuery(rawQuery, FINDING_NAME_COLUMNS);
      const generation = generations.current();
      const filters = withNamedTypes(generation, list.filters);
      return { status: 200, json: { data: chosenNames(allTypes(generation), { ...list, filters }) } };
    },

    async ListAttackPathFindingTypes({ rawQuery }, { principal }) {
      const { environments, filters } = takeEnvironments(
        withNamedTypes(generations.current(), parseListQuery(rawQuery, FINDING_TYPE_COLUMNS).filters),
        generations,
      );
      const scope = { visible: visibleEnvironments(principal), environments };
      const zone = await filteredZone(db, filters);
      return {
        status: 200,
        json: { data: await availableTitles(db, scope, currentTypes(), filters, zone?.wording) },
      };
    },

    async ListAttackPathFindings(input, context) {
      const list = parseListQuery(input.rawQuery, UNIFIED_FINDING_COLUMNS, ['Accept', 'parts']);
      const { scope, filters } = await askedFindings(
        parts,
        list.filters,
        context.principal,
        input.query.parts,
      );
      const listing = { scope, list: { ...list, filters }, references: UNIFIED_REFERENCES };
      if (wantsCsv(input, context)) return findingCsv(parts, listing, UNIFIED_CSV, 'findings', context);
      const render = async (rows: readonly FindingRow[]) => rows.map(unifiedFinding);
      return findingPage(parts, listing, render, { input, context });
    },

    async ListAttackPathFindingGroups({ rawQuery, query }, { principal }) {
      const { by, skip, limit } = query;
      const list = parseListQuery(rawQuery, UNIFIED_FINDING_COLUMNS, ['by']);
      const { scope, filters } = await askedFindings(parts, list.filters, principal);
      const { count, groups } = await findingGroups(db, scope, filters, { by, skip, limit });
      const data = groups.map(({ lead, findings, kinds, repair, ...group }) => ({
        ...group,
        ...(repair !== undefined && { repair }),
        findings: [...findings],
        kinds: [...kinds],
        lead: unifiedFinding(lead),
      }));
      return { status: 200, json: { count, skip, limit, data } };
    },

    async GetAllAttackPathFindings(_, { principal }) {
      const visible = visibleEnvironments(principal);
      const asOf = await publishedInstant(db);
      return exports.slots.open(principalId(principal), () => {
        const pieces: JsonPieces<Static<typeof FindingBundle>> = bundle(
          exports.source,
          { visible, asOf },
          generations.current(),
        );
        return { status: 200, mediaType: 'application/json', stream: jsonStream(pieces) };
      });
    },

    async FindingTrendsForEnvironment({ rawQuery }, { principal }) {
      const window = askedWindow(rawQuery, ['start', 'end']);
      const environments = askedEnvironments(rawQuery, 'environments', generations);
      const visible = visibleEnvironments(principal);
      const zone = await askedZone(db, rawQuery);
      const scope = { ...window, visible, environments, zones: tagsOf(zone) };
      const trends = await findingTrends(db, scope, currentTypes(), zone?.wording);
      const sum = (end: 'at_start' | 'at_end') => trends.reduce((total, { whole }) => total + whole[end], 0);
      const data = {
        findings: trends.map(({ trend }) => trend),
        total_finding_count_start: sum('at_start'),
        total_finding_count_end: sum('at_end'),
      };
      return { status: 200, json: { start: window.from, end: window.to, environments, data } };
    },
  };
}

/** `{"findings": [...], "finding_assets": {...}}`, unwrapped, as clients expect. */
async function* bundle(
  source: Exports['source'],
  scope: FindingScope,
  generation: Generation,
): AsyncGenerator<string> {
  const { db } = source;
  // Runs before the cursor opens: the cursor holds one of the few export connections, and this query needs one too.
  const types = await availableTypes(db, scope);
  yield '{"findings":[';
  let separator = '';
  for await (const rows of eachFinding(source, scope, { filters: [], sorts: [] })) {
    const properties = await propertiesOfEnds(db, rows);
    yield separator + rows.map((row) => JSON.stringify(bundledFinding(row, properties, generation))).join();
    separator = ',';
  }
  yield `],"finding_assets":${JSON.stringify(bundledTexts(types, typesById(generation.graph)))}}`;
}

/** @returns the edge number used in graph answers; undefined if the edge no longer exists or is not unique */
function edgeNumber({ graph }: Generation, row: FindingRow): number | undefined {
  const { source_graph_id: source, target_graph_id: target, edge_kind: kind } = row;
  if (source === null || target === null || kind === null) return undefined;
  const edge = findEdgeByStoreIds(graph, source, kind, target);
  return edge === NO_EDGE ? undefined : edge;
}

function bundledFinding(
  row: FindingRow,
  properties: ReadonlyMap<number, Properties>,
  generation: Generation,
): object {
  const target = {
    target_id: row.target_id,
    target_kind: row.target_kind,
    target_properties: propertiesOf(row, 'target', properties),
  };
  const source = {
    source_id: row.source_id,
    source_kind: row.source_kind,
    source_properties: propertiesOf(row, 'source', properties),
    exposure_percentage: row.exposure_percentage,
    exposure_count: row.exposure_count,
    attack_path_edge_id: edgeNumber(generation, row),
  };
  return {
    ...target,
    ...(row.kind === 'relationship' ? source : {}),
    finding_name: row.finding,
    environment_id: row.environment_id,
    impact_percentage: row.impact_percentage,
    impact_count: row.impact_count,
    accepted_until: row.is_accepted ? Math.floor(Date.parse(row.accepted_until ?? '') / 1000) || 0 : 0,
    asset_group: row.zone_name,
  };
}

/** Texts about Tier Zero, and the same texts for a finding of any zone. */
function documentsOf(type: FindingType): [name: string, text: string][] {
  return FINDING_TEXTS.flatMap((name): [string, string][] => [
    [name, findingText(type, name)],
    ...(isOfEachZone(type)
      ? [[`${ANY_ZONE_PREFIX}${name}`, findingText(type, name, ANY_ZONE)] as [string, string]]
      : []),
  ]);
}

function bundledTexts(ids: readonly string[], typeOf: TypesById): Record<string, Record<string, string>> {
  const types = ids.map(typeOf).filter((type) => type !== undefined);
  return Object.fromEntries(
    types.map((type) => [
      type.id,
      Object.fromEntries(
        documentsOf(type).map(([name, text]) => [`${name}.md`, Buffer.from(text).toString('base64')]),
      ),
    ]),
  );
}
