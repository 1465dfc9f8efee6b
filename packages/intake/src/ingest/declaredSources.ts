/** Declarations of installed definitions that determine how OpenGraph files are read. */
import type { DeclaredKinds } from '@clew/collections';
import type { StoredDefinition } from '@clew/store';
import type pg from 'pg';

export interface DeclaredSources {
  /** Names of source kinds with case-sensitive ids. */
  readonly caseSensitiveSources: ReadonlySet<string>;
  readonly declaredKinds: DeclaredKinds;
}

type Row = Pick<StoredDefinition, 'schema' | 'node_kinds' | 'relationship_kinds' | 'environments'>;

export async function declaredSources(client: pg.ClientBase): Promise<DeclaredSources> {
  const { rows } = await client.query<Row>(`
select definition -> 'schema' as schema, definition -> 'environments' as environments,
       definition -> 'node_kinds' as node_kinds, definition -> 'relationship_kinds' as relationship_kinds
from extension`);
  const sourcesOf = (definitions: readonly Row[]): string[] =>
    definitions.flatMap(({ environments }) => environments.map(({ source_kind }) => source_kind));
  return {
    caseSensitiveSources: new Set(sourcesOf(rows.filter(({ schema }) => schema.case_sensitive_ids === true))),
    declaredKinds: {
      nodes: [...rows.flatMap(({ node_kinds }) => node_kinds.map(({ name }) => name)), ...sourcesOf(rows)],
      edges: rows.flatMap(({ relationship_kinds }) => relationship_kinds.map(({ name }) => name)),
    },
  };
}
