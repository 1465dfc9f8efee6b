/** How own kinds of nodes look: an icon and a colour for each, kept until somebody changes them. */
import type { CustomNode, CustomNodeConfig } from '@clew/api';
import { nodeKindByName } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { apiError } from '../operation/apiError.ts';

const UNKNOWN_ICON = { type: 'font-awesome', name: 'question', color: '#FFFFFF' } as const;
const COLUMNS = ['id', 'kind_name', 'icon'] as const;

interface Row {
  readonly id: number;
  readonly kind_name: string;
  readonly icon: CustomNode['config']['icon'];
}

export async function listCustomNodes(db: Db): Promise<CustomNode[]> {
  const rows = await db.selectFrom('custom_node_kind').select(COLUMNS).orderBy('id').execute();
  return rows.map(customNode);
}

/** @throws ApiError 404 */
export async function readCustomNode(db: Db, kindName: string): Promise<CustomNode> {
  const row = await db
    .selectFrom('custom_node_kind')
    .select(COLUMNS)
    .where('kind_name', '=', kindName)
    .executeTakeFirst();
  if (row === undefined) throw apiError('resourceNotFound');
  return customNode(row);
}

/** All of them or none. @throws ApiError 400 for a reserved name, 409 for one that is built in or known already */
export async function createCustomNodes(
  db: Db,
  configs: Readonly<Record<string, CustomNodeConfig>>,
): Promise<CustomNode[]> {
  const names = Object.keys(configs);
  for (const name of names) {
    if (/^tag(?:_|$)/i.test(name)) throw apiError('reservedKindName', { kind: name });
    requireOwnKind(name);
  }
  const rows = await db
    .insertInto('custom_node_kind')
    .values(names.map((name) => ({ kind_name: name, icon: iconText(configs[name]) })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .execute();
  // The caller's transaction takes back the others.
  if (rows.length < names.length) throw apiError('duplicateKindName');
  return rows.map(customNode);
}

/** @throws ApiError 404, or 409 for a kind that is built in */
export async function updateCustomNode(
  db: Db,
  kindName: string,
  config: CustomNodeConfig,
): Promise<CustomNode> {
  requireOwnKind(kindName);
  const row = await db
    .updateTable('custom_node_kind')
    .set({ icon: iconText(config), updated_at: sql`clock_timestamp()` })
    .where('kind_name', '=', kindName)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (row === undefined) throw apiError('resourceNotFound');
  return customNode(row);
}

function requireOwnKind(name: string): void {
  if (nodeKindByName(name) !== undefined) throw apiError('ownedKindName');
}

function iconText({ icon }: CustomNodeConfig): string {
  const { type, name, color } = { ...UNKNOWN_ICON, ...icon };
  return JSON.stringify({ type, name, color });
}

/** Members in the order of the API's description: the store does not keep it. */
function customNode({ id, kind_name, icon }: Row): CustomNode {
  const { type, name, color } = icon;
  return { id, kindName: kind_name, config: { icon: { type, name, color } } };
}
