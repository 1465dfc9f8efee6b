/**
 * Shows who can reach an object, over HTTP: counts from the graph in memory, and the easiest path from the planning thread. Users
 * with limited environments get counts of fully visible forests.
 *
 * Rule: `docs/findings.md#who-can-reach-an-object`.
 */

import type { ReachRecord } from '@clew/api';
import { type Handlers, type RequestContext, requireUser } from '@clew/common';
import { isVisible, missingFrom, type QueryServices, requireVisible, visibilityOf } from '@clew/explore';
import type { Generation } from '@clew/generation';
import { nameOf, objectIdOf } from '@clew/graph';
import { listZones, type ZoneRow } from '@clew/judgment';
import { findEntity, type QueryData, queryDataOf, type ReachingPrincipals } from '@clew/queries';
import { TIER_ZERO } from '@clew/store';
import { objectRecord } from '../tasks/planRecords.ts';
import { NOT_SHOWN, seenBy } from '../tasks/sight.ts';
import type { Planner } from '../threads/planner.ts';
import { answering } from '../threads/planParts.ts';

export function reachHandlers(services: QueryServices, planner: Planner): Handlers<'GetReach'> {
  return {
    async GetReach({ query }, context) {
      requireUser(context.principal);
      const generation = services.generations.current();
      const data = queryDataOf(generation);
      const visibility = visibilityOf(data, context.principal);
      const object = findEntity(data, query.object_id);
      if (object === undefined) throw missingFrom(visibility);
      requireVisible(data, visibility, object);
      const { zone, inside } = await scopeOf(services, data, object);
      const found = await services.pool.run(data, 'reachingPrincipals', { object, inside }, context.signal);
      const isSeen = found.forest.every((environment) => isVisible(data, visibility, environment));
      const notShown = found.forest.length === 0 ? NO_ENVIRONMENT : isSeen ? undefined : NOT_SHOWN;
      const easiest = query.include_path && notShown === undefined ? await pathInto(object, context) : null;
      const record: ReachRecord = {
        generation: generation.id,
        object: objectRecord(generation, object),
        zone: zone === undefined ? null : { id: zone.id, name: zone.name },
        ...(notShown === undefined ? counts(generation, found) : noCounts(notShown)),
        ...(notShown === undefined ? others(generation, found) : NO_OTHERS),
        easiest_path: easiest,
      };
      return { status: 200, json: { data: record } };

      function others(
        { graph }: Generation,
        { others: nodes, othersReaching }: ReachingPrincipals,
      ): Pick<ReachRecord, 'others' | 'others_not_shown'> {
        const all = Array.from(nodes, (node, at) => ({ node, reaching_count: othersReaching[at] }));
        const seen = all.filter(({ node }) => isVisible(data, visibility, node));
        return {
          others: seen.map(({ node, reaching_count }) => ({
            ...namedEnvironment(graph, node),
            reaching_count,
          })),
          // The same for all limited users: it must not say whether others can reach it from environments that they do not see.
          others_not_shown: visibility.environments === undefined ? null : OTHERS_NOT_SHOWN,
        };
      }

      function pathInto(
        node: number,
        { principal, signal }: RequestContext,
      ): Promise<ReachRecord['easiest_path']> {
        const input = { object: node, zone: zone?.id ?? TIER_ZERO, seen: seenBy(principal) };
        return answering(planner.run(generation, 'easiestInto', input, signal));
      }
    },
  };
}

/**
 * The most privileged zone of the object, and the zones whose members do not count: that zone and more privileged ones; Tier Zero if the
 * object is in no zone.
 */
async function scopeOf(
  { database }: QueryServices,
  { zones: published }: QueryData,
  object: number,
): Promise<{ readonly zone: ZoneRow | undefined; readonly inside: readonly number[] }> {
  const known = await listZones(database.db, { filters: [], sorts: [] });
  const zones = known.filter(({ position }) => position !== null);
  const isMember = (id: number): boolean =>
    published.some((zone) => zone.id === id && ((zone.members[object >>> 5] >>> (object & 31)) & 1) === 1);
  const place = zones.findIndex(({ id }) => isMember(id));
  const last = place < 0 ? zones.findIndex(({ id }) => id === TIER_ZERO) : place;
  return { zone: zones[place], inside: zones.slice(0, last + 1).map(({ id }) => id) };
}

type Counts = Pick<ReachRecord, 'reaching_count' | 'principal_count' | 'environments' | 'not_shown'>;

/** Principals are counted per forest or tenant: an object outside all of them has no base. */
const NO_ENVIRONMENT = 'Not counted: the object does not belong to a known forest or tenant';

const NO_OTHERS = { others: null, others_not_shown: null };
const OTHERS_NOT_SHOWN = 'Environments outside your access are not counted';

const namedEnvironment = (graph: Generation['graph'], node: number) => ({
  environment_id: objectIdOf(graph, node),
  environment_name: nameOf(graph, node) || objectIdOf(graph, node),
});

const noCounts = (reason: string): Counts => ({
  ...{ reaching_count: null, principal_count: null, environments: [] },
  not_shown: reason,
});

function counts({ graph }: Generation, { environments, reaching, counted }: ReachingPrincipals): Counts {
  const sum = (numbers: Uint32Array): number => numbers.reduce((all, one) => all + one, 0);
  return {
    reaching_count: sum(reaching),
    principal_count: sum(counted),
    environments: Array.from(environments, (node, at) => ({
      ...namedEnvironment(graph, node),
      reaching_count: reaching[at],
      principal_count: counted[at],
    })),
    not_shown: null,
  };
}
