/** Definitions by the names and numbers of their kinds; reloaded when a definition has changed. */
import type { Extension } from '@clew/api';
import {
  type Db,
  inSnapshot,
  type StoredNodeKind,
  type StoredRelationshipKind,
  type StoredSections,
} from '@clew/store';
import { sql } from 'kysely';
import { type InstalledExtension, listExtensions } from './installedExtensions.ts';

export interface DeclaredKind<Kind> {
  readonly kind: Kind;
  readonly number: number;
  readonly extension: NonNullable<Extension>;
}

export interface DeclaredKindsByName {
  readonly nodeKinds: ReadonlyMap<string, DeclaredKind<StoredNodeKind>>;
  readonly relationshipKinds: ReadonlyMap<string, DeclaredKind<StoredRelationshipKind>>;
}

export class ExtensionDirectory {
  readonly #db: Db;
  #known: { readonly stamp: string; readonly kinds: DeclaredKindsByName } | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Reads the current definitions. */
  read(): Promise<DeclaredKindsByName> {
    return inSnapshot(this.#db, async (db) => {
      const { stamp } = await db
        .selectFrom('extension')
        .select(sql<string>`coalesce(string_agg(id || ' ' || updated_at, ',' order by id), '')`.as('stamp'))
        .executeTakeFirstOrThrow();
      if (this.#known?.stamp === stamp) return this.#known.kinds;
      const kinds = await readKinds(db, await listExtensions(db));
      this.#known = { stamp, kinds };
      return kinds;
    });
  }
}

async function readKinds(db: Db, extensions: readonly InstalledExtension[]): Promise<DeclaredKindsByName> {
  const numbers = async (table: 'node_kind' | 'edge_kind'): Promise<ReadonlyMap<string, number>> => {
    if (extensions.length === 0) return new Map();
    const rows = await db.selectFrom(table).select(['id', 'name']).execute();
    return new Map(rows.map(({ id, name }) => [name, id]));
  };
  const [ofNodes, ofEdges] = [await numbers('node_kind'), await numbers('edge_kind')];
  const declared = <Kind extends { readonly name: string }>(
    known: ReadonlyMap<string, number>,
    kindsIn: (extension: InstalledExtension) => readonly Kind[],
  ): ReadonlyMap<string, DeclaredKind<Kind>> =>
    new Map(
      extensions.flatMap((extension) =>
        kindsIn(extension).map((kind) => [
          kind.name,
          { kind, number: known.get(kind.name) as number, extension: detailsOf(extension) },
        ]),
      ),
    );
  return {
    nodeKinds: declared(ofNodes, ({ definition }) => definition.node_kinds),
    relationshipKinds: declared(ofEdges, ({ definition }) => definition.relationship_kinds),
  };
}

function detailsOf({ id, definition }: InstalledExtension): NonNullable<Extension> {
  const { name, display_name, namespace, version } = definition.schema;
  return { extension_id: id, name, display_name, namespace, version };
}

/** Sections of a panel, in display order. */
export function sectionsInOrder(info: StoredSections): {
  readonly name: string;
  readonly title: string;
  readonly position: number;
  readonly markdown: { readonly content: string };
}[] {
  return Object.entries(info)
    .map(([name, { title, position, markdown }]) => ({ name, title, position, markdown }))
    .sort((a, b) => a.position - b.position || (a.title < b.title ? -1 : 1));
}
