/** Computes the effect of installing a definition within a time limit. Rule: `docs/extensions.md#dry-run`. */

import type { ExtensionDryRun } from '@clew/api';
import { lastMoment, type RequestContext } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import { readDeclaredKinds } from '@clew/intake';
import type { StartExtensionPreview } from '@clew/intake/handlers';
import { type CheckQuery, readStoredZones } from '@clew/judgment';
import { endAfter, FIRST_CUSTOM_KIND } from '@clew/model';
import { type Db, statementsOn } from '@clew/store';
import type { ExtensionEffectRequest } from '../tasks/extensionEffect.ts';
import { readsDeclared } from '../tasks/extensionSelectors.ts';
import type { Planner } from '../threads/planner.ts';
import { answering } from '../threads/planParts.ts';

/** Time limit, independent of how long the client waits. */
const MAX_MS = 10 * 60_000;

type Worked = Pick<ExtensionDryRun, 'effect' | 'not_computed'>;

export function extensionPreview(generations: GenerationSource, planner: Planner): StartExtensionPreview {
  return async (before) => {
    const zonesBefore = await readStoredZones(statementsOn(before));
    let request: ExtensionEffectRequest | undefined;
    return {
      async installed(db, { definition }) {
        const { namespace } = definition.schema;
        const declared = await declaredIn(db);
        const zonesAfter = await readStoredZones(statementsOn(db));
        const checks = await checksToRun(db, namespace);
        request = { ...declared, zonesBefore, zonesAfter, checks, namespace };
      },
      async answer(context) {
        const generation = generations.current();
        if (request === undefined || generation.id === 0)
          return notComputed('There is no analysis yet: upload a collection first.');
        const { principal } = context;
        if (principal.kind === 'user' && principal.environments !== null)
          return notComputed(
            'The effect on the graph counts objects of all environments, and you can see only some of them.',
          );
        const asked = request;
        const began = performance.now();
        return withinTime(context, async (signal) => {
          const { effect, notComputed: left } = await answering(
            planner.run(generation, 'extensionEffect', asked, signal),
          );
          const milliseconds = Math.round(performance.now() - began);
          return { effect: { ...effect, milliseconds }, not_computed: [...left] };
        });
      },
    };
  };
}

const notComputed = (reason: string): Worked => ({ effect: null, not_computed: [reason] });

async function withinTime(
  { signal, deadline }: RequestContext,
  work: (signal: AbortSignal) => Promise<Worked>,
): Promise<Worked> {
  const ms = Math.min(lastMoment(deadline) - Date.now(), MAX_MS);
  const late = endAfter(ms);
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    return notComputed(
      `Calculating the effect on the graph takes more than ${Math.round(ms / 1000)} s: request it again with more time (Prefer: wait).`,
    );
  }
}

type Declared = Pick<ExtensionEffectRequest, 'declared' | 'customNodeKinds' | 'customEdgeKinds'>;

async function declaredIn(db: Db): Promise<Declared> {
  const kindsOf = async (table: 'node_kind' | 'edge_kind'): Promise<ReadonlyMap<number, string>> => {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', '>=', FIRST_CUSTOM_KIND)
      .execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  };
  const [customNodeKinds, customEdgeKinds] = [await kindsOf('node_kind'), await kindsOf('edge_kind')];
  const numbers = (kinds: ReadonlyMap<number, string>) => new Map([...kinds].map(([id, name]) => [name, id]));
  const declared = await readDeclaredKinds(statementsOn(db), {
    ...{ nodes: numbers(customNodeKinds), edges: numbers(customEdgeKinds) },
  });
  return { declared, customNodeKinds, customEdgeKinds };
}

/** The checks of the extension, and other checks whose results may change with it. */
async function checksToRun(db: Db, namespace: string): Promise<CheckQuery[]> {
  const { rows } = await statementsOn(db).query<CheckQuery>(
    `select id, name, definition ->> 'cypher' as cypher, query_ms, query_timed_out from custom_check
     where enabled order by id`,
  );
  return rows.filter(
    ({ name, cypher }) => name.startsWith(`${namespace}_`) || readsDeclared(cypher, namespace),
  );
}
