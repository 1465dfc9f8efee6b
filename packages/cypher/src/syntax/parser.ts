/**
 * Reads a query: openCypher 9 without what writes, and what people of this field write beside it (`docs/cypher.md`):
 * keywords as names, `DISTINCT(x)`, `exists(n.name)`, conditions inside of patterns, `:A|B` on nodes, a closing `;`.
 */
import { CypherError } from '../cypherError.ts';
import type {
  BinaryOperator,
  Clause,
  Expression,
  NodePattern,
  PathPattern,
  Projection,
  ProjectionItem,
  Query,
  RelationshipPattern,
} from './ast.ts';
import { TokenStream } from './tokenStream.ts';

/** A clause that makes nodes: parsed for test data, refused otherwise. */
export type CreateClause = {
  readonly type: 'create';
  readonly at: number;
  readonly patterns: readonly PathPattern[];
};

const MAX_LENGTH = 1024 * 1024;

const UPDATING = ['MERGE', 'SET', 'DELETE', 'DETACH', 'REMOVE', 'FOREACH', 'DROP', 'INSERT'];
const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const;
const QUANTIFIERS = ['all', 'any', 'none', 'single'] as const;
/** Words that begin what follows an expression in a pattern or projection, so that they name no column without AS. */
const NO_BARE_NAME = /^(?:WHERE|RETURN|WITH|MATCH|OPTIONAL|UNWIND|UNION|ORDER|SKIP|LIMIT|AS|ASC|DESC)$/i;

/** @throws CypherError that says where reading ended */
export function parse(query: string): Query {
  if (query.length > MAX_LENGTH)
    throw new CypherError(
      'syntax',
      `a query may have ${MAX_LENGTH} characters, this one has ${query.length}`,
    );
  return new Parser(query).whole();
}

/** As `parse`, with CREATE: makes graphs for tests. */
export function parseSetup(query: string): readonly (Clause | CreateClause)[] {
  return new Parser(query).setup();
}

class Parser {
  readonly #in: TokenStream;
  /** Positions where no pattern begins, so that they are not tried again. */
  readonly #noPattern = new Set<number>();

  constructor(query: string) {
    this.#in = new TokenStream(query);
  }

  whole(): Query {
    if (this.#in.isAtEnd) throw new CypherError('syntax', 'mismatched input: the query is empty', 0);
    for (const word of ['EXPLAIN', 'PROFILE'])
      if (this.#in.isWord(word))
        throw new CypherError(
          'refused',
          `${word} is not part of a query here: ask for the plan beside it`,
          0,
        );
    const query = this.#query();
    this.#in.takesSymbol(';');
    if (!this.#in.isAtEnd) throw this.#extraneous();
    return query;
  }

  setup(): readonly (Clause | CreateClause)[] {
    const clauses: (Clause | CreateClause)[] = [];
    while (!this.#in.isAtEnd) {
      const { start: at } = this.#in.next;
      if (this.#in.takesWords('CREATE')) clauses.push({ type: 'create', at, patterns: this.#patterns() });
      else {
        const clause = this.#clause();
        if (clause === undefined) throw this.#extraneous();
        clauses.push(clause);
      }
      this.#in.takesSymbol(';');
    }
    return clauses;
  }

  #query(): Query {
    const { start: at } = this.#in.next;
    const parts = [this.#part()];
    let unionAll: boolean | undefined;
    while (this.#in.isWord('UNION')) {
      const { start } = this.#in.take();
      const all = this.#in.takesWords('ALL');
      if (!all) this.#in.takesWords('DISTINCT');
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
    if (clauses.length === 0) throw this.#in.unexpected('MATCH, UNWIND, WITH or RETURN');
    return { clauses };
  }

  /** @returns nothing where none begins */
  #clause(): Clause | undefined {
    const { start: at } = this.#in.next;
    if (this.#in.isWord('MATCH') || (this.#in.isWord('OPTIONAL') && this.#in.isWord('MATCH', 1))) {
      const optional = this.#in.takesWords('OPTIONAL');
      this.#in.take();
      const patterns = this.#patterns();
      return { type: 'match', at, optional, patterns, ...this.#where() };
    }
    if (this.#in.takesWords('UNWIND')) {
      const list = this.#expression();
      this.#in.expectWord('AS');
      return { type: 'unwind', at, list, variable: this.#in.expectName('a name') };
    }
    if (this.#in.takesWords('WITH')) {
      return { type: 'with', at, projection: this.#projection(at), ...this.#where() };
    }
    if (this.#in.takesWords('RETURN')) return { type: 'return', at, projection: this.#projection(at) };
    this.#refuseClause();
    return undefined;
  }

  #refuseClause(): void {
    const { kind, text, start } = this.#in.next;
    if (kind !== 'name') return;
    const word = text.toUpperCase();
    if (UPDATING.includes(word) || word === 'CREATE')
      throw new CypherError('refused', 'updating clauses are not supported', start);
    if (word === 'CALL') throw new CypherError('refused', 'procedure invocation is not supported', start);
    if (word === 'LOAD' || word === 'START' || word === 'USE')
      throw new CypherError('refused', `${word} is not supported`, start);
  }

  #extraneous(): CypherError {
    const { text, start } = this.#in.next;
    return new CypherError(
      'syntax',
      `extraneous input '${text.slice(0, 40)}' expecting the end of the query`,
      start,
    );
  }

  #where(): { where?: Expression } {
    return this.#in.takesWords('WHERE') ? { where: this.#expression() } : {};
  }

  #projection(at: number): Projection {
    // `DISTINCT(x)` is DISTINCT of a projection, as people write it.
    const distinct = this.#in.takesWords('DISTINCT');
    const items: ProjectionItem[] = [];
    let all = false;
    do {
      if (items.length === 0 && !all && this.#in.takesSymbol('*')) all = true;
      else items.push(this.#projectionItem());
    } while (this.#in.takesSymbol(','));
    const orderBy: { expression: Expression; descending: boolean }[] = [];
    if (this.#in.takesWords('ORDER', 'BY')) {
      do {
        const expression = this.#expression();
        const descending = this.#in.takesWords('DESC') || this.#in.takesWords('DESCENDING');
        if (!descending) void (this.#in.takesWords('ASC') || this.#in.takesWords('ASCENDING'));
        orderBy.push({ expression, descending });
      } while (this.#in.takesSymbol(','));
    }
    const skip =
      this.#in.takesWords('SKIP') || this.#in.takesWords('OFFSET') ? this.#expression() : undefined;
    const limit = this.#in.takesWords('LIMIT') ? this.#expression() : undefined;
    return { at, distinct, all, items, orderBy, ...(skip && { skip }), ...(limit && { limit }) };
  }

  #projectionItem(): ProjectionItem {
    const { start: at } = this.#in.next;
    const expression = this.#expression();
    const written = this.#in.query.slice(at, this.#in.lastEnd);
    if (this.#in.takesWords('AS'))
      return { at, expression, name: this.#in.expectName('a name'), isAliased: true };
    const name = expression.type === 'variable' ? expression.name : written;
    return { at, expression, name, isAliased: false };
  }

  // Patterns

  #patterns(): PathPattern[] {
    const patterns = [this.#pathPattern()];
    while (this.#in.takesSymbol(',')) patterns.push(this.#pathPattern());
    return patterns;
  }

  #pathPattern(): PathPattern {
    const { start: at } = this.#in.next;
    if (this.#in.isName && this.#in.isSymbol('=', 1)) {
      const variable = this.#in.expectName('a name');
      this.#in.expectSymbol('=');
      return { ...this.#pathElements(), at, variable };
    }
    return this.#pathElements();
  }

  #pathElements(): PathPattern {
    const { start: at } = this.#in.next;
    const one = this.#in.isWord('SHORTESTPATH');
    if ((one || this.#in.isWord('ALLSHORTESTPATHS')) && this.#in.isSymbol('(', 1)) {
      this.#in.take();
      this.#in.take();
      const inner = this.#in.nested(() => this.#pathElements());
      this.#in.expectSymbol(')');
      if (inner.relationships.length !== 1 || inner.shortest !== undefined)
        throw new CypherError('meaning', 'a shortest path needs a pattern of one relationship', at);
      return { ...inner, at, shortest: one ? 'one' : 'all' };
    }
    // `((a)-->(b))`
    if (this.#in.isSymbol('(') && this.#in.isSymbol('(', 1)) {
      this.#in.take();
      const inner = this.#in.nested(() => this.#pathElements());
      this.#in.expectSymbol(')');
      return inner;
    }
    return this.#chain(at);
  }

  #chain(at: number): PathPattern {
    const nodes = [this.#nodePattern()];
    const relationships: RelationshipPattern[] = [];
    while (this.#in.isSymbol('-') || (this.#in.isSymbol('<') && this.#in.isSymbol('-', 1))) {
      relationships.push(this.#relationshipPattern());
      nodes.push(this.#nodePattern());
    }
    return { at, nodes, relationships };
  }

  #nodePattern(): NodePattern {
    const { start: at } = this.#in.expectSymbol('(');
    const variable =
      this.#in.isName && !this.#in.isWord('WHERE') ? this.#in.expectName('a variable') : undefined;
    const labels: string[][] = [];
    while (this.#in.takesSymbol(':') || (labels.length > 0 && this.#in.takesSymbol('&'))) {
      const any = [this.#in.expectName('a label')];
      while (this.#in.takesSymbol('|')) {
        this.#in.takesSymbol(':');
        any.push(this.#in.expectName('a label'));
      }
      labels.push(any);
    }
    const properties = this.#inlineProperties();
    const where = this.#where();
    this.#in.expectSymbol(')');
    return { at, ...(variable !== undefined && { variable }), labels, ...properties, ...where };
  }

  #inlineProperties(): { properties?: Expression } {
    if (this.#in.isSymbol('{')) return { properties: this.#map() };
    if (this.#in.isSymbol('$')) return { properties: this.#parameter() };
    return {};
  }

  #relationshipPattern(): RelationshipPattern {
    const { start: at } = this.#in.next;
    const left = this.#in.takesSymbol('<');
    this.#in.expectSymbol('-');
    let detail: Omit<RelationshipPattern, 'at' | 'direction'> = { types: [] };
    if (this.#in.takesSymbol('[')) {
      detail = this.#relationshipDetail();
      this.#in.expectSymbol(']');
    }
    this.#in.expectSymbol('-');
    const right = this.#in.takesSymbol('>');
    return { at, ...detail, direction: left === right ? 'both' : left ? 'left' : 'right' };
  }

  #relationshipDetail(): Omit<RelationshipPattern, 'at' | 'direction'> {
    const variable =
      this.#in.isName && !this.#in.isWord('WHERE') ? this.#in.expectName('a variable') : undefined;
    const types: string[] = [];
    if (this.#in.takesSymbol(':')) {
      do {
        this.#in.takesSymbol(':');
        types.push(this.#in.expectName('a type'));
      } while (this.#in.takesSymbol('|'));
    }
    const length = this.#in.takesSymbol('*') ? this.#range() : undefined;
    const properties = this.#inlineProperties();
    const where = this.#where();
    return {
      ...(variable !== undefined && { variable }),
      types,
      ...(length !== undefined && { length }),
      ...properties,
      ...where,
    };
  }

  #range(): { min: number; max?: number } {
    const from = this.#in.next.kind === 'integer' ? Number(this.#in.take().text) : undefined;
    if (!this.#in.takesSymbol('..')) return from === undefined ? { min: 1 } : { min: from, max: from };
    const to = this.#in.next.kind === 'integer' ? Number(this.#in.take().text) : undefined;
    return { min: from ?? 1, ...(to !== undefined && { max: to }) };
  }

  // Expressions, the loosest operator first

  #expression(): Expression {
    return this.#in.nested(() => this.#or());
  }

  #or(): Expression {
    return this.#leftToRight(['OR'], () =>
      this.#leftToRight(['XOR'], () => this.#leftToRight(['AND'], () => this.#not())),
    );
  }

  #leftToRight(words: readonly ('AND' | 'OR' | 'XOR')[], operand: () => Expression): Expression {
    let left = operand();
    for (let chain = 1; ; chain++) {
      this.#in.expectShort(chain);
      const operator = words.find((word) => this.#in.isWord(word));
      if (operator === undefined) return left;
      this.#in.take();
      left = { type: 'binary', at: left.at, operator, left, right: operand() };
    }
  }

  #not(): Expression {
    const { start: at } = this.#in.next;
    // `not` may be a name of the user's.
    if (!this.#in.isWord('NOT') || this.#endsExpression(1)) return this.#comparison();
    this.#in.take();
    return { type: 'not', at, of: this.#in.nested(() => this.#not()) };
  }

  #endsExpression(ahead: number): boolean {
    const { kind, text } = this.#in.ahead(ahead);
    return kind === 'end' || (kind === 'symbol' && [')', ']', '}', ',', ';', '.', '='].includes(text));
  }

  #comparison(): Expression {
    const first = this.#predicate();
    const operands = [first];
    const operators: BinaryOperator[] = [];
    for (;;) {
      const operator = COMPARISONS.find((symbol) => this.#in.isSymbol(symbol));
      if (operator === undefined) break;
      this.#in.take();
      operators.push(operator);
      operands.push(this.#predicate());
    }
    if (operators.length === 0) return first;
    if (operators.length > 1) return { type: 'chain', at: first.at, operands, operators };
    return { type: 'binary', at: first.at, operator: operators[0], left: first, right: operands[1] };
  }

  /** IN, STARTS WITH, IS NULL and the like. */
  #predicate(): Expression {
    let of = this.#sum();
    for (let chain = 1; ; chain++) {
      this.#in.expectShort(chain);
      const { at } = of;
      const operator = this.#predicateOperator();
      if (operator !== undefined) {
        of = { type: 'binary', at, operator, left: of, right: this.#sum() };
      } else if (this.#in.takesWords('IS', 'NOT', 'NULL')) of = { type: 'isNull', at, of, negated: true };
      else if (this.#in.takesWords('IS', 'NULL')) of = { type: 'isNull', at, of, negated: false };
      else return of;
    }
  }

  #predicateOperator(): BinaryOperator | undefined {
    if (this.#in.takesSymbol('=~')) return '=~';
    if (this.#in.takesWords('IN')) return 'IN';
    if (this.#in.takesWords('STARTS', 'WITH')) return 'STARTS WITH';
    if (this.#in.takesWords('ENDS', 'WITH')) return 'ENDS WITH';
    return this.#in.takesWords('CONTAINS') ? 'CONTAINS' : undefined;
  }

  #sum(): Expression {
    return this.#operators(['+', '-'], () =>
      this.#operators(['*', '/', '%'], () => this.#operators(['^'], () => this.#signed())),
    );
  }

  #operators(symbols: readonly ('+' | '-' | '*' | '/' | '%' | '^')[], operand: () => Expression): Expression {
    let left = operand();
    for (let chain = 1; ; chain++) {
      this.#in.expectShort(chain);
      const operator = symbols.find((symbol) => this.#in.isSymbol(symbol));
      if (operator === undefined) return left;
      this.#in.take();
      left = { type: 'binary', at: left.at, operator, left, right: operand() };
    }
  }

  #signed(): Expression {
    const { start: at } = this.#in.next;
    if (this.#in.isSymbol('-')) {
      this.#in.take();
      return { type: 'minus', at, of: this.#in.nested(() => this.#signed()) };
    }
    if (this.#in.takesSymbol('+')) return { type: 'plus', at, of: this.#in.nested(() => this.#signed()) };
    return this.#postfix();
  }

  #postfix(): Expression {
    let of = this.#atom();
    for (let chain = 1; ; chain++) {
      this.#in.expectShort(chain);
      const { at } = of;
      if (this.#in.isSymbol('.') && !this.#in.isSymbol('.', 1)) {
        this.#in.take();
        of = { type: 'property', at, of, key: this.#in.expectName('the name of a property') };
      } else if (this.#in.takesSymbol('[')) of = this.#indexed(of);
      else if (this.#in.isSymbol(':') && this.#in.ahead(1).kind !== 'symbol') of = this.#labelled(of);
      else return of;
    }
  }

  #indexed(of: Expression): Expression {
    const { at } = of;
    const from = this.#in.isSymbol('..') ? undefined : this.#expression();
    if (this.#in.takesSymbol('..')) {
      const to = this.#in.isSymbol(']') ? undefined : this.#expression();
      this.#in.expectSymbol(']');
      return { type: 'slice', at, of, ...(from && { from }), ...(to && { to }) };
    }
    this.#in.expectSymbol(']');
    return { type: 'index', at, of, index: from as Expression };
  }

  #labelled(of: Expression): Expression {
    const names: string[] = [];
    while (this.#in.takesSymbol(':')) names.push(this.#in.expectName('a label'));
    return { type: 'labels', at: of.at, of, names, any: false };
  }

  #atom(): Expression {
    const { kind, text, start: at } = this.#in.next;
    if (kind === 'integer') return this.#integer();
    if (kind === 'float') {
      this.#in.take();
      const value = Number(text);
      if (!Number.isFinite(value)) throw new CypherError('syntax', `the number ${text} is too large`, at);
      return { type: 'float', at, value };
    }
    if (kind === 'string') {
      this.#in.take();
      return { type: 'literal', at, value: text };
    }
    if (kind === 'symbol') return this.#bracketed();
    if (kind === 'end') throw this.#in.unexpected('an expression');
    if (kind === 'name') {
      const special = this.#specialName(text.toLowerCase(), at);
      if (special !== undefined) return special;
    }
    if (this.#in.isSymbol('(', 1) || this.#isQualifiedCall()) return this.#call();
    if (kind === 'name' && NO_BARE_NAME.test(text)) throw this.#in.unexpected('an expression');
    this.#in.take();
    return { type: 'variable', at, name: text };
  }

  #integer(): Expression {
    const { text, start: at } = this.#in.take();
    const value = Number(text);
    if (!Number.isSafeInteger(value))
      throw new CypherError(
        'syntax',
        `the integer ${text} is too large: 9007199254740991 is the largest`,
        at,
      );
    return { type: 'literal', at, value };
  }

  #bracketed(): Expression {
    const { start: at } = this.#in.next;
    if (this.#in.isSymbol('{')) return this.#map();
    if (this.#in.isSymbol('$')) return this.#parameter();
    if (this.#in.isSymbol('[')) return this.#list();
    if (!this.#in.isSymbol('(')) throw this.#in.unexpected('an expression');
    const pattern = this.#patternHere();
    if (pattern !== undefined) return { type: 'pattern', at, pattern };
    this.#in.take();
    const inner = this.#expression();
    this.#in.expectSymbol(')');
    return inner;
  }

  /** @returns nothing where what comes is no pattern with a relationship */
  #patternHere(): PathPattern | undefined {
    const { position } = this.#in;
    if (this.#noPattern.has(position)) return undefined;
    try {
      const pattern = this.#in.nested(() => this.#chain(this.#in.next.start));
      if (pattern.relationships.length > 0) return pattern;
    } catch (error) {
      if (!(error instanceof CypherError)) throw error;
    }
    this.#noPattern.add(position);
    this.#in.returnTo(position);
    return undefined;
  }

  #parameter(): Expression {
    const { start: at } = this.#in.expectSymbol('$');
    const { kind, text } = this.#in.next;
    if (kind === 'integer') {
      this.#in.take();
      return { type: 'parameter', at, name: text };
    }
    return { type: 'parameter', at, name: this.#in.expectName('the name of a parameter') };
  }

  #map(): Expression {
    const { start: at } = this.#in.expectSymbol('{');
    const entries: [string, Expression][] = [];
    if (!this.#in.isSymbol('}')) {
      do {
        const key = this.#in.expectName('a key');
        this.#in.expectSymbol(':');
        entries.push([key, this.#expression()]);
      } while (this.#in.takesSymbol(','));
    }
    this.#in.expectSymbol('}');
    return { type: 'map', at, entries };
  }

  #list(): Expression {
    const { start: at } = this.#in.expectSymbol('[');
    const { position } = this.#in;
    if (this.#in.isName && this.#in.isWord('IN', 1)) {
      const comprehension = this.#comprehension(at);
      if (comprehension !== undefined) return comprehension;
      this.#in.returnTo(position);
    }
    const pattern = this.#patternComprehension(at);
    if (pattern !== undefined) return pattern;
    this.#in.returnTo(position);
    const items: Expression[] = [];
    if (!this.#in.isSymbol(']')) {
      do items.push(this.#expression());
      while (this.#in.takesSymbol(','));
    }
    this.#in.expectSymbol(']');
    return { type: 'list', at, items };
  }

  /** @returns nothing for `[x IN list]` followed by more items: a list of a condition */
  #comprehension(at: number): Expression | undefined {
    const variable = this.#in.expectName('a variable');
    this.#in.expectWord('IN');
    const list = this.#expression();
    if (this.#in.isSymbol(',')) return undefined;
    const where = this.#where();
    const result = this.#in.takesSymbol('|') ? this.#expression() : undefined;
    this.#in.expectSymbol(']');
    return { type: 'comprehension', at, variable, list, ...where, ...(result && { result }) };
  }

  #patternComprehension(at: number): Expression | undefined {
    let variable: string | undefined;
    if (this.#in.isName && this.#in.isSymbol('=', 1) && this.#in.isSymbol('(', 2)) {
      variable = this.#in.expectName('a variable');
      this.#in.take();
    } else if (!this.#in.isSymbol('(')) return undefined;
    const pattern = this.#patternHere();
    if (pattern === undefined || !(this.#in.isWord('WHERE') || this.#in.isSymbol('|'))) return undefined;
    const where = this.#where();
    this.#in.expectSymbol('|');
    const result = this.#expression();
    this.#in.expectSymbol(']');
    return {
      type: 'patternComprehension',
      at,
      pattern: variable === undefined ? pattern : { ...pattern, variable },
      ...where,
      result,
    };
  }

  /** Words that are more than a name, where they stand as such. */
  #specialName(name: string, at: number): Expression | undefined {
    const isCall = this.#in.isSymbol('(', 1);
    if (!isCall && (name === 'true' || name === 'false' || name === 'null')) {
      this.#in.take();
      return { type: 'literal', at, value: name === 'null' ? null : name === 'true' };
    }
    if (name === 'case' && !isCall && !this.#endsExpression(1)) return this.#case();
    if (name === 'case' && isCall) return this.#case();
    if ((name === 'exists' || name === 'count') && this.#in.isSymbol('{', 1)) return this.#subquery(name);
    if (!isCall) return undefined;
    if (name === 'exists') return this.#exists();
    if (name === 'count' && this.#in.isSymbol('*', 2) && this.#in.isSymbol(')', 3)) {
      for (let token = 0; token < 4; token++) this.#in.take();
      return { type: 'countAll', at };
    }
    const quantifier = QUANTIFIERS.find((word) => word === name);
    if (quantifier !== undefined && this.#in.isWord('IN', 3)) return this.#quantifier(quantifier);
    if (name === 'reduce') return this.#reduce();
    if (name === 'shortestpath' || name === 'allshortestpaths')
      throw new CypherError('refused', `${this.#in.next.text} is served in MATCH alone`, at);
    return undefined;
  }

  /** `exists((a)-->(b))` and `exists(n.name)`. */
  #exists(): Expression {
    const { start: at } = this.#in.take();
    this.#in.expectSymbol('(');
    const of = this.#expression();
    this.#in.expectSymbol(')');
    return of.type === 'pattern' ? of : { type: 'isNull', at, of, negated: true };
  }

  #subquery(type: 'exists' | 'count'): Expression {
    const { start: at } = this.#in.take();
    this.#in.expectSymbol('{');
    const query = this.#in.nested(() => {
      if (
        this.#in.isWord('MATCH') ||
        this.#in.isWord('OPTIONAL') ||
        this.#in.isWord('UNWIND') ||
        this.#in.isWord('WITH')
      )
        return this.#query();
      this.#refuseClause();
      const { start } = this.#in.next;
      const match: Clause = {
        type: 'match',
        at: start,
        optional: false,
        patterns: this.#patterns(),
        ...this.#where(),
      };
      return { at: start, parts: [{ clauses: [match] }], unionAll: false };
    });
    this.#refuseClause();
    this.#in.expectSymbol('}');
    return { type, at, query };
  }

  #case(): Expression {
    const { start: at } = this.#in.take();
    const of = this.#in.isWord('WHEN') ? undefined : this.#expression();
    const whens: { when: Expression; result: Expression }[] = [];
    while (this.#in.takesWords('WHEN')) {
      const when = this.#expression();
      this.#in.expectWord('THEN');
      whens.push({ when, result: this.#expression() });
    }
    if (whens.length === 0) throw this.#in.unexpected('WHEN');
    const otherwise = this.#in.takesWords('ELSE') ? this.#expression() : undefined;
    this.#in.expectWord('END');
    return { type: 'case', at, ...(of && { of }), whens, ...(otherwise && { otherwise }) };
  }

  #quantifier(quantifier: 'all' | 'any' | 'none' | 'single'): Expression {
    const { start: at } = this.#in.take();
    this.#in.expectSymbol('(');
    const variable = this.#in.expectName('a variable');
    this.#in.expectWord('IN');
    const list = this.#expression();
    const { where = { type: 'literal', at, value: true } as Expression } = this.#where();
    this.#in.expectSymbol(')');
    return { type: 'quantifier', at, quantifier, variable, list, where };
  }

  #reduce(): Expression {
    const { start: at } = this.#in.take();
    this.#in.expectSymbol('(');
    const accumulator = this.#in.expectName('a variable');
    this.#in.expectSymbol('=');
    const initial = this.#expression();
    this.#in.expectSymbol(',');
    const variable = this.#in.expectName('a variable');
    this.#in.expectWord('IN');
    const list = this.#expression();
    this.#in.expectSymbol('|');
    const result = this.#expression();
    this.#in.expectSymbol(')');
    return { type: 'reduce', at, accumulator, initial, variable, list, result };
  }

  #isQualifiedCall(): boolean {
    let ahead = 1;
    while (this.#in.isSymbol('.', ahead) && this.#in.ahead(ahead + 1).kind === 'name') ahead += 2;
    return ahead > 1 && this.#in.isSymbol('(', ahead);
  }

  #call(): Expression {
    const { start: at } = this.#in.next;
    let name = this.#in.expectName('a function');
    while (this.#in.takesSymbol('.')) name += `.${this.#in.expectName('a function')}`;
    this.#in.expectSymbol('(');
    const distinct =
      this.#in.isWord('DISTINCT') && !this.#endsExpression(1) && this.#in.takesWords('DISTINCT');
    const args: Expression[] = [];
    if (!this.#in.isSymbol(')')) {
      do args.push(this.#expression());
      while (this.#in.takesSymbol(','));
    }
    this.#in.expectSymbol(')');
    return { type: 'call', at, name: name.toLowerCase(), distinct, args };
  }
}
