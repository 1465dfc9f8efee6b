/**
 * Parses a query: openCypher 9 without writing clauses, some newer GQL features, and forms that BloodHound users
 * also write (`docs/cypher.md`): keywords as names, `DISTINCT(x)`, `exists(n.name)`, conditions inside patterns,
 * `:A|B` on nodes, a trailing `;`.
 */
import { CypherError } from '../cypherError.ts';
import type { Clause, Expression, PathPattern, Projection, ProjectionItem, Query } from './ast.ts';
import { ExpressionParser } from './expressionParser.ts';
import { PROCEDURE_COLUMNS } from './procedureColumns.ts';
import { withRemedy } from './remedies.ts';
import {
  isUpdating,
  type RemoveItem,
  type SetItem,
  type UpdatingClause,
  type UpdatingQuery,
} from './updates.ts';

/** A CREATE clause: parsed for test data, rejected otherwise. */
export type CreateClause = {
  readonly type: 'create';
  readonly at: number;
  readonly patterns: readonly PathPattern[];
};

const MAX_LENGTH = 10 * 1024 * 1024;

const INDEX_TYPES = ['TEXT', 'RANGE', 'POINT', 'BTREE'];

/** Clauses that a layer takes. */
const LAYERED = ['CREATE', 'MERGE', 'SET', 'DELETE', 'DETACH', 'REMOVE', 'FOREACH'];
const UPDATING = [...LAYERED, 'DROP', 'INSERT'];
/** Clients match this text. */
const NO_UPDATES = 'updating clauses are not supported';

/** Equivalent queries, by the procedure's lower-case name. */
const INSTEAD_OF_PROCEDURES: Readonly<Record<string, string>> = {
  'db.labels': 'MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label',
  'db.relationshiptypes': 'MATCH ()-[r]->() RETURN DISTINCT type(r)',
  'db.propertykeys': 'MATCH (n) UNWIND keys(n) AS key RETURN DISTINCT key',
  'gds.graph.project': 'gds.shortestPath.dijkstra.stream with relationshipTypes, which needs no projection',
};

/** @throws CypherError with the position where parsing failed */
export function parse(query: string): Query {
  if (query.length > MAX_LENGTH)
    throw new CypherError(
      'syntax',
      `a query may have at most ${MAX_LENGTH} characters, this one has ${query.length}`,
    );
  try {
    return new QueryParser(query).whole();
  } catch (error) {
    throw error instanceof CypherError ? withRemedy(error, query) : error;
  }
}

/**
 * Like `parse`, for a query that may change a layer.
 * @returns `undefined` for a query that only reads, which `parse` then reads @throws CypherError
 */
export function parseUpdates(query: string): UpdatingQuery | undefined {
  if (!/\b(?:CREATE|MERGE|SET|REMOVE|DELETE|FOREACH)\b/i.test(query) || query.length > MAX_LENGTH)
    return undefined;
  try {
    return new QueryParser(query).updates();
  } catch (error) {
    throw error instanceof CypherError ? withRemedy(error, query) : error;
  }
}

/** Like `parse`, with CREATE, to build graphs for tests. */
export function parseSetup(query: string): readonly (Clause | CreateClause)[] {
  return new QueryParser(query).setup();
}

/** Parses clauses; the base classes parse patterns and expressions. */
class QueryParser extends ExpressionParser {
  /** Number of the subqueries around the next token. */
  #subqueries = 0;

  whole(): Query {
    this.#skipVersion();
    if (this.tokens.isAtEnd) throw new CypherError('syntax', 'mismatched input: the query is empty', 0);
    for (const word of ['EXPLAIN', 'PROFILE'])
      if (this.tokens.isWord(word))
        throw new CypherError(
          'refused',
          `${word} is not part of a query here: use the option for the plan`,
          0,
        );
    const query = this.#query();
    this.tokens.takesSymbol(';');
    if (!this.tokens.isAtEnd) throw this.#extraneous();
    return query;
  }

  /** Skips `CYPHER 5`: a query means the same in each version. @throws CypherError for options */
  #skipVersion(): void {
    if (!this.tokens.isWord('CYPHER')) return;
    const { kind } = this.tokens.ahead(1);
    const isVersion = kind === 'integer' || kind === 'float';
    const place = isVersion ? 2 : 1;
    if (this.tokens.ahead(place).kind === 'name' && this.tokens.isSymbol('=', place + 1))
      throw new CypherError(
        'refused',
        'options of CYPHER are not supported: write only its version, or nothing',
        this.tokens.ahead(place).start,
      );
    for (let token = 0; isVersion && token < place; token++) this.tokens.take();
  }

  setup(): readonly (Clause | CreateClause)[] {
    const clauses: (Clause | CreateClause)[] = [];
    while (!this.tokens.isAtEnd) {
      const { start: at } = this.tokens.next;
      if (this.tokens.takesWords('CREATE')) clauses.push({ type: 'create', at, patterns: this.patterns() });
      else {
        const clause = this.#clause();
        if (clause === undefined) throw this.#extraneous();
        clauses.push(clause);
      }
      this.tokens.takesSymbol(';');
    }
    return clauses;
  }

  updates(): UpdatingQuery | undefined {
    this.#skipVersion();
    const clauses: (Clause | UpdatingClause)[] = [];
    for (;;) {
      const clause = this.#updatingClause() ?? this.#clause();
      if (clause === undefined) break;
      clauses.push(clause);
      if (clause.type === 'return') break;
    }
    if (!clauses.some(isUpdating)) return undefined;
    this.tokens.takesSymbol(';');
    if (this.tokens.isWord('UNION'))
      throw new CypherError(
        'refused',
        'UNION with updating clauses is not supported',
        this.tokens.next.start,
      );
    if (!this.tokens.isAtEnd) throw this.#extraneous();
    return clauses;
  }

  /** @returns `undefined` if no updating clause begins here */
  #updatingClause(): UpdatingClause | undefined {
    const { start: at } = this.tokens.next;
    if (this.tokens.takesWords('CREATE')) {
      if (this.tokens.isWord('INDEX') || this.tokens.isWord('CONSTRAINT'))
        throw new CypherError('refused', 'indexes and constraints are not supported', at);
      return { type: 'create', at, patterns: this.patterns() };
    }
    if (this.tokens.takesWords('MERGE')) return this.#merge(at);
    if (this.tokens.takesWords('SET')) return { type: 'set', at, items: this.#setItems() };
    if (this.tokens.takesWords('REMOVE')) return { type: 'remove', at, items: this.#removeItems() };
    if (this.tokens.isWord('DELETE') || (this.tokens.isWord('DETACH') && this.tokens.isWord('DELETE', 1))) {
      const isDetached = this.tokens.takesWords('DETACH');
      this.tokens.take();
      const values = [this.expression()];
      while (this.tokens.takesSymbol(',')) values.push(this.expression());
      return { type: 'delete', at, isDetached, values };
    }
    return this.tokens.isWord('FOREACH') ? this.#foreach(at) : undefined;
  }

  #merge(at: number): UpdatingClause {
    const [pattern, ...others] = this.patterns();
    if (others.length > 0) throw new CypherError('meaning', 'MERGE takes one pattern', others[0].at);
    const onCreate: SetItem[] = [];
    const onMatch: SetItem[] = [];
    while (this.tokens.isWord('ON')) {
      this.tokens.take();
      const isCreate = this.tokens.takesWords('CREATE');
      if (!isCreate) this.tokens.expectWord('MATCH');
      this.tokens.expectWord('SET');
      (isCreate ? onCreate : onMatch).push(...this.#setItems());
    }
    return { type: 'merge', at, pattern, onCreate, onMatch };
  }

  #foreach(at: number): UpdatingClause {
    this.tokens.take();
    this.tokens.expectSymbol('(');
    const variable = this.tokens.expectName('a variable');
    this.tokens.expectWord('IN');
    const list = this.itemsBeforeBar();
    this.tokens.expectSymbol('|');
    const clauses: UpdatingClause[] = [];
    this.tokens.nested(() => {
      for (let one = this.#updatingClause(); one !== undefined; one = this.#updatingClause())
        clauses.push(one);
    });
    if (clauses.length === 0) throw this.tokens.unexpected('SET, CREATE, MERGE, REMOVE or DELETE');
    this.tokens.expectSymbol(')');
    return { type: 'foreach', at, variable, list, clauses };
  }

  #setItems(): SetItem[] {
    const items: SetItem[] = [];
    do {
      const { start: at } = this.tokens.next;
      const variable = this.#updatedVariable();
      if (this.tokens.isSymbol(':')) items.push({ type: 'labels', at, variable, names: this.#labelNames() });
      else if (this.tokens.takesSymbol('.')) {
        const key = this.tokens.expectName('a property');
        this.tokens.expectSymbol('=');
        items.push({ type: 'key', at, variable, key, value: this.expression() });
      } else {
        const keepsOthers = this.tokens.takesSymbol('+=');
        if (!keepsOthers) this.tokens.expectSymbol('=');
        items.push({ type: 'keys', at, variable, value: this.expression(), keepsOthers });
      }
    } while (this.tokens.takesSymbol(','));
    return items;
  }

  #removeItems(): RemoveItem[] {
    const items: RemoveItem[] = [];
    do {
      const { start: at } = this.tokens.next;
      const variable = this.#updatedVariable();
      if (this.tokens.isSymbol(':')) items.push({ type: 'labels', at, variable, names: this.#labelNames() });
      else {
        this.tokens.expectSymbol('.');
        items.push({ type: 'key', at, variable, key: this.tokens.expectName('a property') });
      }
    } while (this.tokens.takesSymbol(','));
    return items;
  }

  /** Parses `n` and `(n)`. */
  #updatedVariable(): string {
    const isEnclosed = this.tokens.takesSymbol('(');
    const name = this.tokens.expectName('a variable');
    if (isEnclosed) this.tokens.expectSymbol(')');
    return name;
  }

  #labelNames(): string[] {
    const names: string[] = [];
    while (this.tokens.takesSymbol(':')) names.push(this.tokens.expectName('a label'));
    return names;
  }

  #query(): Query {
    const { start: at } = this.tokens.next;
    const parts = [this.#part()];
    let unionAll: boolean | undefined;
    while (this.tokens.isWord('UNION')) {
      const { start } = this.tokens.take();
      const all = this.tokens.takesWords('ALL');
      if (!all) this.tokens.takesWords('DISTINCT');
      if (unionAll !== undefined && unionAll !== all)
        throw new CypherError('syntax', 'UNION and UNION ALL cannot be mixed in one query', start);
      unionAll = all;
      parts.push(this.#part());
    }
    return { at, parts, unionAll: unionAll ?? false };
  }

  #part(): { clauses: readonly Clause[] } {
    const clauses: Clause[] = [];
    for (let clause = this.#clause(); clause !== undefined; clause = this.#clause()) {
      clauses.push(clause);
      if (clause.type === 'return') break;
    }
    if (clauses.length === 0) throw this.tokens.unexpected('MATCH, UNWIND, WITH or RETURN');
    const last = clauses[clauses.length - 1];
    if (last.type === 'procedure') clauses.push(returnOf(last));
    return { clauses };
  }

  /** @returns `undefined` if no clause begins here */
  #clause(): Clause | undefined {
    const { start: at } = this.tokens.next;
    if (this.tokens.isWord('MATCH') || (this.tokens.isWord('OPTIONAL') && this.tokens.isWord('MATCH', 1))) {
      const optional = this.tokens.takesWords('OPTIONAL');
      this.tokens.take();
      const patterns = this.patterns();
      this.#skipIndexHints();
      return { type: 'match', at, optional, patterns, ...this.where() };
    }
    if (this.tokens.takesWords('UNWIND')) {
      const list = this.expression();
      this.tokens.expectWord('AS');
      return { type: 'unwind', at, list, variable: this.tokens.expectName('a name') };
    }
    if (this.tokens.takesWords('WITH')) {
      return { type: 'with', at, projection: this.#projection(at), ...this.where() };
    }
    if (this.#isSubquery()) return this.#call(at);
    const procedure = this.#procedure();
    if (procedure !== undefined) return procedure;
    if (this.tokens.takesWords('RETURN')) return { type: 'return', at, projection: this.#projection(at) };
    this.#refuseClause();
    return undefined;
  }

  /** Skips `USING INDEX n:User(name)`, `USING SCAN n:User` and `USING JOIN ON n`, which change no answer. */
  #skipIndexHints(): void {
    while (this.tokens.takesWords('USING')) {
      if (this.tokens.takesWords('JOIN', 'ON')) {
        this.#skipNames('a variable');
        continue;
      }
      const isScan = this.tokens.takesWords('SCAN');
      if (!isScan) {
        if (INDEX_TYPES.some((type) => this.tokens.isWord(type))) this.tokens.take();
        this.tokens.expectWord('INDEX');
        if (!this.tokens.isSymbol(':', 1)) this.tokens.takesWords('SEEK');
      }
      this.tokens.expectName('a variable');
      this.tokens.expectSymbol(':');
      this.tokens.expectName('a label or a type');
      if (isScan) continue;
      this.tokens.expectSymbol('(');
      this.#skipNames('a property');
      this.tokens.expectSymbol(')');
    }
  }

  #skipNames(what: string): void {
    do this.tokens.expectName(what);
    while (this.tokens.takesSymbol(','));
  }

  #isSubquery(): boolean {
    return this.tokens.isWord('CALL') && (this.tokens.isSymbol('{', 1) || this.tokens.isSymbol('(', 1));
  }

  /** Parses `CALL { }` and `CALL (a, b) { }`. */
  #call(at: number): Clause {
    this.tokens.take();
    const imports = this.tokens.takesSymbol('(') ? this.#imports() : 'with';
    this.tokens.expectSymbol('{');
    const query = this.#nestedQuery(() => this.#query());
    this.tokens.expectSymbol('}');
    if (this.tokens.isWord('IN'))
      throw new CypherError(
        'refused',
        'CALL { } IN TRANSACTIONS is not supported: no query writes',
        this.tokens.next.start,
      );
    return { type: 'subquery', at, query, imports };
  }

  /** Parses `CALL name(args) YIELD a AS b, c WHERE ...`. @returns `undefined` for other procedures */
  #procedure(): Clause | undefined {
    if (!this.tokens.isWord('CALL')) return undefined;
    const { start: at } = this.tokens.next;
    const { position } = this.tokens;
    this.tokens.take();
    let written = this.tokens.isName ? this.tokens.take().text : '';
    while (this.tokens.takesSymbol('.')) written += `.${this.tokens.expectName('a procedure')}`;
    const name = written.toLowerCase();
    const columns = PROCEDURE_COLUMNS.get(name);
    if (columns === undefined) {
      this.tokens.returnTo(position);
      return undefined;
    }
    this.tokens.expectSymbol('(');
    const args: Expression[] = [];
    if (!this.tokens.isSymbol(')'))
      do args.push(this.expression());
      while (this.tokens.takesSymbol(','));
    this.tokens.expectSymbol(')');
    const every = columns.map((column) => ({ column, variable: column }));
    if (!this.tokens.takesWords('YIELD')) return { type: 'procedure', at, name, args, yields: every };
    const yields = this.tokens.takesSymbol('*') ? every : this.#yields(written, columns);
    return { type: 'procedure', at, name, args, yields, ...this.where() };
  }

  #yields(name: string, columns: readonly string[]): { column: string; variable: string }[] {
    const yields: { column: string; variable: string }[] = [];
    do {
      const { start } = this.tokens.next;
      const column = this.tokens.expectName('a column');
      if (!columns.includes(column))
        throw new CypherError(
          'meaning',
          `${name} has no column ${column}: it has ${columns.join(', ')}`,
          start,
        );
      yields.push({
        column,
        variable: this.tokens.takesWords('AS') ? this.tokens.expectName('a name') : column,
      });
    } while (this.tokens.takesSymbol(','));
    return yields;
  }

  #imports(): Extract<Clause, { type: 'subquery' }>['imports'] {
    if (this.tokens.takesSymbol('*')) {
      this.tokens.expectSymbol(')');
      return 'all';
    }
    const names: Extract<Expression, { type: 'variable' }>[] = [];
    if (!this.tokens.isSymbol(')'))
      do {
        const { start: at } = this.tokens.next;
        names.push({ type: 'variable', at, name: this.tokens.expectName('a variable') });
      } while (this.tokens.takesSymbol(','));
    this.tokens.expectSymbol(')');
    return names;
  }

  #refuseClause(): void {
    const { kind, text, start } = this.tokens.next;
    if (kind !== 'name') return;
    const word = text.toUpperCase();
    if (UPDATING.includes(word)) throw new CypherError('refused', this.#refusalOf(word), start);
    if (word === 'CALL' && !this.#isSubquery()) throw this.#refusedProcedure();
    if (word === 'LOAD' || word === 'START' || word === 'USE' || word === 'USING')
      throw new CypherError('refused', `${word} is not supported`, start);
  }

  #refusalOf(word: string): string {
    if (this.#subqueries > 0) return `${NO_UPDATES} in a subquery`;
    const isOfSchema = this.tokens.isWord('INDEX', 1) || this.tokens.isWord('CONSTRAINT', 1);
    if (!LAYERED.includes(word) || isOfSchema) return NO_UPDATES;
    return `${NO_UPDATES} here: a layer takes them, without explain (docs/cypher.md#layers)`;
  }

  #nestedQuery(read: () => Query): Query {
    this.#subqueries++;
    try {
      return this.tokens.nested(read);
    } finally {
      this.#subqueries--;
    }
  }

  /** Names the procedure, and an equivalent query for the most common ones. */
  #refusedProcedure(): CypherError {
    const { start } = this.tokens.take();
    let name = '';
    while (this.tokens.isName) {
      name += this.tokens.take().text;
      if (!this.tokens.takesSymbol('.')) break;
      name += '.';
    }
    const instead = INSTEAD_OF_PROCEDURES[name.toLowerCase()];
    const named = name === '' ? '' : `: CALL ${name.slice(0, 60)}`;
    const hint = instead === undefined ? '' : `; ask \`${instead}\``;
    return new CypherError('refused', `procedure invocation is not supported${named}${hint}`, start);
  }

  #extraneous(): CypherError {
    const { text, start } = this.tokens.next;
    return new CypherError(
      'syntax',
      `extraneous input '${text.slice(0, 40)}' expecting the end of the query`,
      start,
    );
  }

  #projection(at: number): Projection {
    // `DISTINCT(x)` is a DISTINCT projection, although it looks like a function.
    const distinct = this.tokens.takesWords('DISTINCT');
    const items: ProjectionItem[] = [];
    let all = false;
    do {
      if (items.length === 0 && !all && this.tokens.takesSymbol('*')) all = true;
      else items.push(this.#projectionItem());
    } while (this.tokens.takesSymbol(','));
    const orderBy: { expression: Expression; descending: boolean }[] = [];
    if (this.tokens.takesWords('ORDER', 'BY')) {
      do {
        const expression = this.expression();
        const descending = this.tokens.takesWords('DESC') || this.tokens.takesWords('DESCENDING');
        if (!descending) void (this.tokens.takesWords('ASC') || this.tokens.takesWords('ASCENDING'));
        orderBy.push({ expression, descending });
      } while (this.tokens.takesSymbol(','));
    }
    const skip =
      this.tokens.takesWords('SKIP') || this.tokens.takesWords('OFFSET') ? this.expression() : undefined;
    const limit = this.tokens.takesWords('LIMIT') ? this.expression() : undefined;
    return { at, distinct, all, items, orderBy, ...(skip && { skip }), ...(limit && { limit }) };
  }

  #projectionItem(): ProjectionItem {
    const { start: at } = this.tokens.next;
    const expression = this.expression();
    const written = this.tokens.query.slice(at, this.tokens.lastEnd);
    if (this.tokens.takesWords('AS'))
      return { at, expression, name: this.tokens.expectName('a name'), isAliased: true };
    const name = expression.type === 'variable' ? expression.name : written;
    return { at, expression, name, isAliased: false };
  }

  /** Parses the content of the braces of EXISTS and COUNT: a query, or a bare pattern. */
  protected override subquery(): Query {
    return this.#nestedQuery(() => this.#braced());
  }

  #braced(): Query {
    if (
      this.tokens.isWord('MATCH') ||
      this.tokens.isWord('OPTIONAL') ||
      this.tokens.isWord('UNWIND') ||
      this.tokens.isWord('CALL') ||
      this.tokens.isWord('WITH')
    )
      return this.#query();
    this.#refuseClause();
    const { start } = this.tokens.next;
    const match: Clause = {
      type: 'match',
      at: start,
      optional: false,
      patterns: this.patterns(),
      ...this.where(),
    };
    const query: Query = { at: start, parts: [{ clauses: [match] }], unionAll: false };
    this.#refuseClause();
    return query;
  }
}

/** The columns of a procedure at the end of a query are its answer. */
function returnOf({ at, yields }: Extract<Clause, { type: 'procedure' }>): Clause {
  const items = yields.map(({ variable: name }): ProjectionItem => {
    return { at, expression: { type: 'variable', at, name }, name, isAliased: false };
  });
  return { type: 'return', at, projection: { at, distinct: false, all: false, items, orderBy: [] } };
}
