/** Findings of one environment for integrations. Rule: `docs/reference/api.md#findings`. */

import { typesById } from '@clew/analysis';
import {
  FINDING_DETAIL_COLUMNS,
  FINDING_NAME_COLUMNS,
  nullTime,
  RISK_COUNT_COLUMNS,
  type RiskCounts,
} from '@clew/api';
import type { Filter, Handler, Handlers, Principal, RequestContext, RequestInput } from '@clew/common';
import { filterRows, parseListQuery, sortRows } from '@clew/common';
import { availableTypes, DETAIL_REFERENCES } from '../findingQueries.ts';
import { type RiskCountRow, riskCounts } from '../posture.ts';
import {
  askedEnvironment,
  askedFinding,
  askedWindow,
  askedZone,
  tagsOf,
  takeZones,
  visibleEnvironments,
} from './askedScope.ts';
import { type FindingListing, findingCsv, findingPage, wantsCsv, withProperties } from './findingLists.ts';
import type { FindingParts } from './findingParts.ts';
import { findingRecord, LIST_CSV, RELATIONSHIP_CSV } from './findingRecords.ts';
import { findingTypeNamed, withNamedTypes } from './findingTypeNames.ts';

type Operations =
  | 'ListAvailableAttackPathTypesForDomain'
  | 'ListDomainAttackPathsDetails'
  | 'ListAttackPathSparklineValues'
  | 'ExportAttackPathFindings';

export function environmentFindingHandlers(parts: FindingParts): Handlers<Operations> {
  const { db, generations } = parts;
  return {
    async ListAvailableAttackPathTypesForDomain({ params, rawQuery }, { principal }) {
      const environment = askedEnvironment(generations, params.domain_id, principal);
      const { filters, ...list } = parseListQuery(rawQuery, FINDING_NAME_COLUMNS, ['asset_group_tag_id']);
      const visible = visibleEnvironments(principal);
      const zones = tagsOf(await askedZone(db, rawQuery));
      const scope = { visible, environments: [environment], zones };
      const named = withNamedTypes(generations.current(), filters);
      return {
        status: 200,
        json: { data: chosenNames(await availableTypes(db, scope), { ...list, filters: named }) },
      };
    },

    async ListDomainAttackPathsDetails(input, context) {
      const listing = await askedListing(parts, input, context.principal);
      if (wantsCsv(input, context)) return exportCsv(parts, listing, context);
      const render = withProperties(db, findingRecord);
      return findingPage(parts, listing, render, { input, context });
    },

    async ListAttackPathSparklineValues({ params, query, rawQuery }, { principal }) {
      const environment = askedEnvironment(generations, params.domain_id, principal);
      const window = askedWindow(rawQuery, ['from', 'to']);
      const { sorts, ...list } = parseListQuery(rawQuery, RISK_COUNT_COLUMNS);
      const { zones, filters } = await takeZones(db, list.filters);
      const visible = visibleEnvironments(principal);
      const finding = findingTypeNamed(generations.current(), askedFinding(query));
      const scope = { ...window, visible, environments: [environment], finding, zones };
      const rows = await riskCounts(db, scope, { sorts, filters });
      return { status: 200, json: { start: window.from, end: window.to, data: rows.map(riskRecord) } };
    },

    ExportAttackPathFindings: exportFindings(parts),
  };
}

function exportFindings(parts: FindingParts): Handler<'ExportAttackPathFindings'> {
  return async (input, context) => {
    const listing = await askedListing(parts, input, context.principal, ['filterAccepted']);
    const { filterAccepted } = input.query;
    const accepted: readonly Filter[] =
      filterAccepted === 'accepted' || filterAccepted === 'unaccepted'
        ? [{ column: 'accepted', type: 'boolean', predicate: 'eq', value: filterAccepted === 'accepted' }]
        : [];
    const list = { ...listing.list, filters: [...listing.list.filters, ...accepted] };
    return exportCsv(parts, { ...listing, list }, context);
  };
}

type EnvironmentListing = FindingListing & { readonly finding: string };

async function askedListing(
  { db, generations }: FindingParts,
  { params, query, rawQuery }: RequestInput<'ListDomainAttackPathsDetails' | 'ExportAttackPathFindings'>,
  principal: Principal,
  others: readonly string[] = [],
): Promise<EnvironmentListing> {
  const environment = askedEnvironment(generations, params.domain_id, principal);
  const finding = findingTypeNamed(generations.current(), askedFinding(query));
  const { sorts, ...list } = parseListQuery(rawQuery, FINDING_DETAIL_COLUMNS, [
    'finding',
    'Accept',
    ...others,
  ]);
  const { zones, filters } = await takeZones(db, list.filters);
  // A filter on the deletion time requests archived findings.
  const state = filters.some(({ column }) => column === 'deleted_at') ? 'all' : 'current';
  const visible = visibleEnvironments(principal);
  const scope = { visible, environments: [environment], finding, zones, state } as const;
  return { finding, scope, list: { sorts, filters }, references: DETAIL_REFERENCES };
}

function exportCsv(parts: FindingParts, listing: EnvironmentListing, context: RequestContext) {
  const columns =
    typesById(parts.generations.current().graph)(listing.finding)?.kind === 'list'
      ? LIST_CSV
      : RELATIONSHIP_CSV;
  const name = listing.finding.replace(/[^\w-]/g, '_').slice(0, 100);
  return findingCsv(parts, listing, columns, `findings-${name}`, context);
}

function riskRecord(row: RiskCountRow): RiskCounts {
  return {
    id: row.id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: nullTime(row.deleted_at),
    CompositeRisk: row.composite_risk,
    FindingCount: row.finding_count,
    ImpactedAssetCount: row.impacted_asset_count,
    DomainSID: row.environment_id,
    Finding: row.finding,
  };
}

/** @returns names that match the filters, in the requested order, by default ascending */
export function chosenNames(
  names: readonly string[],
  { filters, sorts }: ReturnType<typeof parseListQuery>,
): readonly string[] {
  const rows = names.map((finding) => ({ finding }));
  const ascending = (a: { finding: string }, b: { finding: string }) =>
    a.finding < b.finding ? -1 : a.finding > b.finding ? 1 : 0;
  return sortRows(filterRows(rows, filters), sorts, ascending).map(({ finding }) => finding);
}
