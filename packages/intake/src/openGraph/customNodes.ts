/** Appearance of node kinds from uploads: an icon and a color for each, kept until a user changes them. */
import type { CustomNode, CustomNodeConfig } from '@clew/api';
import { apiError } from '@clew/common';
import { nodeKindByName } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

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

export interface CreatedCustomNodes {
  /** In the requested order, including kinds that already had this appearance. */
  readonly nodes: readonly CustomNode[];
  readonly refused: readonly RefusedKind[];
}

export interface RefusedKind {
  readonly kind: string;
  readonly isBuiltIn: boolean;
}

/** Creates as many as possible. @throws ApiError 400 for a reserved name */
export async function createCustomNodes(
  db: Db,
  configs: Readonly<Record<string, CustomNodeConfig>>,
): Promise<CreatedCustomNodes> {
  for (const kind of Object.keys(configs))
    if (/^tag(?:_|$)/i.test(kind)) throw apiError('reservedKindName', { kind });
  const nodes: CustomNode[] = [];
  const refused: RefusedKind[] = [];
  for (const [kind, config] of Object.entries(configs)) {
    const isBuiltIn = nodeKindByName(kind) !== undefined;
    const node = isBuiltIn ? undefined : await createCustomNode(db, kind, config);
    if (node === undefined) refused.push({ kind, isBuiltIn });
    else nodes.push(node);
  }
  return { nodes, refused };
}

/** @returns `undefined` if the kind already has another appearance */
async function createCustomNode(
  db: Db,
  kind: string,
  config: CustomNodeConfig,
): Promise<CustomNode | undefined> {
  const icon = iconText(config);
  const made = await db
    .insertInto('custom_node_kind')
    .values({ kind_name: kind, icon })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  if (made !== undefined) return customNode(made);
  const stored = await db
    .selectFrom('custom_node_kind')
    .select(COLUMNS)
    .where('kind_name', '=', kind)
    .where(sql<boolean>`icon::jsonb = ${icon}::jsonb`)
    .executeTakeFirst();
  return stored && customNode(stored);
}

/** @throws ApiError 404, or 409 for a built-in kind */
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

/** Members are in the order of the API description, which the store does not keep. */
function customNode({ id, kind_name, icon }: Row): CustomNode {
  const { type, name, color } = icon;
  return { id, kindName: kind_name, config: { icon: { type, name, color } } };
}
