/** Numbers for kind names: built-in kinds, and kinds of sources, which are numbered on first use. */
import { edgeKindByName, NodeKind, type NodeKindTraits, nodeKindByName } from '@clew/model';
import { type KindTableName, numberKinds } from '@clew/store';
import type pg from 'pg';

const MAX_NAME_LENGTH = 256;

export class KindNames {
  readonly #pool: pg.Pool;
  readonly #custom: Readonly<Record<KindTableName, Map<string, number>>> = {
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

  /** Assigns a number to every well-formed name. @throws KindLimitError if numbers run out */
  async register(table: KindTableName, names: ReadonlySet<string>): Promise<void> {
    const wanted = [...names].filter((name) => kindNameFault(name) === undefined);
    if (wanted.length === 0) return;
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      const numbers = await numberKinds((text, values) => client.query(text, values), table, wanted);
      await client.query('commit');
      for (const [name, id] of numbers) this.#custom[table].set(name, id);
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }
}

/** @returns why a name is not a valid kind name; `undefined` if it is valid */
export function kindNameFault(name: string): string | undefined {
  if (name === '') return 'the kind is empty';
  if (name.length > MAX_NAME_LENGTH) return `the kind is longer than ${MAX_NAME_LENGTH} characters`;
  return name.includes('\0') || !name.isWellFormed() ? 'the kind is not valid text' : undefined;
}

const BASE: Readonly<Record<NodeKindTraits['platform'], number>> = {
  ad: NodeKind.Base,
  azure: NodeKind.AZBase,
};

/** @returns the base kind that belongs to a built-in kind */
export function baseKind(name: string): number | undefined {
  const platform = nodeKindByName(name)?.platform;
  return platform === undefined ? undefined : BASE[platform];
}
