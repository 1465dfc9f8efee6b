/**
 * Members of an asset group over time: one collection per change. Streamed, because a large group that changed often has a long history.
 */
import { ASSET_GROUP_COLLECTION_COLUMNS, type AssetGroupCollection, NOT_DELETED } from '@clew/api';
import { type Handler, type JsonPieces, jsonStream, parseListQuery } from '@clew/common';
import type { Db } from '@clew/store';
import { expectAssetGroup } from '../zones/legacyGroups.ts';
import {
  type CollectionRow,
  listCollections,
  type MembersAt,
  membersAt,
  type StayRow,
} from '../zones/memberHistory.ts';
import { visibleEnvironments } from './askedScope.ts';

export function listCollectionsOf(db: Db): Handler<'ListAssetGroupCollections'> {
  return async ({ params, rawQuery }, { principal }) => {
    const zone = await expectAssetGroup(db, params.asset_group_id);
    const list = parseListQuery(rawQuery, ASSET_GROUP_COLLECTION_COLUMNS);
    const visible = visibleEnvironments(principal);
    const collections = await listCollections(db, zone.id, list, visible);
    const pieces: JsonPieces<{ data: AssetGroupCollection[] }> = collectionPieces(
      db,
      zone.id,
      collections,
      visible,
    );
    return { status: 200, mediaType: 'application/json', stream: jsonStream(pieces) };
  };
}

/** Maximum number of objects in memory. */
const BATCH = 2_000;

async function* collectionPieces(
  db: Db,
  zone: number,
  collections: readonly CollectionRow[],
  visible: readonly string[] | null,
): AsyncGenerator<string> {
  yield '{"data":[';
  for (const [at, { id, created_at }] of collections.entries()) {
    const head = JSON.stringify({ id, created_at, updated_at: created_at, deleted_at: NOT_DELETED });
    yield `${at === 0 ? '' : ','}${head.slice(0, -1)},"entries":[`;
    let separator = '';
    for await (const rows of memberBatches(db, { zone, instant: created_at, visible })) {
      yield separator + rows.map((row) => JSON.stringify(collectionEntry(id, row))).join();
      separator = ',';
    }
    yield ']}';
  }
  yield ']}';
}

async function* memberBatches(db: Db, scope: MembersAt): AsyncGenerator<readonly StayRow[]> {
  for (let after = ''; ; ) {
    const rows = await membersAt(db, scope, { after, limit: BATCH });
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = rows[rows.length - 1].object_id;
  }
}

function collectionEntry(collection: number, stay: StayRow): AssetGroupCollection['entries'][number] {
  const { id, object_id, name, primary_kind, environment_id, joined_at } = stay;
  return {
    ...{ id, created_at: joined_at, updated_at: joined_at, deleted_at: NOT_DELETED },
    asset_group_collection_id: collection,
    object_id,
    node_label: primary_kind,
    properties: { objectid: object_id, name, environment_id },
  };
}
