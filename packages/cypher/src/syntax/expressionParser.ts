/** Parses expressions; the operator with the lowest precedence is first. */
import { CypherError } from '../cypherError.ts';
import { integerOf, MIN_INTEGER } from '../values/values.ts';
import type { BinaryOperator, Expression, PathPattern, Query } from './ast.ts';
import type { LabelExpression } from './labelExpression.ts';
import { allOfConditions, anyOf, labelCondition, readLabels, splitLabels } from './labelExpression.ts';
import { PatternParser } from './patternParser.ts';

const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const;
/** Maximum digits of an integer literal: enough for 64 bits in any base. */
const MAX_LITERAL = 66;
const QUANTIFIERS = ['all', 'any', 'none', 'single'] as const;
/** Keywords that may follow an expression in a pattern or projection, so they are not column names without AS. */
const NO_BARE_NAME = /^(?:WHERE|RETURN|WITH|MATCH|OPTIONAL|UNWIND|UNION|ORDER|SKIP|LIMIT|AS|ASC|DESC)$/i;

export abstract class ExpressionParser extends PatternParser {
  /** Positions where a pattern failed to parse, so it is not tried again. */
  readonly #noPattern = new Set<number>();
  /** Whether `|` starts the result of a comprehension instead of separating labels. */
  #doBarsEnd = false;

  /** Parses the query in the braces of EXISTS and COUNT. */
  protected abstract subquery(): Query;

  protected override expression(): Expression {
    return this.#spanned(() => this.tokens.nested(() => this.#or()));
  }

  /** Adds the source range, including parentheses, to an expression. */
  #spanned(read: () => Expression): Expression {
    const { start } = this.tokens.next;
    const expression = read();
    return { ...expression, span: [start, this.tokens.lastEnd] };
  }

  #or(): Expression {
    return this.#leftToRight(['OR'], () =>
      this.#leftToRight(['XOR'], () => this.#leftToRight(['AND'], () => this.#spanned(() => this.#not()))),
    );
  }

  #leftToRight(words: readonly ('AND' | 'OR' | 'XOR')[], operand: () => Expression): Expression {
    let left = operand();
    for (let chain = 1; ; chain++) {
      this.tokens.expectShort(chain);
      const operator = words.find((word) => this.tokens.isWord(word));
      if (operator === undefined) return left;
      this.tokens.take();
      left = { type: 'binary', at: left.at, operator, left, right: operand() };
    }
  }

  #not(): Expression {
    const { start: at } = this.tokens.next;
    // `not` may be a variable name.
    if (!this.tokens.isWord('NOT') || this.#endsExpression(1)) return this.#comparison();
    this.tokens.take();
    return { type: 'not', at, of: this.tokens.nested(() => this.#not()) };
  }

  #endsExpression(ahead: number): boolean {
    const { kind, text } = this.tokens.ahead(ahead);
    return kind === 'end' || (kind === 'symbol' && [')', ']', '}', ',', ';', '.', '='].includes(text));
  }

  #comparison(): Expression {
    const first = this.#predicate();
    const operands = [first];
    const operators: BinaryOperator[] = [];
    for (;;) {
      const operator = COMPARISONS.find((symbol) => this.tokens.isSymbol(symbol));
      if (operator === undefined) break;
      this.tokens.take();
      operators.push(operator);
      operands.push(this.#predicate());
    }
    if (operators.length === 0) return first;
    if (operators.length > 1) for (const operand of operands) expectNoOr(operand);
    if (operators.length > 1) return { type: 'chain', at: first.at, operands, operators };
    return { type: 'binary', at: first.at, operator: operators[0], left: first, right: operands[1] };
  }

  /** Parses IN, STARTS WITH, IS NULL and similar operators. */
  #predicate(): Expression {
    let of = this.#sum();
    for (let chain = 1; ; chain++) {
      this.tokens.expectShort(chain);
      const { at } = of;
      const operator = this.#predicateOperator();
      if (operator !== undefined) {
        of = { type: 'binary', at, operator, left: of, right: this.#sum() };
      } else if (this.tokens.takesWords('IS', 'NOT', 'NULL')) of = { type: 'isNull', at, of, negated: true };
      else if (this.tokens.takesWords('IS', 'NULL')) of = { type: 'isNull', at, of, negated: false };
      else return of;
    }
  }

  #predicateOperator(): BinaryOperator | undefined {
    if (this.tokens.takesSymbol('=~')) return '=~';
    if (this.tokens.takesWords('IN')) return 'IN';
    if (this.tokens.takesWords('STARTS', 'WITH')) return 'STARTS WITH';
    if (this.tokens.takesWords('ENDS', 'WITH')) return 'ENDS WITH';
    return this.tokens.takesWords('CONTAINS') ? 'CONTAINS' : undefined;
  }

  #sum(): Expression {
    return this.#operators(['+', '-', '||'], () =>
      this.#operators(['*', '/', '%'], () => this.#operators(['^'], () => this.#signed())),
    );
  }

  #operators(
    symbols: readonly ('+' | '-' | '||' | '*' | '/' | '%' | '^')[],
    operand: () => Expression,
  ): Expression {
    let left = operand();
    for (let chain = 1; ; chain++) {
      this.tokens.expectShort(chain);
      const operator = symbols.find((symbol) => this.tokens.isSymbol(symbol));
      if (operator === undefined) return left;
      this.tokens.take();
      left = { type: 'binary', at: left.at, operator, left, right: operand() };
    }
  }

  #signed(): Expression {
    const { start: at } = this.tokens.next;
    if (this.tokens.isSymbol('-')) {
      this.tokens.take();
      if (this.#isLeastInteger()) return { type: 'literal', at, value: -BigInt(this.tokens.take().text) };
      return { type: 'minus', at, of: this.tokens.nested(() => this.#signed()) };
    }
    if (this.tokens.takesSymbol('+'))
      return { type: 'plus', at, of: this.tokens.nested(() => this.#signed()) };
    return this.#postfix();
  }

  #postfix(): Expression {
    let of = this.#withBars(false, () => this.#atom());
    for (let chain = 1; ; chain++) {
      this.tokens.expectShort(chain);
      const { at } = of;
      if (this.tokens.isSymbol('.') && !this.tokens.isSymbol('.', 1)) {
        this.tokens.take();
        of = { type: 'property', at, of, key: this.tokens.expectName('the name of a property') };
      } else if (this.tokens.takesSymbol('[')) of = this.#indexed(of);
      else if (this.#isLabeled()) of = this.#labeled(of);
      else if (of.type === 'variable' && this.tokens.isSymbol('{')) of = this.#mapProjection(of);
      else return of;
    }
  }

  #indexed(of: Expression): Expression {
    const { at } = of;
    const from = this.tokens.isSymbol('..') ? undefined : this.expression();
    if (this.tokens.takesSymbol('..')) {
      const to = this.tokens.isSymbol(']') ? undefined : this.expression();
      this.tokens.expectSymbol(']');
      return { type: 'slice', at, of, ...(from && { from }), ...(to && { to }) };
    }
    this.tokens.expectSymbol(']');
    return { type: 'index', at, of, index: from as Expression };
  }

  #isLabeled(): boolean {
    if (!this.tokens.isSymbol(':')) return false;
    const { kind, text } = this.tokens.ahead(1);
    return kind === 'name' || kind === 'quotedName' || (kind === 'symbol' && ['!', '(', '%'].includes(text));
  }

  #labeled(of: Expression): Expression {
    const written: LabelExpression[] = [];
    while (this.tokens.takesSymbol(':')) written.push(readLabels(this.tokens, 'a label', !this.#doBarsEnd));
    const { lists, rest } = splitLabels(written);
    const single = lists.filter((names) => names.length === 1).flat();
    const others = lists.filter((names) => names.length > 1);
    const conditions: Expression[] = [
      ...(single.length > 0 ? [{ type: 'labels' as const, at: of.at, of, names: single }] : []),
      ...[...others.map(anyOf), ...rest].map((part) => labelCondition(of, part)),
    ];
    return allOfConditions(conditions) as Expression;
  }

  #withBars<T>(doEnd: boolean, read: () => T): T {
    const before = this.#doBarsEnd;
    this.#doBarsEnd = doEnd;
    try {
      return read();
    } finally {
      this.#doBarsEnd = before;
    }
  }

  /** Parses `n{.name, .*, key: value, other}`. */
  #mapProjection(of: Extract<Expression, { type: 'variable' }>): Expression {
    this.tokens.expectSymbol('{');
    const entries: [string, Expression][] = [];
    let all = false;
    const entry = (): void => {
      const { start: at } = this.tokens.next;
      if (this.tokens.takesSymbol('.')) {
        if (this.tokens.takesSymbol('*')) {
          all = true;
          return;
        }
        const key = this.tokens.expectName('the name of a property');
        entries.push([key, { type: 'property', at, of, key }]);
        return;
      }
      const key = this.tokens.expectName('a key');
      entries.push([
        key,
        this.tokens.takesSymbol(':')
          ? this.#withBars(false, () => this.expression())
          : { type: 'variable', at, name: key },
      ]);
    };
    if (!this.tokens.isSymbol('}')) {
      do entry();
      while (this.tokens.takesSymbol(','));
    }
    this.tokens.expectSymbol('}');
    return { type: 'mapProjection', at: of.at, of, all, entries };
  }

  #atom(): Expression {
    const { kind, text, start: at } = this.tokens.next;
    if (kind === 'integer') return this.#integer();
    if (kind === 'float') {
      this.tokens.take();
      const value = Number(text);
      if (!Number.isFinite(value)) throw new CypherError('syntax', `the number ${text} is too large`, at);
      return { type: 'float', at, value };
    }
    if (kind === 'string') {
      this.tokens.take();
      return { type: 'literal', at, value: text };
    }
    if (kind === 'symbol') return this.#bracketed();
    if (kind === 'end') throw this.tokens.unexpected('an expression');
    if (kind === 'name') {
      const special = this.#specialName(text.toLowerCase(), at);
      if (special !== undefined) return special;
    }
    if (this.tokens.isSymbol('(', 1) || this.#isQualifiedCall()) return this.#call();
    if (kind === 'name' && NO_BARE_NAME.test(text)) throw this.tokens.unexpected('an expression');
    this.tokens.take();
    return { type: 'variable', at, name: text };
  }

  /** The minimum integer has no positive counterpart. */
  #isLeastInteger(): boolean {
    const { kind, text } = this.tokens.next;
    return kind === 'integer' && text.length <= MAX_LITERAL && -BigInt(text) === MIN_INTEGER;
  }

  #integer(): Expression {
    const { text, start: at } = this.tokens.take();
    const value = text.length > MAX_LITERAL ? undefined : integerOf(BigInt(text));
    if (value === undefined)
      throw new CypherError(
        'syntax',
        `the integer ${text.slice(0, 40)} is too large: 9223372036854775807 is the largest`,
        at,
      );
    return { type: 'literal', at, value };
  }

  #bracketed(): Expression {
    const { start: at } = this.tokens.next;
    if (this.tokens.isSymbol('{')) return this.map();
    if (this.tokens.isSymbol('$')) return this.parameter();
    if (this.tokens.isSymbol('[')) return this.#list();
    if (!this.tokens.isSymbol('(')) throw this.tokens.unexpected('an expression');
    const pattern = this.#patternHere();
    if (pattern !== undefined) return { type: 'pattern', at, pattern };
    this.tokens.take();
    const inner = this.expression();
    this.tokens.expectSymbol(')');
    return inner;
  }

  /** @returns `undefined` if the next tokens are not a pattern with a relationship */
  #patternHere(): PathPattern | undefined {
    const { position } = this.tokens;
    if (this.#noPattern.has(position)) return undefined;
    try {
      const pattern = this.tokens.nested(() => this.chain(this.tokens.next.start));
      if (pattern.relationships.length > 0) return pattern;
    } catch (error) {
      if (!(error instanceof CypherError)) throw error;
    }
    this.#noPattern.add(position);
    this.tokens.returnTo(position);
    return undefined;
  }

  protected override parameter(): Expression {
    const { start: at } = this.tokens.expectSymbol('$');
    const { kind, text } = this.tokens.next;
    if (kind === 'integer') {
      this.tokens.take();
      return { type: 'parameter', at, name: text };
    }
    return { type: 'parameter', at, name: this.tokens.expectName('the name of a parameter') };
  }

  protected override map(): Expression {
    const { start: at } = this.tokens.expectSymbol('{');
    const entries: [string, Expression][] = [];
    if (!this.tokens.isSymbol('}')) {
      do {
        const key = this.tokens.expectName('a key');
        this.tokens.expectSymbol(':');
        entries.push([key, this.expression()]);
      } while (this.tokens.takesSymbol(','));
    }
    this.tokens.expectSymbol('}');
    return { type: 'map', at, entries };
  }

  #list(): Expression {
    const { start: at } = this.tokens.expectSymbol('[');
    const { position } = this.tokens;
    if (this.tokens.isName && this.tokens.isWord('IN', 1)) {
      const comprehension = this.#comprehension(at);
      if (comprehension !== undefined) return comprehension;
      this.tokens.returnTo(position);
    }
    const pattern = this.#patternComprehension(at);
    if (pattern !== undefined) return pattern;
    this.tokens.returnTo(position);
    const items: Expression[] = [];
    if (!this.tokens.isSymbol(']')) {
      do items.push(this.expression());
      while (this.tokens.takesSymbol(','));
    }
    this.tokens.expectSymbol(']');
    return { type: 'list', at, items };
  }

  /** @returns `undefined` for `[x IN list]` followed by more items: a list with a condition as its first item */
  #comprehension(at: number): Expression | undefined {
    const variable = this.tokens.expectName('a variable');
    this.tokens.expectWord('IN');
    const list = this.#withBars(true, () => this.expression());
    if (this.tokens.isSymbol(',')) return undefined;
    const where = this.#withBars(true, () => this.where());
    const result = this.tokens.takesSymbol('|') ? this.expression() : undefined;
    this.tokens.expectSymbol(']');
    return { type: 'comprehension', at, variable, list, ...where, ...(result && { result }) };
  }

  #patternComprehension(at: number): Expression | undefined {
    let variable: string | undefined;
    if (this.tokens.isName && this.tokens.isSymbol('=', 1) && this.tokens.isSymbol('(', 2)) {
      variable = this.tokens.expectName('a variable');
      this.tokens.take();
    } else if (!this.tokens.isSymbol('(')) return undefined;
    const pattern = this.#patternHere();
    if (pattern === undefined || !(this.tokens.isWord('WHERE') || this.tokens.isSymbol('|')))
      return undefined;
    const where = this.#withBars(true, () => this.where());
    this.tokens.expectSymbol('|');
    const result = this.expression();
    this.tokens.expectSymbol(']');
    return {
      type: 'patternComprehension',
      at,
      pattern: variable === undefined ? pattern : { ...pattern, variable },
      ...where,
      result,
    };
  }

  /** Parses unquoted names with a special meaning. */
  #specialName(name: string, at: number): Expression | undefined {
    const isCall = this.tokens.isSymbol('(', 1);
    if (!isCall && (name === 'true' || name === 'false' || name === 'null')) {
      this.tokens.take();
      return { type: 'literal', at, value: name === 'null' ? null : name === 'true' };
    }
    if (name === 'case' && !isCall && !this.#endsExpression(1)) return this.#case();
    if (name === 'case' && isCall) return this.#case();
    if ((name === 'exists' || name === 'count') && this.tokens.isSymbol('{', 1)) return this.#subquery(name);
    if (name === 'collect' && this.tokens.isSymbol('{', 1))
      throw new CypherError('refused', 'COLLECT { } is not supported: use collect() after CALL { }', at);
    if (!isCall) return undefined;
    if (name === 'exists') return this.#exists();
    if (name === 'count' && this.tokens.isSymbol('*', 2) && this.tokens.isSymbol(')', 3)) {
      for (let token = 0; token < 4; token++) this.tokens.take();
      return { type: 'countAll', at };
    }
    const quantifier = QUANTIFIERS.find((word) => word === name);
    if (quantifier !== undefined && this.tokens.isWord('IN', 3)) return this.#quantifier(quantifier);
    if (name === 'reduce') return this.#reduce();
    if (name === 'shortestpath' || name === 'allshortestpaths')
      throw new CypherError(
        'refused',
        `${this.tokens.next.text} is supported only in MATCH: write MATCH p = ${this.tokens.next.text}(...) and use p`,
        at,
      );
    return undefined;
  }

  /** Parses `exists((a)-->(b))` and `exists(n.name)`. */
  #exists(): Expression {
    const { start: at } = this.tokens.take();
    this.tokens.expectSymbol('(');
    const of = this.expression();
    this.tokens.expectSymbol(')');
    return of.type === 'pattern' ? of : { type: 'isNull', at, of, negated: true };
  }

  #subquery(type: 'exists' | 'count'): Expression {
    const { start: at } = this.tokens.take();
    this.tokens.expectSymbol('{');
    const query = this.subquery();
    this.tokens.expectSymbol('}');
    return { type, at, query };
  }

  #case(): Expression {
    const { start: at } = this.tokens.take();
    const of = this.tokens.isWord('WHEN') ? undefined : this.expression();
    const whens: { when: Expression; result: Expression }[] = [];
    while (this.tokens.takesWords('WHEN')) {
      const when = this.expression();
      this.tokens.expectWord('THEN');
      whens.push({ when, result: this.expression() });
    }
    if (whens.length === 0) throw this.tokens.unexpected('WHEN');
    const otherwise = this.tokens.takesWords('ELSE') ? this.expression() : undefined;
    this.tokens.expectWord('END');
    return { type: 'case', at, ...(of && { of }), whens, ...(otherwise && { otherwise }) };
  }

  #quantifier(quantifier: 'all' | 'any' | 'none' | 'single'): Expression {
    const { start: at } = this.tokens.take();
    this.tokens.expectSymbol('(');
    const variable = this.tokens.expectName('a variable');
    this.tokens.expectWord('IN');
    const list = this.expression();
    const { where = { type: 'literal', at, value: true } as Expression } = this.where();
    this.tokens.expectSymbol(')');
    return { type: 'quantifier', at, quantifier, variable, list, where };
  }

  #reduce(): Expression {
    const { start: at } = this.tokens.take();
    this.tokens.expectSymbol('(');
    const accumulator = this.tokens.expectName('a variable');
    this.tokens.expectSymbol('=');
    const initial = this.expression();
    this.tokens.expectSymbol(',');
    const variable = this.tokens.expectName('a variable');
    this.tokens.expectWord('IN');
    const list = this.#withBars(true, () => this.expression());
    this.tokens.expectSymbol('|');
    const result = this.expression();
    this.tokens.expectSymbol(')');
    return { type: 'reduce', at, accumulator, initial, variable, list, result };
  }

  /** Parses an expression that a `|` ends. */
  protected itemsBeforeBar(): Expression {
    return this.#withBars(true, () => this.expression());
  }

  #isQualifiedCall(): boolean {
    let ahead = 1;
    while (this.tokens.isSymbol('.', ahead) && this.tokens.ahead(ahead + 1).kind === 'name') ahead += 2;
    return ahead > 1 && this.tokens.isSymbol('(', ahead);
  }

  #call(): Expression {
    const { start: at } = this.tokens.next;
    let name = this.tokens.expectName('a function');
    while (this.tokens.takesSymbol('.')) name += `.${this.tokens.expectName('a function')}`;
    this.tokens.expectSymbol('(');
    const distinct =
      this.tokens.isWord('DISTINCT') && !this.#endsExpression(1) && this.tokens.takesWords('DISTINCT');
    const args: Expression[] = [];
    if (!this.tokens.isSymbol(')')) {
      do args.push(this.expression());
      while (this.tokens.takesSymbol(','));
    }
    this.tokens.expectSymbol(')');
    return { type: 'call', at, name: name.toLowerCase(), distinct, args };
  }
}

/** @throws CypherError for `a = 1 || b = 2`, which compares a with the concatenation, although OR is meant */
function expectNoOr(operand: Expression): void {
  const isEnclosed = operand.span !== undefined;
  if (operand.type === 'binary' && operand.operator === '||' && !isEnclosed)
    throw new CypherError(
      'meaning',
      '|| joins texts or lists, also between comparisons: write OR',
      operand.at,
    );
}
