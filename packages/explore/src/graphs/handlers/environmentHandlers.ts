/** Environments: the domains and tenants that a caller may see, and changes of a domain. */
import { DOMAIN_SELECTOR_COLUMNS, type DomainSelector } from '@clew/api';
import {
  filterRows,
  type Handler,
  type Handlers,
  parseListQuery,
  recordSuccess,
  requireWholeView,
  sortRows,
} from '@clew/common';
import type { Environment, Generation } from '@clew/generation';
import { findNamedNode, NO_NODE, objectIdOf } from '@clew/graph';
import { NodeKind } from '@clew/model';
import { findEntity, queryDataOf } from '@clew/queries';
import { AdvisoryLock, type Db, factsChanged } from '@clew/store';
import { sql } from 'kysely';
import type { EnvironmentRating, QueryServices } from '../queryServices.ts';
import { isVisible, missingFrom, requireVisible, visibilityOf } from '../visibility.ts';

export function environmentHandlers(
  services: QueryServices,
): Handlers<'GetAvailableDomains' | 'UpdateDomainEntity' | 'FindEnvironments'> {
  return {
    GetAvailableDomains: availableDomains(services),
    UpdateDomainEntity: updateDomain(services),
    FindEnvironments: findEnvironments(services),
  };
}

/** It reads the graph itself, so that it can check what is shown of it. */
function findEnvironments({ generations }: QueryServices): Handler<'FindEnvironments'> {
  return async ({ body }, context) => {
    requireWholeView(context);
    const { graph } = queryDataOf(generations.current());
    const found = body.object_ids.flatMap((object_id) => {
      const node = findNamedNode(graph, object_id);
      if (node === NO_NODE) return [];
      const environment = graph.environmentOf[node];
      return [{ object_id, environment_id: environment === NO_NODE ? null : objectIdOf(graph, environment) }];
    });
    return { status: 200, json: { data: found } };
  };
}

function availableDomains(services: QueryServices): Handler<'GetAvailableDomains'> {
  return async ({ rawQuery }, { principal }) => {
    const generation = services.generations.current();
    const { filters, sorts } = parseListQuery(rawQuery, DOMAIN_SELECTOR_COLUMNS);
    const data = queryDataOf(generation);
    const visibility = visibilityOf(data, principal);
    const visible = generation.environments.filter(({ node }) => isVisible(data, visibility, node));
    const rows = sortRows(filterRows(visible, filters, readColumn), sorts, byNameAndId, readColumn);
    const [ratings, unread] = await Promise.all([services.ratings(), services.unread(generation.id)]);
    const kindOf = await environmentKinds(services, generation);
    const shown = rows.map((row) =>
      domainSelector(row, kindOf(row), unread.get(row.id), ratings.get(row.id)),
    );
    return { status: 200, json: { data: shown } };
  };
}

function byNameAndId(a: Environment, b: Environment): number {
  return compare(a.name, b.name) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function readColumn(environment: Environment, column: string): string | boolean {
  const { id, name, collected } = environment;
  return { objectid: id, name, collected }[column] ?? '';
}

const UNRATED: EnvironmentRating = { impactValue: 0, hygiene_attack_paths: 0, exposures: [] };

type EnvironmentKind = Pick<
  DomainSelector,
  'environment_kind_id' | 'environment_kind_name' | 'environment_kind_display_name'
>;

async function environmentKinds(
  services: QueryServices,
  { graph }: Generation,
): Promise<(environment: Environment) => EnvironmentKind> {
  const { environments } = graph.declared;
  const named = (id: number, name: string, display: string): EnvironmentKind => ({
    environment_kind_id: id,
    environment_kind_name: name,
    environment_kind_display_name: display,
  });
  const declared = environments.length === 0 ? undefined : (await services.extensions.read()).nodeKinds;
  return ({ type }) => {
    const kind = environments.find(({ name }) => name === type);
    if (kind !== undefined)
      return named(kind.kind, kind.name, declared?.get(kind.name)?.kind.display_name ?? kind.name);
    return type === 'azure'
      ? named(NodeKind.AZTenant, 'AZTenant', 'Tenant')
      : named(NodeKind.Domain, 'Domain', 'Domain');
  };
}

function domainSelector(
  environment: Environment,
  kind: EnvironmentKind,
  unread: readonly string[] = [],
  rating = UNRATED,
): DomainSelector {
  const { type, name, id, collected } = environment;
  return {
    ...{ type, name, id, collected },
    ...kind,
    ...rating,
    // Its exposure is unknown, which is not 0%.
    exposures: collected ? rating.exposures : [],
    not_read: collected ? [...unread] : ['environment'],
  };
}

/** This causes a new graph. */
function updateDomain(services: QueryServices): Handler<'UpdateDomainEntity'> {
  return async ({ params, body }, context) => {
    const { principal } = context;
    const data = queryDataOf(services.generations.current());
    const domain = findEntity(data, params.object_id, 'Domain');
    const visibility = visibilityOf(data, principal);
    if (domain === undefined) throw missingFrom(visibility);
    requireVisible(data, visibility, domain);
    const { collected } = body;
    await services.database.db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${AdvisoryLock.facts})`.execute(transaction);
      const isNews = await markCollected(transaction, data.graph.storeIds[domain], collected);
      if (isNews) await factsChanged(transaction);
      const fields = { object_id: params.object_id, collected };
      await recordSuccess(transaction, context, 'UpdateDomain', fields);
    });
    return { status: 200, json: { data: { collected } } };
  };
}

/** @returns whether it changed */
async function markCollected(db: Db, storeId: number, collected: boolean): Promise<boolean> {
  const patch = JSON.stringify({ collected });
  const { numUpdatedRows } = await db
    .updateTable('node')
    .set({ properties: sql<string>`properties || ${patch}::jsonb` })
    .where('id', '=', storeId)
    .where(sql<boolean>`not properties @> ${patch}::jsonb`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
