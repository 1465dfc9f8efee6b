/** Custom checks over HTTP. Rule: `docs/checks.md`. */
import { CHECK_COLUMNS, type Check } from '@clew/api';
import {
  ApiError,
  apiError,
  type Handlers,
  isOutOfMemory,
  type Principal,
  principalId,
  type RequestContext,
  recordPage,
  recordSuccess,
} from '@clew/common';
import { CypherError, withoutTexts } from '@clew/cypher';
import { isVisible, namesSeenBy, shownName, visibilityOf } from '@clew/explore';
import type { Generation } from '@clew/generation';
import { NO_NODE, objectIdOf } from '@clew/graph';
import { listExtensions, otherNames, type ReadCheck, readCheck } from '@clew/intake';
import { labelOf, queryDataOf } from '@clew/queries';
import type { Db } from '@clew/store';
import { visibleEnvironments } from '../http/askedScope.ts';
import type { FindingParts } from '../http/findingParts.ts';
import { type CheckFound, checkFound } from './checkAnswer.ts';
import { type CheckRow, readChecks, removeCheck, storeCheck, switchCheck } from './storedChecks.ts';

/** Maximum number of shown objects, enough to see the effect of a check. */
const MAX_SHOWN = 200;
const NAME = /^\w+$/;

type Operations = 'ListChecks' | 'GetCheck' | 'PutCheck' | 'SwitchCheck' | 'DeleteCheck' | 'TestCheck';

export function checkHandlers(parts: FindingParts): Handlers<Operations> {
  const { db } = parts;
  return {
    async ListChecks(input, { principal }) {
      return { status: 200, json: recordPage(await checksFor(db, principal), CHECK_COLUMNS, input) };
    },
    async GetCheck({ params }, { principal }) {
      return { status: 200, json: { data: await oneCheck(db, principal, params.check_name) } };
    },
    async PutCheck({ params, body }, context) {
      const document = { ...body, name: nameIn(params.check_name, body.name) };
      const check = await checked(parts, document, context);
      const stored = await db.transaction().execute(async (transaction) => {
        const made = await storeCheck(transaction, context, check);
        if (made !== undefined)
          await audit(transaction, context, made.isNew ? 'CreateCheck' : 'UpdateCheck', check.name);
        return made;
      });
      const stands = await oneCheck(db, context.principal, check.name);
      const json = { data: { ...stands, definition_warnings: [...check.warnings] } };
      return stored?.isNew === true ? { status: 201, json } : { status: 200, json };
    },
    async SwitchCheck({ params, body }, context) {
      const { enabled } = body;
      if (enabled === undefined)
        return { status: 200, json: { data: await oneCheck(db, context.principal, params.check_name) } };
      await db.transaction().execute(async (transaction) => {
        await switchCheck(transaction, context, params.check_name, enabled);
        await audit(transaction, context, 'UpdateCheck', params.check_name);
      });
      return { status: 200, json: { data: await oneCheck(db, context.principal, params.check_name) } };
    },
    async DeleteCheck({ params }, context) {
      await db.transaction().execute(async (transaction) => {
        await removeCheck(transaction, params.check_name);
        await audit(transaction, context, 'DeleteCheck', params.check_name);
      });
      return { status: 204 };
    },
    async TestCheck({ body }, context) {
      const { definition, warnings } = await checked(parts, body, context);
      const generation = parts.generations.current();
      const began = performance.now();
      const found = await foundNow(parts, generation, definition.cypher, context);
      const record = foundRecord(generation, found, context);
      const all = [...new Set([...warnings, ...record.warnings])];
      return { status: 200, json: { data: { ...record, warnings: all, milliseconds: since(began) } } };
    },
  };
}

const since = (began: number): number => Math.round(performance.now() - began);

async function oneCheck(db: Db, principal: Principal, name: string): Promise<Check> {
  const [check] = NAME.test(name) ? await checksFor(db, principal, name) : [];
  if (check === undefined) throw apiError('resourceNotFound');
  return check;
}

/** Query texts can name any object, and warnings count objects of all environments. */
function seenCheck(check: Check): Check {
  const { definition, error } = check;
  return {
    ...check,
    definition: { ...definition, cypher: withoutTexts(definition.cypher) },
    error: error === null ? null : 'The query is not valid',
    warnings: [],
  };
}

async function checksFor(db: Db, principal: Principal, name?: string): Promise<Check[]> {
  const visible = visibleEnvironments(principal);
  const checks = (await readChecks(db, visible, name)).map(checkRecord);
  return visible === null ? checks : checks.map(seenCheck);
}

/** If the body names another check than the path, it is an error; without a name, the path decides. */
const nameIn = (address: string, given: unknown): unknown =>
  given === undefined || given === address ? address : `${address} and ${String(given).slice(0, 100)}`;

/** @throws ApiError 400 that lists every fault */
async function checked(
  { db, cypher, generations }: FindingParts,
  document: unknown,
  context: RequestContext,
): Promise<ReadCheck> {
  const definitions = (await listExtensions(db)).map(({ definition }) => definition);
  const stored = await namesSeenBy(cypher, generations, context);
  const read = await readCheck(document, await otherNames(db, definitions, stored));
  if (!('faults' in read)) return read;
  const { message } = apiError('invalidCheck', { count: String(read.faults.count) });
  throw new ApiError('invalidCheck', message, { details: read.faults.texts() });
}

async function foundNow(
  { cypher }: FindingParts,
  generation: Generation,
  query: string,
  { principal, signal }: RequestContext,
): Promise<CheckFound> {
  const data = queryDataOf(generation);
  const { environments } = visibilityOf(data, principal);
  try {
    const origin = { owner: principalId(principal), signal };
    const answer = await cypher.check(generation, query, environments, origin);
    return checkFound(answer, (node) => shownName(data, node));
  } catch (error) {
    if (error instanceof CypherError) throw apiError('unusableCheck', { reason: error.message });
    if (isOutOfMemory(error)) throw apiError('memoryExceeded');
    throw error;
  }
}

function foundRecord(generation: Generation, found: CheckFound, { principal }: RequestContext) {
  const { graph } = generation;
  const data = queryDataOf(generation);
  const visibility = visibilityOf(data, principal);
  const visible = [...found.offenders].filter(([node]) => isVisible(data, visibility, node));
  return {
    found_count: visible.length,
    evidence_columns: [...found.columns],
    found: visible.slice(0, MAX_SHOWN).map(([node, evidence]) => {
      const environment = graph.environmentOf[node];
      return {
        object_id: objectIdOf(graph, node),
        name: shownName(data, node),
        kind: labelOf(data, node),
        environment_id: environment === NO_NODE ? '' : objectIdOf(graph, environment),
        evidence: evidence.map((row) => [...row]),
      };
    }),
    warnings: [...found.warnings],
  };
}

function checkRecord(row: CheckRow): Check {
  const { name, enabled, extension_id, definition, finding_count } = row;
  const { created_at, created_by, updated_at, updated_by, ran_at, found_at } = row;
  const { title, category, severity, cypher, remediation, techniques, owner, repair } = definition;
  return {
    ...{ name, title, enabled, extension_id },
    definition: {
      ...{ name, title, category, severity, cypher, remediation, techniques: [...techniques], owner },
      ...(repair && { repair: { ...repair, relationship_kinds: [...repair.relationship_kinds] } }),
      enabled,
    },
    ...{ created_at, created_by, updated_at, updated_by, finding_count, ran_at },
    ...{ milliseconds: row.query_ms, error: row.query_error, warnings: row.query_warnings ?? [] },
    ...{ found_at, evidence_columns: row.found_columns },
  };
}

const audit = (db: Db, context: RequestContext, action: string, check: string): Promise<void> =>
  recordSuccess(db, context, action, { check });
