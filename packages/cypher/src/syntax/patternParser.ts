/** Patterns: nodes, relationships and paths. */
import { CypherError } from '../cypherError.ts';
import type { Expression, NodePattern, PathPattern, RelationshipPattern } from './ast.ts';
import { TokenStream } from './tokenStream.ts';

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
    // `((a)-->(b))`
    if (this.tokens.isSymbol('(') && this.tokens.isSymbol('(', 1)) {
      this.tokens.take();
      const inner = this.tokens.nested(() => this.#pathElements());
      this.tokens.expectSymbol(')');
      return inner;
    }
    return this.chain(at);
  }

  protected chain(at: number): PathPattern {
    const nodes = [this.#nodePattern()];
    const relationships: RelationshipPattern[] = [];
    while (this.tokens.isSymbol('-') || (this.tokens.isSymbol('<') && this.tokens.isSymbol('-', 1))) {
      relationships.push(this.#relationshipPattern());
      nodes.push(this.#nodePattern());
    }
    return { at, nodes, relationships };
  }

  #nodePattern(): NodePattern {
    const { start: at } = this.tokens.expectSymbol('(');
    const variable =
      this.tokens.isName && !this.tokens.isWord('WHERE') ? this.tokens.expectName('a variable') : undefined;
    const labels: string[][] = [];
    while (this.tokens.takesSymbol(':') || (labels.length > 0 && this.tokens.takesSymbol('&'))) {
      const any = [this.tokens.expectName('a label')];
      while (this.tokens.takesSymbol('|')) {
        this.tokens.takesSymbol(':');
        any.push(this.tokens.expectName('a label'));
      }
      labels.push(any);
    }
    const properties = this.#inlineProperties();
    const where = this.where();
    this.tokens.expectSymbol(')');
    return { at, ...(variable !== undefined && { variable }), labels, ...properties, ...where };
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
      detail = this.#relationshipDetail();
      this.tokens.expectSymbol(']');
    }
    this.tokens.expectSymbol('-');
    const right = this.tokens.takesSymbol('>');
    return { at, ...detail, direction: left === right ? 'both' : left ? 'left' : 'right' };
  }

  #relationshipDetail(): Omit<RelationshipPattern, 'at' | 'direction'> {
    const variable =
      this.tokens.isName && !this.tokens.isWord('WHERE') ? this.tokens.expectName('a variable') : undefined;
    const types: string[] = [];
    if (this.tokens.takesSymbol(':')) {
      do {
        this.tokens.takesSymbol(':');
        types.push(this.tokens.expectName('a type'));
      } while (this.tokens.takesSymbol('|'));
    }
    const length = this.tokens.takesSymbol('*') ? this.#range() : undefined;
    const properties = this.#inlineProperties();
    const where = this.where();
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
