/** Parses patterns: nodes, relationships and paths. */
import { CypherError } from '../cypherError.ts';
import type { Easiest, Expression, NodePattern, PathPattern, RelationshipPattern } from './ast.ts';
import type { LabelExpression } from './labelExpression.ts';
import { allOfConditions, anyOf, labelCondition, readLabels, splitLabels } from './labelExpression.ts';
import { TokenStream } from './tokenStream.ts';

/** Creates a name for an unnamed pattern that no query can use. @param at offset of the pattern */
export const unnamed = (at: number): string => ` ${at}`;

/** The property with the effort of an attacker, by which `EASIEST` compares paths by default. */
export const ATTACK_EFFORT = 'effort';

/** Maximum number of easiest paths between two nodes. */
export const MAX_EASIEST = 100;

/** A node that the text omits. */
const implied = (at: number): NodePattern => ({ at, labels: [] });

export abstract class PatternParser {
  protected readonly tokens: TokenStream;

  constructor(query: string) {
    this.tokens = new TokenStream(query);
  }

  protected abstract expression(): Expression;
  protected abstract map(): Expression;
  protected abstract parameter(): Expression;

  protected where(): { where?: Expression } {
    return this.tokens.takesWords('WHERE') ? { where: this.expression() } : {};
  }

  protected patterns(): PathPattern[] {
    const patterns = [this.#pathPattern()];
    while (this.tokens.takesSymbol(',')) patterns.push(this.#pathPattern());
    return patterns;
  }

  #pathPattern(): PathPattern {
    const { start: at } = this.tokens.next;
    if (this.tokens.isName && this.tokens.isSymbol('=', 1)) {
      const variable = this.tokens.expectName('a name');
      this.tokens.expectSymbol('=');
      return { ...this.#pathElements(), at, variable };
    }
    return this.#pathElements();
  }

  #pathElements(): PathPattern {
    const { start: at } = this.tokens.next;
    const one = this.tokens.isWord('SHORTESTPATH');
    if ((one || this.tokens.isWord('ALLSHORTESTPATHS')) && this.tokens.isSymbol('(', 1)) {
      this.tokens.take();
      this.tokens.take();
      const inner = this.tokens.nested(() => this.#pathElements());
      this.tokens.expectSymbol(')');
      if (inner.relationships.length !== 1 || inner.shortest !== undefined)
        throw new CypherError('meaning', 'a shortest path needs a pattern of one relationship', at);
      return { ...inner, at, shortest: one ? 'one' : 'all' };
    }
    const selected = this.#selector();
    if (selected !== undefined) {
      const inner = this.tokens.nested(() => this.#pathElements());
      if (inner.relationships.length !== 1 || inner.shortest !== undefined)
        throw new CypherError(
          'meaning',
          `${typeof selected === 'object' ? 'EASIEST' : 'SHORTEST'} needs a pattern of one relationship, like (a)-[]->+(b)`,
          at,
        );
      return { ...inner, at, shortest: selected };
    }
    return this.#parenthesized() ?? this.chain(at);
  }

  /**
   * Parses `((a)-->(b))`. @returns `undefined` if the content of the parentheses is repeated, or part of a longer
   * pattern
   */
  #parenthesized(): PathPattern | undefined {
    if (!this.#isGroup()) return undefined;
    const { position } = this.tokens;
    this.tokens.take();
    const inner = this.tokens.nested(() => this.#pathElements());
    if (this.tokens.takesSymbol(')') && !this.#isQuantified()) return inner;
    this.tokens.returnTo(position);
    return undefined;
  }

  /** Parses `SHORTEST 1`, `ANY SHORTEST`, `ALL SHORTEST`, `SHORTEST 1 GROUP`, and `EASIEST 3 BY weight`. */
  #selector(): PathPattern['shortest'] {
    if (this.tokens.isWord('EASIEST')) return this.#easiest();
    const isAll = this.tokens.isWord('ALL');
    if ((isAll || this.tokens.isWord('ANY')) && this.tokens.isWord('SHORTEST', 1)) {
      this.tokens.take();
      this.tokens.take();
      this.#takePathWords();
      return isAll ? 'all' : 'one';
    }
    if (!this.tokens.isWord('SHORTEST') || this.tokens.ahead(1).kind !== 'integer') return undefined;
    const { start } = this.tokens.take();
    const { text } = this.tokens.take();
    if (Number(text) !== 1)
      throw new CypherError(
        'refused',
        `SHORTEST ${text.slice(0, 20)} is not supported: SHORTEST 1, ANY SHORTEST and ALL SHORTEST are`,
        start,
      );
    this.#takePathWords();
    return this.tokens.takesWords('GROUP') || this.tokens.takesWords('GROUPS') ? 'all' : 'one';
  }

  #easiest(): Easiest {
    const { start } = this.tokens.take();
    const isCounted = this.tokens.next.kind === 'integer';
    const { start: at } = this.tokens.next;
    const count = isCounted ? Number(this.tokens.take().text) : 1;
    if (count < 1 || count > MAX_EASIEST)
      throw new CypherError('meaning', `EASIEST takes 1 to ${MAX_EASIEST} paths`, at);
    this.#takePathWords();
    const isBy = this.tokens.takesWords('BY');
    const { start: byAt } = this.tokens.next;
    const by = isBy ? this.tokens.expectName('a property') : ATTACK_EFFORT;
    return { at: isBy ? byAt : start, count, by };
  }

  #takePathWords(): void {
    if (!this.tokens.takesWords('PATH')) this.tokens.takesWords('PATHS');
  }

  protected chain(at: number): PathPattern {
    const nodes: NodePattern[] = this.#isGroup() ? [implied(at)] : [this.#nodePattern()];
    const relationships: RelationshipPattern[] = [];
    for (;;) {
      if (this.#isGroup()) {
        relationships.push(this.#quantified());
        const isNamed = this.tokens.isSymbol('(') && !this.#isGroup();
        nodes.push(isNamed ? this.#nodePattern() : implied(this.tokens.lastEnd - 1));
      } else if (this.#isRelationship()) {
        relationships.push(this.#relationshipPattern());
        nodes.push(this.#nodePattern());
      } else break;
    }
    return { at, nodes, relationships };
  }

  #isRelationship(): boolean {
    return this.tokens.isSymbol('-') || (this.tokens.isSymbol('<') && this.tokens.isSymbol('-', 1));
  }

  #isGroup(): boolean {
    return this.tokens.isSymbol('(') && this.tokens.isSymbol('(', 1);
  }

  #isQuantified(): boolean {
    return ['{', '+', '*'].some((symbol) => this.tokens.isSymbol(symbol));
  }

  /** Parses `((a)-[]->(b) WHERE ...){1,3}`. */
  #quantified(): RelationshipPattern {
    const { start } = this.tokens.expectSymbol('(');
    const starts = this.#nodePattern();
    const relationship = this.#relationshipPattern();
    const ends = this.#nodePattern();
    if (relationship.length !== undefined || this.#isRelationship())
      throw new CypherError(
        'refused',
        'a quantified pattern of more than one relationship is not supported',
        start,
      );
    const where = this.where();
    this.tokens.expectSymbol(')');
    if (!this.#isQuantified()) throw this.tokens.unexpected("a quantifier like '{1,3}', '+' or '*'");
    return { ...relationship, length: this.#quantifier(), group: { starts, ends, ...where } };
  }

  /** Parses `{1,3}`, `{2}`, `{,3}`, `+` and `*`. */
  #quantifier(): { min: number; max?: number } {
    if (this.tokens.takesSymbol('+')) return { min: 1 };
    if (this.tokens.takesSymbol('*')) return { min: 0 };
    const { start } = this.tokens.expectSymbol('{');
    const integer = (): number | undefined =>
      this.tokens.next.kind === 'integer' ? Number(this.tokens.take().text) : undefined;
    const from = integer();
    const isRange = this.tokens.takesSymbol(',');
    const to = isRange ? integer() : from;
    if (from === undefined && to === undefined) throw this.tokens.unexpected('the number of repetitions');
    if (to !== undefined && to < (from ?? 0))
      throw new CypherError('meaning', `from ${from} to ${to} times is never`, start);
    this.tokens.expectSymbol('}');
    return { min: from ?? 0, ...(to !== undefined && { max: to }) };
  }

  #nodePattern(): NodePattern {
    const { start: at } = this.tokens.expectSymbol('(');
    const variable =
      this.tokens.isName && !this.tokens.isWord('WHERE') ? this.tokens.expectName('a variable') : undefined;
    const { start } = this.tokens.next;
    const written: LabelExpression[] = [];
    while (this.tokens.takesSymbol(':')) written.push(readLabels(this.tokens, 'a label'));
    const { lists: labels, rest } = splitLabels(written);
    const condition = this.#labelCondition(variable, at, start, rest);
    const properties = this.#inlineProperties();
    const where = this.#innerWhere(condition);
    this.tokens.expectSymbol(')');
    return { at, ...(variable !== undefined && { variable }), labels, ...properties, ...where };
  }

  /** @param at offset of the pattern, which identifies unnamed parts */
  #labelCondition(
    variable: string | undefined,
    at: number,
    start: number,
    labels: readonly LabelExpression[],
  ): Expression | undefined {
    const of: Expression = { type: 'variable', at, name: variable ?? unnamed(at) };
    const condition = allOfConditions(labels.map((one) => labelCondition(of, one)));
    return condition && { ...condition, span: [start, this.tokens.lastEnd] };
  }

  #innerWhere(condition: Expression | undefined): { where?: Expression } {
    const { where } = this.where();
    const both = allOfConditions([condition, where].filter((one) => one !== undefined));
    return both === undefined ? {} : { where: both };
  }

  #inlineProperties(): { properties?: Expression } {
    if (this.tokens.isSymbol('{')) return { properties: this.map() };
    if (this.tokens.isSymbol('$')) return { properties: this.parameter() };
    return {};
  }

  #relationshipPattern(): RelationshipPattern {
    const { start: at } = this.tokens.next;
    const left = this.tokens.takesSymbol('<');
    this.tokens.expectSymbol('-');
    let detail: Omit<RelationshipPattern, 'at' | 'direction'> = { types: [] };
    if (this.tokens.takesSymbol('[')) {
      detail = this.#relationshipDetail(at);
      this.tokens.expectSymbol(']');
    }
    this.tokens.expectSymbol('-');
    const right = this.tokens.takesSymbol('>');
    const quantified = this.#isQuantified() ? { length: this.#quantifier() } : {};
    if (quantified.length !== undefined && detail.length !== undefined)
      throw new CypherError('meaning', 'a relationship has one length: * or a quantifier', at);
    return { at, ...detail, ...quantified, direction: left === right ? 'both' : left ? 'left' : 'right' };
  }

  #relationshipDetail(at: number): Omit<RelationshipPattern, 'at' | 'direction'> {
    const variable =
      this.tokens.isName && !this.tokens.isWord('WHERE') ? this.tokens.expectName('a variable') : undefined;
    const { start } = this.tokens.next;
    const written = this.tokens.takesSymbol(':') ? [readLabels(this.tokens, 'a type')] : [];
    const { lists, rest } = splitLabels(written);
    // A relationship has one type: the first list is followed, and the others are tested.
    const [types = [], ...others] = lists;
    const tested = [...others.map(anyOf), ...rest];
    const condition = this.#labelCondition(variable, at, start, tested);
    const length = this.tokens.takesSymbol('*') ? this.#range() : undefined;
    const properties = this.#inlineProperties();
    const where = this.#innerWhere(condition);
    return {
      ...(variable !== undefined && { variable }),
      types,
      ...(length !== undefined && { length }),
      ...properties,
      ...where,
    };
  }

  #range(): { min: number; max?: number } {
    const from = this.tokens.next.kind === 'integer' ? Number(this.tokens.take().text) : undefined;
    if (!this.tokens.takesSymbol('..')) return from === undefined ? { min: 1 } : { min: from, max: from };
    const to = this.tokens.next.kind === 'integer' ? Number(this.tokens.take().text) : undefined;
    return { min: from ?? 1, ...(to !== undefined && { max: to }) };
  }
}
