/** Syntax of the clauses that change a layer. Rule: `docs/cypher.md#layers`. */
import type { Clause, Expression, PathPattern, Placed } from './ast.ts';

export type SetItem = Placed & { readonly variable: string } & (
    | { readonly type: 'key'; readonly key: string; readonly value: Expression }
    /** `n = map` replaces all properties, `n += map` keeps the others. */
    | { readonly type: 'keys'; readonly value: Expression; readonly keepsOthers: boolean }
    | { readonly type: 'labels'; readonly names: readonly string[] }
  );

export type RemoveItem = Placed & { readonly variable: string } & (
    | { readonly type: 'key'; readonly key: string }
    | { readonly type: 'labels'; readonly names: readonly string[] }
  );

export type UpdatingClause = Placed &
  (
    | { readonly type: 'create'; readonly patterns: readonly PathPattern[] }
    | {
        readonly type: 'merge';
        readonly pattern: PathPattern;
        readonly onCreate: readonly SetItem[];
        readonly onMatch: readonly SetItem[];
      }
    | { readonly type: 'set'; readonly items: readonly SetItem[] }
    | { readonly type: 'remove'; readonly items: readonly RemoveItem[] }
    | { readonly type: 'delete'; readonly isDetached: boolean; readonly values: readonly Expression[] }
    | {
        readonly type: 'foreach';
        readonly variable: string;
        readonly list: Expression;
        readonly clauses: readonly UpdatingClause[];
      }
  );

/** Clauses in order, of which at least one changes the graph. */
export type UpdatingQuery = readonly (Clause | UpdatingClause)[];

const TYPES: ReadonlySet<string> = new Set(['create', 'merge', 'set', 'remove', 'delete', 'foreach']);

export const isUpdating = (clause: Clause | UpdatingClause): clause is UpdatingClause =>
  TYPES.has(clause.type);
