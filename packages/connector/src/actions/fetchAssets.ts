/**
 * Fetch Assets: data of objects, with the counts of objects that they administer, belong to and control. Fetches several objects
 * at a time. With a time budget, the next call receives the state of this one and fetches the rest.
 */
import { AZURE_ENTITY_TYPES, ENTITY_KINDS, type SearchResult } from '@clew/api';
import type { ClewClient } from '@clew/client';
import Type from 'typebox';
import { parsedAs } from '../schemaFaults.ts';
import { isFatal, messageOf } from './faults.ts';
import { InputError, parseItems } from './inputs.ts';
import type { ActionResult, ItemResult, ItemResults } from './results.ts';
import { failure, inOrder, joinMessages, refused, success } from './results.ts';

export type AssetItem = Readonly<Record<string, unknown>>;

interface AssetsInfo {
  readonly assets_info: ItemResults<AssetItem>;
}

/** State that platforms keep between two calls of an action that exceeds their time limit. */
interface State {
  readonly remaining_ids: readonly string[];
  readonly results: ItemResults<AssetItem>;
}

export interface FetchAssetsOptions {
  /** The result value of an unfinished call. */
  readonly state?: string;
  /** Time limit for starting another object; default: no limit. */
  readonly budgetMs?: number;
  readonly signal?: AbortSignal;
}

/** `true` if all objects were fetched; `in progress` with the state if time ran out. */
export async function fetchAssets(
  client: ClewClient,
  objectIds: string | undefined,
  { state, budgetMs = Number.POSITIVE_INFINITY, signal }: FetchAssetsOptions = {},
): Promise<ActionResult<AssetsInfo>> {
  let begun: State;
  try {
    begun =
      state === undefined
        ? { remaining_ids: parseItems(objectIds, 'Object IDs'), results: {} }
        : readState(state);
  } catch (error) {
    if (error instanceof InputError) return refused(error.message, { assets_info: {} });
    throw error;
  }
  const until = Date.now() + budgetMs;
  let fatal: ItemResult<never> | undefined;
  const fetched = await inOrder(begun.remaining_ids, async (id) => {
    if (fatal !== undefined) return fatal;
    if (Date.now() >= until) return undefined;
    try {
      return await fetchAsset(client, id, signal);
    } catch (error) {
      const fault = failure(`Failed to fetch primary response: ${messageOf(error)}`);
      if (isFatal(error)) fatal = fault;
      return fault;
    }
  });
  const done = begun.remaining_ids.flatMap((id, at) => {
    const result = fetched[at];
    return result === undefined ? [] : [[id, result] as const];
  });
  const assets_info: ItemResults<AssetItem> = { ...begun.results, ...Object.fromEntries(done) };
  const remaining_ids = begun.remaining_ids.filter((_, at) => fetched[at] === undefined);
  const message = joinMessages(assets_info);
  if (remaining_ids.length > 0) {
    const next: State = { remaining_ids, results: assets_info };
    return { status: 'in progress', resultValue: JSON.stringify(next), message, json: { assets_info } };
  }
  const isWhole = Object.values(assets_info).every((item) => item.status === 'success');
  return { status: 'completed', resultValue: String(isWhole), message, json: { assets_info } };
}

/** The result value of an earlier call, as a platform returns it. */
const StateSchema = Type.Object({
  remaining_ids: Type.Array(Type.String()),
  results: Type.Record(
    Type.String(),
    Type.Object({
      status: Type.Union([Type.Literal('success'), Type.Literal('error')]),
      message: Type.String(),
      data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    }),
  ),
});

function readState(text: string): State {
  const state = parsedAs(StateSchema, text);
  if (state === undefined) throw new InputError('the state of the previous call cannot be read');
  return state;
}

async function fetchAsset(
  client: ClewClient,
  id: string,
  signal: AbortSignal | undefined,
): Promise<ItemResult<AssetItem>> {
  const hits = await client.search(id, { signal });
  const hit = hits.find(({ objectid }) => objectid.toUpperCase() === id.toUpperCase());
  // A hit by exact name only is a different object.
  if (hit === undefined) return failure('Object Id not available');
  const data = await entityOf(client, hit, signal);
  return success('Asset fetched', { objectid: hit.objectid, name: hit.name, type: hit.type, ...data });
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

async function entityOf(
  client: ClewClient,
  { objectid: object_id, type }: SearchResult,
  signal: AbortSignal | undefined,
): Promise<AssetItem> {
  const azure = AZURE_ENTITY_TYPES.find(({ kind }) => same(kind, type));
  if (azure !== undefined) {
    const input = { params: { entity_type: azure.segment }, query: { object_id, counts: true } };
    return (await client.call('GetAzureEntity', input, { signal })).data as AssetItem;
  }
  const kind = ENTITY_KINDS.find((each) => same(each.kind, type));
  const operationId = kind?.operationId ?? 'GetEntity';
  const input = { params: { object_id }, query: { counts: true } };
  return (await client.call(operationId as 'GetUserEntity', input, { signal })).data as AssetItem;
}
