/** A query as it is written. `at` is the offset of the first character, for messages. */

export interface Placed {
  readonly at: number;
  /** Offsets of the text of a condition, or of a separate expression. */
  readonly span?: readonly [start: number, end: number];
}

export type BinaryOperator =
  | '+'
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
    /** `1.0`: a number that is not an integer by its form. */
    | { readonly type: 'float'; readonly value: number }
    | { readonly type: 'list'; readonly items: readonly Expression[] }
    | { readonly type: 'map'; readonly entries: readonly (readonly [string, Expression])[] }
    /** `n{.name, .*, key: value}`: `.name` is an entry, too. */
    | {
        readonly type: 'mapProjection';
        readonly of: Expression;
        /** `.*`: all of its properties. */
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
        /** It carries each of them. */
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
  /** Each of them holds; within one, any. */
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
  /** Bounds of a variable length. Without `max` it has no upper bound. */
  readonly length?: { readonly min: number; readonly max?: number };
  /** `((a)-[]->(b) WHERE ...){1,3}`: the nodes at both ends of each relationship, as lists, and the conditions on each. */
  readonly group?: {
    readonly starts: NodePattern;
    readonly ends: NodePattern;
    readonly where?: Expression;
  };
}

export interface PathPattern extends Placed {
  readonly variable?: string;
  readonly shortest?: 'one' | 'all';
  /** One more than relationships. */
  readonly nodes: readonly NodePattern[];
  readonly relationships: readonly RelationshipPattern[];
}

export interface ProjectionItem extends Placed {
  readonly expression: Expression;
  /** The name of the column: as given, or the text as written. */
  readonly name: string;
  readonly isAliased: boolean;
}

export interface Projection extends Placed {
  readonly distinct: boolean;
  /** Whether only the graph that its rows form together is shown. */
  readonly isGraph?: boolean;
  /** `*`: all known names, in addition to the items. */
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
        /** MATCH clauses that follow, and are planned together with it. */
        readonly more?: readonly MatchPart[];
      }
    | { readonly type: 'unwind'; readonly list: Expression; readonly variable: string }
    /** `CALL { }`: run for each row. */
    | {
        readonly type: 'subquery';
        readonly query: Query;
        /** The names of the row that it knows: `with` leaves the choice to a WITH at its beginning. */
        readonly imports: 'all' | 'with' | readonly Extract<Expression, { type: 'variable' }>[];
      }
    | { readonly type: 'with'; readonly projection: Projection; readonly where?: Expression }
    | { readonly type: 'return'; readonly projection: Projection }
  );

export interface Query extends Placed {
  /** Joined by UNION. */
  readonly parts: readonly { readonly clauses: readonly Clause[] }[];
  /** UNION ALL keeps equal rows. */
  readonly unionAll: boolean;
}
