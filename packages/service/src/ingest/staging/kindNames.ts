/** Numbers for kinds by name: built-in ones, and those that sources bring along, which get theirs at first sight. */
import {
  edgeKindByName,
  FIRST_CUSTOM_KIND,
  NodeKind,
  type NodeKindTraits,
  nodeKindByName,
} from '@clew/model';
import type pg from 'pg';

/** Numbers of kinds are `smallint`. */
const LAST_KIND = 32_767;
const MAX_NAME_LENGTH = 256;

type Table = 'node_kind' | 'edge_kind';

export class KindLimitError extends Error {
  override readonly name = 'KindLimitError';
}

export class KindNames {
  readonly #pool: pg.Pool;
  readonly #custom: Readonly<Record<Table, Map<string, number>>> = {
    node_kind: new Map(),
    edge_kind: new Map(),
  };

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  nodeKind(name: string): number | undefined {
    return nodeKindByName(name)?.id ?? this.#custom.node_kind.get(name);
  }

  edgeKind(name: string): number | undefined {
    return edgeKindByName(name)?.id ?? this.#custom.edge_kind.get(name);
  }

  /** Afterwards every name that is well formed has a number. @throws KindLimitError when they have run out */
  async register(table: Table, names: ReadonlySet<string>): Promise<void> {
    const wanted = [...names].filter((name) => kindNameFault(name) === undefined);
    if (wanted.length === 0) return;
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      await client.query(`lock table ${table} in share row exclusive mode`);
      const { rows } = await client.query<{ id: number; name: string }>(
        `with made as (
           insert into ${table} (id, name)
           select greatest((select max(id) from ${table}), ${FIRST_CUSTOM_KIND - 1}) + row_number() over (order by name), name
           from unnest($1::text[]) as wanted (name)
           where not exists (select from ${table} known where known.name = wanted.name)
           returning id, name
         )
         select id, name from made union all select id, name from ${table} where name = any($1)`,
        [wanted],
      );
      await client.query('commit');
      for (const { id, name } of rows) this.#custom[table].set(name, id);
    } catch (error) {
      await client.query('rollback').catch(() => {});
      // Numeric value out of range.
      if ((error as { code?: string }).code !== '22003') throw error;
      throw new KindLimitError(
        `there are more than ${LAST_KIND - FIRST_CUSTOM_KIND + 1} kinds of other sources`,
      );
    } finally {
      client.release();
    }
  }
}

/** @returns why a name cannot be that of a kind; nothing when it can. */
export function kindNameFault(name: string): string | undefined {
  if (name === '') return 'the kind is empty';
  if (name.length > MAX_NAME_LENGTH) return `the kind is longer than ${MAX_NAME_LENGTH} characters`;
  return name.includes('\0') || !name.isWellFormed() ? 'the kind is not valid text' : undefined;
}

const BASE: Readonly<Record<NodeKindTraits['platform'], number>> = {
  ad: NodeKind.Base,
  azure: NodeKind.AZBase,
};

/** @returns the base kind that goes with a built-in kind. */
export function baseKind(name: string): number | undefined {
  const platform = nodeKindByName(name)?.platform;
  return platform === undefined ? undefined : BASE[platform];
}
