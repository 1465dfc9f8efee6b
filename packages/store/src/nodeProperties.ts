/**
 * Reads node properties by key from the store; the graph in memory does not have them. Values of attributes with passwords are never
 * returned, only whether they are set.
 */
import type { Properties, PropertyValue } from '@clew/model';
import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface NodeDetails {
  /** The stored properties without secrets, with `lastseen` and `lastcollected`. */
  readonly properties: Properties;
  /** When a source last reported the node; for a node that analysis created, when it was created. */
  readonly lastSeen: string;
}

/** The source of properties for queries. */
export interface NodePropertySource {
  /** @param storeIds ids of nodes in the store @returns the details by store id, without unknown ids */
  read(storeIds: readonly number[]): Promise<ReadonlyMap<number, NodeDetails>>;
  /**
   * Reads one property, for answers that show no others: a tenth of the work.
   * @returns the texts by store id, without nodes whose property is missing or not a text
   */
  readTexts(storeIds: readonly number[], key: string): Promise<ReadonlyMap<number, string>>;
}

/**
 * Attributes in which some tools store passwords in clear text or reversibly encrypted. The finding only needs to know that a value is set;
 * showing it would help the next reader to use it.
 */
const SECRET_ATTRIBUTES: ReadonlySet<string> = new Set([
  'userpassword',
  'unixpassword',
  'unicodepassword',
  'sfupassword',
]);

/** Replaces the value of a secret attribute. */
export const HIDDEN_VALUE = '(set, value hidden)';

/** Ids per statement: limits the size of messages and plans. */
const BATCH = 5_000;

export function storedProperties(db: Db): NodePropertySource {
  return {
    async read(storeIds) {
      const found = new Map<number, NodeDetails>();
      for (let at = 0; at < storeIds.length; at += BATCH) {
        for (const row of await readRows(db, storeIds.slice(at, at + BATCH))) {
          found.set(row.id, detailsOf(row.properties, row.last_seen ?? row.first_seen, row.last_collected));
        }
      }
      return found;
    },
    async readTexts(storeIds, key) {
      if (storeIds.length === 0) return new Map();
      const { rows } = await sql<{ id: number; value: string }>`
        select id, properties ->> ${key}::text as value from node
        where id = any(${storeIds}::integer[]) and jsonb_typeof(properties -> ${key}::text) = 'string'`.execute(
        db,
      );
      return new Map(rows.map(({ id, value }) => [id, value]));
    },
  };
}

function readRows(db: Db, storeIds: readonly number[]) {
  return db
    .selectFrom('node')
    .leftJoin('sighting', 'sighting.node_id', 'node.id')
    .where('node.id', '=', sql<number>`any(${storeIds}::integer[])`)
    .groupBy('node.id')
    .select(({ fn }) => [
      'node.id',
      'node.properties',
      'node.first_seen',
      fn.max('sighting.last_seen').as('last_seen'),
      fn.max('sighting.last_collected').as('last_collected'),
    ])
    .execute();
}

/** @returns properties as shown in answers */
export function detailsOf(stored: Properties, lastSeen: string, lastCollected: string | null): NodeDetails {
  const seen = { lastseen: lastSeen, ...(lastCollected === null ? {} : { lastcollected: lastCollected }) };
  return { properties: { ...withoutSecrets(stored), ...seen }, lastSeen };
}

/** @returns the value as shown in answers */
export function shownPropertyValue(key: string, value: PropertyValue): PropertyValue {
  return SECRET_ATTRIBUTES.has(key) && isFilled(value) ? HIDDEN_VALUE : value;
}

export function withoutSecrets(stored: Properties): Properties {
  const properties: Record<string, PropertyValue> = { ...stored };
  for (const name of SECRET_ATTRIBUTES) {
    if (isFilled(properties[name])) properties[name] = HIDDEN_VALUE;
  }
  return properties;
}

function isFilled(value: PropertyValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false;
}
