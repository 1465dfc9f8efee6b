/** Syntax tree of a query. `at` is the offset of the first character, for messages. */

export interface Placed {
  readonly at: number;
  /** Offsets in the text, for a condition or a separate expression. */
  readonly span?: readonly [start: number, end: number];
}

export type BinaryOperator =
  | '+'
  | '||'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'AND'
  | 'OR'
  | 'XOR'
  | 'IN'
  | 'STARTS WITH'
  | 'ENDS WITH'
  | 'CONTAINS'
  | '=~';

export type Expression = Placed &
  (
    | { readonly type: 'literal'; readonly value: string | number | bigint | boolean | null }
    /** A literal with a fraction or exponent, such as `1.0`. */
    | { readonly type: 'float'; readonly value: number }
    | { readonly type: 'list'; readonly items: readonly Expression[] }
    | { readonly type: 'map'; readonly entries: readonly (readonly [string, Expression])[] }
    /** `n{.name, .*, key: value}`; `.name` is an entry, too. */
    | {
        readonly type: 'mapProjection';
        readonly of: Expression;
        /** Whether it contains `.*`: all properties. */
        readonly all: boolean;
        readonly entries: readonly (readonly [string, Expression])[];
      }
    | { readonly type: 'variable'; readonly name: string }
    | { readonly type: 'parameter'; readonly name: string }
    | { readonly type: 'property'; readonly of: Expression; readonly key: string }
    | { readonly type: 'index'; readonly of: Expression; readonly index: Expression }
    | {
        readonly type: 'slice';
        readonly of: Expression;
        readonly from?: Expression;
        readonly to?: Expression;
      }
    | {
        readonly type: 'labels';
        readonly of: Expression;
        /** Tests that it has all of these labels. */
        readonly names: readonly string[];
      }
    | { readonly type: 'isNull'; readonly of: Expression; readonly negated: boolean }
    | { readonly type: 'not' | 'minus' | 'plus'; readonly of: Expression }
    | {
        readonly type: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    /** `a < b <= c`. */
    | {
        readonly type: 'chain';
        readonly operands: readonly Expression[];
        readonly operators: readonly BinaryOperator[];
      }
    | {
        readonly type: 'call';
        readonly name: string;
        readonly distinct: boolean;
        readonly args: readonly Expression[];
      }
    | { readonly type: 'countAll' }
    | {
        readonly type: 'case';
        readonly of?: Expression;
        readonly whens: readonly { readonly when: Expression; readonly result: Expression }[];
        readonly otherwise?: Expression;
      }
    | {
        readonly type: 'comprehension';
        readonly variable: string;
        readonly list: Expression;
        readonly where?: Expression;
        readonly result?: Expression;
      }
    | {
        readonly type: 'quantifier';
        readonly quantifier: 'all' | 'any' | 'none' | 'single';
        readonly variable: string;
        readonly list: Expression;
        readonly where: Expression;
      }
    | {
        readonly type: 'reduce';
        readonly accumulator: string;
        readonly initial: Expression;
        readonly variable: string;
        readonly list: Expression;
        readonly result: Expression;
      }
    | {
        readonly type: 'patternComprehension';
        readonly pattern: PathPattern;
        readonly where?: Expression;
        readonly result: Expression;
      }
    | { readonly type: 'pattern'; readonly pattern: PathPattern }
    | { readonly type: 'exists' | 'count'; readonly query: Query }
  );

export interface NodePattern extends Placed {
  readonly variable?: string;
  /** A conjunction of alternatives: the node needs a label from each list. */
  readonly labels: readonly (readonly string[])[];
  readonly properties?: Expression;
  readonly where?: Expression;
}

export interface RelationshipPattern extends Placed {
  readonly variable?: string;
  readonly types: readonly string[];
  readonly properties?: Expression;
  readonly where?: Expression;
  readonly direction: 'right' | 'left' | 'both';
  /** Bounds of a variable length. Without `max`, there is no upper bound. */
  readonly length?: { readonly min: number; readonly max?: number };
  /**
   * `((a)-[]->(b) WHERE ...){1,3}`: the nodes at both ends of each relationship, as lists, and the conditions on
   * each repetition.
   */
  readonly group?: {
    readonly starts: NodePattern;
    readonly ends: NodePattern;
    readonly where?: Expression;
  };
}

/** Paths with the smallest sum of weights. */
export interface Easiest extends Placed {
  /** Number of paths between two nodes. */
  readonly count: number;
  /** Property of relationships with the weights. */
  readonly by: string;
}

export interface PathPattern extends Placed {
  readonly variable?: string;
  readonly shortest?: 'one' | 'all' | Easiest;
  /** One more node than relationships. */
  readonly nodes: readonly NodePattern[];
  readonly relationships: readonly RelationshipPattern[];
}

export interface ProjectionItem extends Placed {
  readonly expression: Expression;
  /** Column name: the alias, or else the text of the expression. */
  readonly name: string;
  readonly isAliased: boolean;
}

export interface Projection extends Placed {
  readonly distinct: boolean;
  /** Whether the answer is the graph formed by all rows. */
  readonly isGraph?: boolean;
  /** `*`: all names in scope, in addition to the items. */
  readonly all: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly { readonly expression: Expression; readonly descending: boolean }[];
  readonly skip?: Expression;
  readonly limit?: Expression;
}

/** Patterns in which no relationship occurs twice, and their conditions. */
export interface MatchPart {
  readonly patterns: readonly PathPattern[];
  readonly where?: Expression;
}

export type Clause = Placed &
  (
    | {
        readonly type: 'match';
        readonly optional: boolean;
        readonly patterns: readonly PathPattern[];
        readonly where?: Expression;
        /** Adjacent MATCH clauses that are planned together with this one. */
        readonly more?: readonly MatchPart[];
      }
    | { readonly type: 'unwind'; readonly list: Expression; readonly variable: string }
    /** `CALL { }`, which runs for each row. */
    | {
        readonly type: 'subquery';
        readonly query: Query;
        /** Names imported from the outer row; for `with`, a WITH at the beginning of the subquery imports them. */
        readonly imports: 'all' | 'with' | readonly Extract<Expression, { type: 'variable' }>[];
      }
    /** `CALL name(args) YIELD column AS variable WHERE ...`, which runs for each row. */
    | {
        readonly type: 'procedure';
        readonly name: string;
        readonly args: readonly Expression[];
        readonly yields: readonly { readonly column: string; readonly variable: string }[];
        readonly where?: Expression;
      }
    | { readonly type: 'with'; readonly projection: Projection; readonly where?: Expression }
    | { readonly type: 'return'; readonly projection: Projection }
  );

export interface Query extends Placed {
  /** Parts joined by UNION. */
  readonly parts: readonly { readonly clauses: readonly Clause[] }[];
  /** Whether duplicate rows are kept (UNION ALL). */
  readonly unionAll: boolean;
}
