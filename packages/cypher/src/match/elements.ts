/** The patterns of one MATCH as nodes and relationships, each once, with the conditions that hold among them. */
import type { Scope, Variable, VariableType } from '../bind/scope.ts';
import { CypherError } from '../cypherError.ts';
import type { Expression, NodePattern, PathPattern, RelationshipPattern } from '../syntax/ast.ts';

export interface NodeElement {
  readonly name: string;
  readonly slot: number;
  /** It has a value before the match begins. */
  readonly isGiven: boolean;
  /** Each of the lists holds; within one, any. */
  labels: (readonly string[])[];
}

export interface RelationshipElement {
  readonly name: string;
  readonly slot: number;
  readonly isGiven: boolean;
  /** Its value is asked for: by its name, or in a path. */
  isWanted: boolean;
  readonly from: NodeElement;
  readonly to: NodeElement;
  readonly pattern: RelationshipPattern;
  readonly shortest?: 'one' | 'all';
}

export interface PathElement {
  readonly slot: number;
  readonly name: string;
  readonly nodes: readonly NodeElement[];
  readonly relationships: readonly RelationshipElement[];
}

export interface Condition {
  readonly expression: Expression;
  /** Names of elements that it reads, and that the match has to find first. */
  readonly needs: ReadonlySet<string>;
}

export interface Elements {
  readonly nodes: readonly NodeElement[];
  readonly relationships: readonly RelationshipElement[];
  readonly paths: readonly PathElement[];
  readonly conditions: readonly Condition[];
  /** What is known within the match and after it. */
  readonly scope: Scope;
  /** Slots that get values. */
  readonly made: readonly number[];
}

/** @throws CypherError for names that are used as two things */
export function elementsOf(
  patterns: readonly PathPattern[],
  where: Expression | undefined,
  outer: Scope,
): Elements {
  return new ElementReader(outer).read(patterns, where);
}

class ElementReader {
  readonly #outer: Scope;
  #scope: Scope;
  readonly #nodes = new Map<string, NodeElement>();
  readonly #relationships: RelationshipElement[] = [];
  readonly #paths: PathElement[] = [];
  readonly #expressions: Expression[] = [];
  readonly #made: number[] = [];

  constructor(outer: Scope) {
    this.#outer = outer;
    this.#scope = outer;
  }

  read(patterns: readonly PathPattern[], where: Expression | undefined): Elements {
    for (const pattern of patterns) this.#path(pattern);
    if (where !== undefined) this.#expressions.push(...conjuncts(where));
    const made = new Set([
      ...this.#nodes.keys(),
      ...this.#relationships.map(({ name }) => name),
      ...this.#paths.map(({ name }) => name),
    ]);
    for (const name of [...made]) if (this.#outer.find(name) !== undefined) made.delete(name);
    const conditions = this.#expressions.map((expression) => ({
      expression,
      needs: new Set([...namesIn(expression)].filter((name) => made.has(name))),
    }));
    return {
      nodes: [...this.#nodes.values()],
      relationships: this.#relationships,
      paths: this.#paths,
      conditions,
      scope: this.#scope,
      made: this.#made,
    };
  }

  #declare(name: string, type: VariableType): Variable {
    const { scope, variable } = this.#scope.with(name, type);
    this.#scope = scope;
    this.#made.push(variable.slot);
    return variable;
  }

  #path(pattern: PathPattern): void {
    if (pattern.variable !== undefined && this.#scope.find(pattern.variable) !== undefined)
      throw new CypherError('meaning', `the variable \`${pattern.variable}\` is already defined`, pattern.at);
    const nodes = pattern.nodes.map((node) => this.#node(node));
    const relationships = pattern.relationships.map((relationship, at) =>
      this.#relationship(relationship, nodes[at], nodes[at + 1], pattern),
    );
    if (pattern.variable === undefined) return;
    if (this.#scope.find(pattern.variable) !== undefined)
      throw new CypherError('meaning', `the variable \`${pattern.variable}\` is already defined`, pattern.at);
    const { slot } = this.#declare(pattern.variable, 'path');
    this.#paths.push({ slot, name: pattern.variable, nodes, relationships });
  }

  #node(pattern: NodePattern): NodeElement {
    // A name that no query can have.
    const name = pattern.variable ?? ` ${pattern.at}`;
    let element = this.#nodes.get(name);
    if (element === undefined) {
      const known = this.#scope.find(name);
      if (known !== undefined && known.type !== 'node' && known.type !== 'value')
        throw new CypherError('meaning', `the variable \`${name}\` is no node`, pattern.at);
      const { slot } = known ?? this.#declare(name, 'node');
      element = { name, slot, isGiven: known !== undefined, labels: [] };
      this.#nodes.set(name, element);
    }
    element.labels.push(...pattern.labels);
    this.#inline(name, pattern);
    return element;
  }

  #relationship(
    pattern: RelationshipPattern,
    left: NodeElement,
    right: NodeElement,
    { shortest, variable: path }: PathPattern,
  ): RelationshipElement {
    const name = pattern.variable ?? ` ${pattern.at}`;
    const isVariable = pattern.length !== undefined || shortest !== undefined;
    const known = this.#scope.find(name);
    if (known !== undefined) this.#expectRelationship(name, known, isVariable, pattern.at);
    const { slot } = known ?? this.#declare(name, isVariable ? 'relationships' : 'relationship');
    const [from, to] = pattern.direction === 'left' ? [right, left] : [left, right];
    const element: RelationshipElement = {
      ...{ name, slot, from, to, pattern },
      isGiven: known !== undefined,
      isWanted: pattern.variable !== undefined || path !== undefined,
      ...(shortest !== undefined && { shortest }),
    };
    this.#relationships.push(element);
    if (!isVariable) this.#inline(name, pattern);
    else if (pattern.where !== undefined)
      throw new CypherError(
        'refused',
        'a condition inside of a relationship of variable length is not supported',
        pattern.at,
      );
    return element;
  }

  #expectRelationship(name: string, known: Variable, isVariable: boolean, at: number): void {
    if (this.#relationships.some((other) => other.name === name))
      throw new CypherError('meaning', `the relationship \`${name}\` stands twice in one MATCH`, at);
    const wanted = isVariable ? ['relationships', 'list'] : ['relationship'];
    const fits = known.type === 'value' || wanted.includes(known.type);
    if (!fits) throw new CypherError('meaning', `the variable \`${name}\` is no relationship`, at);
    if (this.#outer.find(name) === undefined)
      throw new CypherError('meaning', `the variable \`${name}\` is already defined`, at);
  }

  /** Properties and conditions inside of a pattern. */
  #inline(name: string, { properties, where, at }: NodePattern | RelationshipPattern): void {
    const variable: Expression = { type: 'variable', at, name };
    if (properties?.type === 'map') {
      for (const [key, value] of properties.entries)
        this.#expressions.push({
          ...{ type: 'binary', at, operator: '=' },
          left: { type: 'property', at, of: variable, key },
          right: value,
        });
    } else if (properties !== undefined) {
      this.#expressions.push({
        type: 'call',
        at,
        name: ' fits',
        distinct: false,
        args: [variable, properties],
      });
    }
    if (where !== undefined) this.#expressions.push(...conjuncts(where));
  }
}

/** The parts of `a AND b AND c`. */
export function conjuncts(expression: Expression): Expression[] {
  if (expression.type !== 'binary' || expression.operator !== 'AND') return [expression];
  return [...conjuncts(expression.left), ...conjuncts(expression.right)];
}

/** Names that stand anywhere in it, also those of its own. */
export function namesIn(part: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(part)) for (const item of part) namesIn(item, names);
  else if (typeof part === 'object' && part !== null) {
    const { type, name, variable } = part as { type?: string; name?: unknown; variable?: unknown };
    if (type === 'variable' && typeof name === 'string') names.add(name);
    if (typeof variable === 'string') names.add(variable);
    for (const value of Object.values(part)) if (typeof value === 'object') namesIn(value, names);
  }
  return names;
}
