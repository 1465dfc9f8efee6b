/** Texts of objects besides their names from the store, for the search by words. */
import { findNodeByStoreId, NO_NODE } from '@clew/graph';
import type { NodeTexts, QueryData } from '@clew/queries';
import { copyOut, type Database } from '@clew/store';

/** Texts, or lists of texts. */
const KEYS = [
  ...['displayname', 'samaccountname', 'userprincipalname', 'email', 'dnshostname', 'hostname'],
  'serviceprincipalnames',
];
/** Maximum items read from a list. */
const MAX_ITEMS = 20;

export async function readNodeTexts(
  { pool }: Pick<Database, 'pool'>,
  { graph }: QueryData,
): Promise<NodeTexts> {
  const found: { readonly node: number; readonly text: Buffer }[] = [];
  const client = await pool.connect();
  try {
    const keys = KEYS.map((key) => `'${key}'`).join();
    // One JSON path for all keys takes fourteen times as long.
    await copyOut(
      client,
      `select id, jsonb_build_array(${KEYS.map((key) => `properties -> '${key}'`).join()})
       from node where deleted_at is null and properties ?| array[${keys}]`,
      (row) => {
        const node = findNodeByStoreId(graph, row.int4(0));
        if (node === NO_NODE) return;
        for (const value of (row.json(1) as unknown[]).flatMap((one) =>
          Array.isArray(one) ? one.slice(0, MAX_ITEMS) : [one],
        ))
          if (typeof value === 'string' && value !== '') found.push({ node, text: Buffer.from(value) });
      },
    );
  } finally {
    client.release();
  }
  found.sort((a, b) => a.node - b.node);
  const nodes = new Uint32Array(new SharedArrayBuffer(found.length * 4));
  const offsets = new Uint32Array(new SharedArrayBuffer((found.length + 1) * 4));
  const length = found.reduce((sum, { text }) => sum + text.length, 0);
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  let used = 0;
  for (const [at, { node, text }] of found.entries()) {
    nodes[at] = node;
    bytes.set(text, used);
    used += text.length;
    offsets[at + 1] = used;
  }
  return { nodes, texts: { bytes, offsets } };
}
