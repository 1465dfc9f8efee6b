/** The patterns of one MATCH as lists of nodes and relationships without repetitions, with the conditions on them. */
import type { Scope, Variable, VariableType } from '../bind/scope.ts';
import { CypherError } from '../cypherError.ts';
import type { Expression, MatchPart, NodePattern, PathPattern, RelationshipPattern } from '../syntax/ast.ts';
import { anyOf, labelCondition } from '../syntax/labelExpression.ts';
import { unnamed } from '../syntax/patternParser.ts';
import { conjuncts, isDeterministic, namesIn } from './expressionReads.ts';
import { labelsIn, typesIn, typesOfBoth, withListOfAlternatives } from './plainForms.ts';

export interface NodeElement {
  /** Offset of its first pattern. */
  readonly at: number;
  readonly name: string;
  readonly slot: number;
  /** Whether it has a value before the match starts. */
  readonly isGiven: boolean;
  /** A conjunction of alternatives: the node needs a label from each list. */
  labels: (readonly string[])[];
}

export interface RelationshipElement {
  readonly name: string;
  readonly slot: number;
  readonly isGiven: boolean;
  /** Whether its value is needed, by name or in a path. */
  isWanted: boolean;
  readonly from: NodeElement;
  readonly to: NodeElement;
  pattern: RelationshipPattern;
  readonly shortest?: PathPattern['shortest'];
  /** Number of its MATCH, within which relationships must differ. */
  readonly part: number;
}

export interface PathElement {
  readonly slot: number;
  readonly name: string;
  readonly nodes: readonly NodeElement[];
  readonly relationships: readonly RelationshipElement[];
  /** Marks a value that is a list of the path's nodes instead of a path: all but the last, or all but the first. */
  readonly list?: 'starts' | 'ends';
}

export interface Condition {
  readonly expression: Expression;
  /** Names of elements that it reads, which the match must find first. */
  readonly needs: ReadonlySet<string>;
  /** Whether it reads nothing that was defined before the match. */
  readonly isFixed: boolean;
  /** Number of its MATCH. */
  readonly part: number;
}

export interface Elements {
  readonly nodes: readonly NodeElement[];
  readonly relationships: readonly RelationshipElement[];
  readonly paths: readonly PathElement[];
  readonly conditions: readonly Condition[];
  /** Names defined within the match and after it. */
  readonly scope: Scope;
  /** Slots that the match assigns. */
  readonly made: readonly number[];
}

/** @throws CypherError for names that are used for two different things */
export function elementsOf(parts: readonly MatchPart[], outer: Scope): Elements {
  return new ElementReader(outer).read(parts);
}

class ElementReader {
  readonly #outer: Scope;
  readonly #declared = new Map<string, Variable>();
  readonly #nodes = new Map<string, NodeElement>();
  readonly #relationships: RelationshipElement[] = [];
  readonly #paths: PathElement[] = [];
  readonly #expressions: { readonly expression: Expression; readonly part: number }[] = [];
  readonly #made: number[] = [];
  #part = 0;

  constructor(outer: Scope) {
    this.#outer = outer;
  }

  read(parts: readonly MatchPart[]): Elements {
    for (const [part, { patterns, where }] of parts.entries()) {
      this.#part = part;
      for (const pattern of patterns) this.#path(pattern);
      if (where !== undefined) this.#condition(...conjuncts(where));
    }
    const made = new Set([
      ...this.#nodes.keys(),
      ...this.#relationships.map(({ name }) => name),
      ...this.#paths.map(({ name }) => name),
    ]);
    for (const name of [...made]) if (this.#outer.find(name) !== undefined) made.delete(name);
    const open = this.#expressions.filter(({ expression }) => !this.#isOfPattern(expression));
    const conditions = open.map(({ expression, part }) => {
      const names = [...namesIn(expression)];
      return {
        ...{ expression, part },
        needs: new Set(names.filter((name) => made.has(name))),
        isFixed: !names.some((name) => this.#outer.find(name) !== undefined) && isDeterministic(expression),
      };
    });
    return {
      nodes: [...this.#nodes.values()],
      relationships: this.#relationships,
      paths: this.#paths,
      conditions,
      scope: this.#outer.withAll(this.#declared),
      made: this.#made,
    };
  }

  #condition(...expressions: readonly Expression[]): void {
    for (const expression of expressions)
      this.#expressions.push({ expression: withListOfAlternatives(expression), part: this.#part });
  }

  /**
   * Moves labels and types that a condition requires to the pattern. @returns whether the condition contains
   * nothing else
   */
  #isOfPattern(expression: Expression): boolean {
    const asked = labelsIn(expression);
    const node = asked && this.#nodes.get(asked.name);
    if (asked !== undefined && node !== undefined) {
      node.labels.push(asked.labels);
      return true;
    }
    const typed = typesIn(expression);
    const relationship = typed && this.#relationships.find(({ name }) => name === typed.name);
    if (typed === undefined || relationship === undefined) return false;
    const { pattern, shortest } = relationship;
    const types = typesOfBoth(pattern.types, typed.types);
    if (types === undefined || pattern.length !== undefined || shortest !== undefined) return false;
    relationship.pattern = { ...pattern, types };
    return true;
  }

  #declare(name: string, type: VariableType): Variable {
    const variable = { slot: this.#outer.frame.slot(), type };
    this.#declared.set(name, variable);
    this.#made.push(variable.slot);
    return variable;
  }

  #find(name: string): Variable | undefined {
    return this.#declared.get(name) ?? this.#outer.find(name);
  }

  #path(pattern: PathPattern): void {
    if (pattern.variable !== undefined && this.#find(pattern.variable) !== undefined)
      throw new CypherError('meaning', `the variable \`${pattern.variable}\` is already defined`, pattern.at);
    const nodes = pattern.nodes.map((node) => this.#node(node));
    const relationships = pattern.relationships.map((relationship, at) =>
      this.#relationship(relationship, nodes[at], nodes[at + 1], pattern),
    );
    if (pattern.variable === undefined) return;
    if (this.#find(pattern.variable) !== undefined)
      throw new CypherError('meaning', `the variable \`${pattern.variable}\` is already defined`, pattern.at);
    const { slot } = this.#declare(pattern.variable, 'path');
    this.#paths.push({ slot, name: pattern.variable, nodes, relationships });
  }

  #node(pattern: NodePattern): NodeElement {
    const name = pattern.variable ?? unnamed(pattern.at);
    let element = this.#nodes.get(name);
    if (element === undefined) {
      const known = this.#find(name);
      if (known !== undefined && known.type !== 'node' && known.type !== 'value')
        throw new CypherError('meaning', `the variable \`${name}\` is not a node`, pattern.at);
      const { slot } = known ?? this.#declare(name, 'node');
      element = { name, slot, at: pattern.at, isGiven: known !== undefined, labels: [] };
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
    const name = pattern.variable ?? unnamed(pattern.at);
    const isVariable = pattern.length !== undefined || shortest !== undefined;
    const known = this.#find(name);
    if (known !== undefined) this.#expectRelationship(name, known, isVariable, pattern.at);
    const { slot } = known ?? this.#declare(name, isVariable ? 'relationships' : 'relationship');
    const [from, to] = pattern.direction === 'left' ? [right, left] : [left, right];
    const element: RelationshipElement = {
      ...{ name, slot, from, to, pattern },
      part: this.#part,
      isGiven: known !== undefined,
      isWanted: pattern.variable !== undefined || path !== undefined,
      ...(shortest !== undefined && { shortest }),
    };
    this.#relationships.push(element);
    if (!isVariable) this.#inline(name, pattern);
    else if (pattern.where !== undefined) this.#ofEach(name, [name], conjuncts(pattern.where));
    if (pattern.group !== undefined) this.#group(element, left, right);
    return element;
  }

  /** Adds a repeated pattern: its nodes are lists, and its conditions apply to each repetition. */
  #group(relationship: RelationshipElement, left: NodeElement, right: NodeElement): void {
    const { group, at } = relationship.pattern;
    if (group === undefined) return;
    const { starts, ends, where } = group;
    const conditions = where === undefined ? [] : conjuncts(where);
    const names: string[] = [];
    for (const [list, pattern] of Object.entries({ starts, ends })) {
      if (pattern.properties !== undefined && pattern.properties.type !== 'map')
        throw new CypherError(
          'refused',
          'a parameter for the properties of a node within a quantified pattern is not supported',
          pattern.at,
        );
      const name = pattern.variable ?? unnamed(pattern.at);
      const own = [
        ...pattern.labels.map((any) => labelCondition(variableOf(name, at), anyOf(any))),
        ...inlineConditions(name, pattern),
      ];
      conditions.push(...own);
      if (pattern.variable === undefined && own.length === 0) continue;
      if (this.#find(name) !== undefined)
        throw new CypherError('meaning', `the variable \`${name}\` is already defined`, pattern.at);
      names.push(name);
      const { slot } = this.#declare(name, 'list');
      const nodes = [left, right];
      this.#paths.push({ slot, name, nodes, relationships: [relationship], list: list as 'starts' | 'ends' });
    }
    if (relationship.shortest !== undefined && conditions.length > 0)
      throw new CypherError(
        'refused',
        'conditions on nodes within a shortest path are not supported: use all(n IN nodes(p) WHERE ...)',
        at,
      );
    this.#ofEach(relationship.name, [...names, relationship.name], conditions);
  }

  /** @param lists names of the lists; inside the conditions, each name refers to one item */
  #ofEach(relationship: string, lists: readonly string[], conditions: readonly Expression[]): void {
    for (const condition of conditions) {
      const { at, span } = condition;
      const read = namesIn(condition);
      const own = lists.filter((name) => read.has(name));
      const all = (variable: string, list: Expression, where: Expression): Expression => ({
        ...{ type: 'quantifier', quantifier: 'all', at, variable, list, where },
        ...(span && { span }),
      });
      if (own.length === 1) {
        this.#condition(all(own[0], variableOf(own[0], at), condition));
        continue;
      }
      const number = variableOf(' repetition', at);
      const itemOf = (name: string): Expression => ({
        ...{ type: 'list', at },
        items: [{ type: 'index', at, of: variableOf(name, at), index: number }],
      });
      const size: Expression = callOf('size', [variableOf(relationship, at)], at);
      const last: Expression = {
        ...{ type: 'binary', at, operator: '-' },
        ...{ left: size, right: { type: 'literal', at, value: 1 } },
      };
      const within = own.reduce((inner, name) => all(name, itemOf(name), inner), condition);
      this.#condition(
        all(number.name, callOf('range', [{ type: 'literal', at, value: 0 }, last], at), within),
      );
    }
  }

  #expectRelationship(name: string, known: Variable, isVariable: boolean, at: number): void {
    if (this.#relationships.some((other) => other.name === name))
      throw new CypherError('meaning', `the relationship \`${name}\` occurs twice in one MATCH`, at);
    const wanted = isVariable ? ['relationships', 'list'] : ['relationship'];
    const fits = known.type === 'value' || wanted.includes(known.type);
    if (!fits) throw new CypherError('meaning', `the variable \`${name}\` is not a relationship`, at);
    if (this.#outer.find(name) === undefined)
      throw new CypherError('meaning', `the variable \`${name}\` is already defined`, at);
  }

  #inline(name: string, pattern: NodePattern | RelationshipPattern): void {
    this.#condition(...inlineConditions(name, pattern));
  }
}

const variableOf = (name: string, at: number): Extract<Expression, { type: 'variable' }> => ({
  ...{ type: 'variable', at, name },
});

const callOf = (name: string, args: readonly Expression[], at: number): Expression => ({
  ...{ type: 'call', at, name, distinct: false, args },
});

/** Returns properties and conditions inside a pattern. */
function inlineConditions(
  name: string,
  { properties, where, at }: NodePattern | RelationshipPattern,
): Expression[] {
  const variable = variableOf(name, at);
  const conditions: Expression[] = [];
  if (properties?.type === 'map') {
    for (const [key, value] of properties.entries)
      conditions.push({
        ...{ type: 'binary', at, operator: '=' },
        left: { type: 'property', at, of: variable, key },
        right: value,
      });
  } else if (properties !== undefined) conditions.push(callOf(' fits', [variable, properties], at));
  if (where !== undefined) conditions.push(...conjuncts(where));
  return conditions;
}
