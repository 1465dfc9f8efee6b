/** Applies the clauses that change a layer to rows. Rule: `docs/cypher.md#layers`. */
import { type NamedRow, type NamedRows, namedExpressions, runClauses } from '../compile/queryCompiler.ts';
import { CypherError } from '../cypherError.ts';
import type { RunContext } from '../run/context.ts';
import type { Expression, NodePattern, PathPattern, RelationshipPattern } from '../syntax/ast.ts';
import type { RemoveItem, SetItem, UpdatingClause } from '../syntax/updates.ts';
import { keysOf } from '../values/compare.ts';
import { propertiesOf } from '../values/functions.ts';
import type { Value, ValueMap } from '../values/values.ts';
import { isList, isMap, NodeValue, PathValue, RelationshipValue, typeName } from '../values/values.ts';
import type { LayerEditor } from './layerEditor.ts';

/** Expressions whose value may be a part of the graph. */
const MAY_BE_PART: ReadonlySet<string> = new Set([
  ...['variable', 'property', 'index', 'parameter', 'call', 'case'],
]);

type Rows = NamedRows['rows'];
type Evaluate = (row: NamedRow) => Value;

export class Updater {
  readonly editor: LayerEditor;
  readonly #context: Omit<RunContext, 'graph'>;

  constructor(editor: LayerEditor, context: Omit<RunContext, 'graph'>) {
    this.editor = editor;
    this.#context = context;
  }

  get context(): RunContext {
    return { ...this.#context, graph: this.editor.graph };
  }

  /** @returns the rows after the clause */
  apply(clause: UpdatingClause, { columns, rows }: NamedRows): NamedRows {
    const patterns =
      clause.type === 'create' ? clause.patterns : clause.type === 'merge' ? [clause.pattern] : [];
    const made = patterns.flatMap(namesIn);
    return {
      columns: [...new Set([...columns, ...made])],
      rows: this.editor.settled(this.#applied(clause, rows, columns)),
    };
  }

  #applied(clause: UpdatingClause, rows: Rows, names: readonly string[]): Rows {
    const compile = namedExpressions(names, this.context);
    switch (clause.type) {
      case 'create': {
        // A pattern can read what the ones before it made.
        const known = [...names];
        const makers = clause.patterns.map((pattern) => {
          expectDirections(pattern);
          const make = this.#maker(pattern, known, namedExpressions(known, this.context));
          known.push(...namesIn(pattern).filter((name) => !known.includes(name)));
          return make;
        });
        return rows.map((row) => makers.reduce<NamedRow>((made, make) => make(made), row));
      }
      case 'merge':
        return this.#merge(clause, rows, names);
      case 'set': {
        const setters = clause.items.map((item) => this.#setter(item, names, compile));
        for (const row of rows) {
          this.#context.budget.spend(1);
          for (const set of setters) set(row);
        }
        return rows;
      }
      case 'remove': {
        for (const row of rows) {
          this.#context.budget.spend(1);
          for (const item of clause.items) this.#remove(item, partOf(row, item));
        }
        return rows;
      }
      case 'delete': {
        for (const value of clause.values)
          if (!MAY_BE_PART.has(value.type))
            throw new CypherError('meaning', 'DELETE takes nodes, relationships and paths', value.at);
        const values = clause.values.map(compile);
        this.editor.begin();
        for (const row of rows)
          values.forEach((evaluate, place) => {
            this.editor.remove(evaluate(row), clause.values[place].at);
          });
        if (clause.isDetached) this.editor.detach();
        else this.editor.expectNoEdges(clause.at);
        return rows;
      }
      case 'foreach':
        this.#foreach(clause, rows, names, compile(clause.list));
        return rows;
    }
  }

  #foreach(
    { variable, clauses, at }: Extract<UpdatingClause, { type: 'foreach' }>,
    rows: Rows,
    names: readonly string[],
    list: Evaluate,
  ): void {
    if (names.includes(variable))
      throw new CypherError('meaning', `the variable \`${variable}\` is already defined`, at);
    let inner: Rows = rows.flatMap((row) => {
      const items = list(row);
      if (items === null) return [];
      if (!isList(items)) throw new CypherError('value', `FOREACH needs a list, not ${typeName(items)}`, at);
      this.#context.budget.hold(items.length);
      return items.map((item) => ({ ...row, [variable]: item }));
    });
    // A clause that makes relationships changes their numbers only after the last one.
    const known = [...names, variable];
    for (const clause of clauses) {
      inner = this.#applied(clause, inner, known);
      const patterns =
        clause.type === 'create' ? clause.patterns : clause.type === 'merge' ? [clause.pattern] : [];
      known.push(...patterns.flatMap(namesIn).filter((name) => !known.includes(name)));
    }
  }

  /** Makes the parts of a pattern that no variable of the row holds. */
  #maker(
    pattern: PathPattern,
    names: readonly string[],
    compile: (expression: Expression) => Evaluate,
  ): (row: NamedRow) => NamedRow {
    const isNode = pattern.relationships.length === 0;
    const isBound = ({ variable = '' }: NodePattern | RelationshipPattern): boolean =>
      names.includes(variable);
    const again =
      pattern.relationships.find(isBound) ??
      pattern.nodes.find((node) => isBound(node) && (isNode || node.labels.length > 0 || node.properties));
    if (again !== undefined)
      throw new CypherError('meaning', `the variable \`${again.variable}\` is already defined`, again.at);
    if (pattern.shortest !== undefined)
      throw new CypherError('meaning', 'CREATE makes no such path', pattern.at);
    const nodes = pattern.nodes.map((node) => ({ node, properties: this.#map(node, compile) }));
    const relationships = pattern.relationships.map((relationship) => {
      const type = onlyType(relationship);
      this.editor.expectType(type, relationship.at);
      return { relationship, type, properties: this.#map(relationship, compile) };
    });
    return (given) => {
      const row: Record<string, Value> = { ...given };
      const numbers = nodes.map(({ node, properties }) => {
        const { variable, at } = node;
        if (variable !== undefined && Object.hasOwn(row, variable)) {
          const known = row[variable];
          if (!(known instanceof NodeValue))
            throw new CypherError('value', `\`${variable}\` is ${typeName(known)}, and not a node`, at);
          return known.node;
        }
        const made = this.editor.makeNode(onlyLabels(node), properties(row), placesIn(node));
        if (variable !== undefined) row[variable] = new NodeValue(made);
        return made;
      });
      const edges = relationships.map(({ relationship, type, properties }, at) => {
        const { variable, direction } = relationship;
        const [left, right] = [numbers[at], numbers[at + 1]];
        const [start, end] = direction === 'left' ? [right, left] : [left, right];
        const edge = this.editor.makeEdge(start, type, end, properties(row), placesIn(relationship));
        if (variable !== undefined) row[variable] = new RelationshipValue(edge);
        return edge;
      });
      if (pattern.variable !== undefined) row[pattern.variable] = new PathValue(numbers, edges);
      return row;
    };
  }

  #map(
    { properties, at }: NodePattern | RelationshipPattern,
    compile: (expression: Expression) => Evaluate,
  ): (row: NamedRow) => ValueMap {
    if (properties === undefined) return () => ({});
    const evaluate = compile(properties);
    return (row) => {
      const map = evaluate(row);
      if (!isMap(map)) throw new CypherError('value', `properties are a map, not ${typeName(map)}`, at);
      return map;
    };
  }

  /** Searches for the pattern of each row, and makes those that are not there, each once. */
  #merge(
    { pattern: written, onCreate, onMatch, at }: Extract<UpdatingClause, { type: 'merge' }>,
    rows: Rows,
    given: readonly string[],
  ): Rows {
    const marker = 'clew merged row';
    // All parts have names, so that a row shows whether the pattern was found.
    const named = <Part extends NodePattern | RelationshipPattern>(part: Part, place: string): Part => ({
      ...part,
      variable: part.variable ?? `clew merged ${place}`,
    });
    const pattern: PathPattern = {
      ...written,
      nodes: written.nodes.map((node, place) => named(node, `node ${place}`)),
      relationships: written.relationships.map((one, place) => named(one, `relationship ${place}`)),
    };
    pattern.relationships.forEach(onlyType);
    if (pattern.shortest !== undefined) throw new CypherError('meaning', 'MERGE takes no such path', at);
    const parts = [...pattern.nodes, ...pattern.relationships].map(({ variable }) => variable as string);
    const isNew = parts.filter((name) => !given.includes(name));
    if (isNew.length === 0)
      throw new CypherError('meaning', 'MERGE needs a part that is not defined yet', at);
    const marked = rows.map((row, place) => ({ ...row, [marker]: place }));
    const match = { type: 'match', at, optional: true, patterns: [pattern] } as const;
    const found = runClauses([match], { columns: [...given, marker], rows: marked }, this.context).rows;
    const compile = namedExpressions(given, this.context);
    const keyOf = this.#keyOf(pattern, given, compile);
    const make = this.#maker(pattern, given, compile);
    const made = new Map<string, NamedRow>();
    const merged = found.map((row): { readonly row: NamedRow; readonly isMade: boolean } => {
      const before = rows[row[marker] as number];
      if (row[isNew[0]] !== null) return { row: { ...row }, isMade: false };
      const key = keyOf(before);
      const known = made.get(key);
      if (known !== undefined)
        return {
          row: { ...before, ...Object.fromEntries(isNew.map((name) => [name, known[name]])) },
          isMade: false,
        };
      const own = make(before);
      made.set(key, own);
      return { row: own, isMade: true };
    });
    const names = [...given, ...namesIn(pattern)];
    const settable = namedExpressions(names, this.context);
    const [created, matched] = [onCreate, onMatch].map((items) =>
      items.map((item) => this.#setter(item, names, settable)),
    );
    for (const { row, isMade } of merged) for (const set of isMade ? created : matched) set(row);
    const hidden = new Set([marker, ...parts.filter((name) => name.startsWith('clew merged '))]);
    return merged.map(({ row }) => {
      const shown = Object.entries(row).filter(([name]) => !hidden.has(name));
      const path = written.variable;
      const own = Object.fromEntries(shown);
      if (path === undefined || Object.hasOwn(own, path)) return own;
      const numbers = pattern.nodes.map(({ variable }) => (row[variable as string] as NodeValue).node);
      const edges = pattern.relationships.map(
        ({ variable }) => (row[variable as string] as RelationshipValue).edge,
      );
      return { ...own, [path]: new PathValue(numbers, edges) };
    });
  }

  /** @returns the values that two rows need in common to be merged into the same parts */
  #keyOf(
    { nodes, relationships }: PathPattern,
    given: readonly string[],
    compile: (expression: Expression) => Evaluate,
  ): (row: NamedRow) => string {
    const parts = [...nodes, ...relationships].map((part) => {
      const { variable = '' } = part;
      if (given.includes(variable)) return (row: NamedRow): Value => row[variable];
      const map = this.#map(part, compile);
      return (row: NamedRow): Value => {
        const properties = map(row);
        if (Object.values(properties).includes(null))
          throw new CypherError('value', 'MERGE does not work with a property that is null', part.at);
        return properties;
      };
    });
    const { budget } = this.#context;
    return (row) =>
      keysOf(
        parts.map((value) => value(row)),
        budget,
      );
  }

  #setter(
    item: SetItem,
    names: readonly string[],
    compile: (expression: Expression) => Evaluate,
  ): (row: NamedRow) => void {
    if (!names.includes(item.variable))
      throw new CypherError('meaning', `the variable \`${item.variable}\` is not defined`, item.at);
    if (item.type === 'labels')
      return (row) => {
        const part = partOf(row, item);
        if (part !== undefined) this.editor.label(part, item.names, true, item.at);
      };
    const evaluate = compile(item.value);
    return (row) => {
      const part = partOf(row, item);
      if (part === undefined) return;
      const value = evaluate(row);
      if (item.type === 'key') {
        this.editor.setProperty(part, item.key, value, item.value.at);
        return;
      }
      if (value === null) return;
      const properties = propertiesOf(this.context, value);
      if (properties === undefined)
        throw new CypherError(
          'value',
          `SET of all properties needs a map, a node or a relationship, not ${typeName(value)}`,
          item.value.at,
        );
      if (!item.keepsOthers) this.editor.replace(part, properties);
      const placeOf = placesOf(item.value);
      for (const [key, one] of Object.entries(properties))
        this.editor.setProperty(part, key, one, placeOf(key));
    };
  }

  #remove(item: RemoveItem, part: NodeValue | RelationshipValue | undefined): void {
    if (part === undefined) return;
    if (item.type === 'labels') this.editor.label(part, item.names, false, item.at);
    else this.editor.setProperty(part, item.key, null, item.at);
  }
}

/** @returns the offset of each value, if the query has a map of them */
const placesOf =
  (expression: Expression) =>
  (key: string): number => {
    const entries = expression.type === 'map' ? expression.entries : [];
    return (entries.findLast(([name]) => name === key)?.[1] ?? expression).at;
  };

const placesIn = ({ properties, at }: NodePattern | RelationshipPattern): ((key: string) => number) =>
  properties === undefined ? () => at : placesOf(properties);

/** The variables of a pattern. */
const namesIn = ({ variable, nodes, relationships }: PathPattern): string[] =>
  [variable, ...[...nodes, ...relationships].map((part) => part.variable)].filter(
    (name) => name !== undefined,
  );

/** @returns `undefined` for null @throws CypherError for another value */
function partOf(
  row: NamedRow,
  { variable, at }: SetItem | RemoveItem,
): NodeValue | RelationshipValue | undefined {
  if (!Object.hasOwn(row, variable))
    throw new CypherError('meaning', `the variable \`${variable}\` is not defined`, at);
  const value = row[variable];
  if (value === null) return undefined;
  if (value instanceof NodeValue || value instanceof RelationshipValue) return value;
  throw new CypherError('value', `\`${variable}\` is ${typeName(value)}, and no node or relationship`, at);
}

function onlyLabels({ labels, where, at }: NodePattern): string[] {
  if (where !== undefined || labels.some((any) => any.length !== 1))
    throw new CypherError('meaning', 'a node is made with labels, without conditions', at);
  return labels.flat();
}

/** @throws CypherError for a relationship without a direction, which only MERGE makes */
function expectDirections({ relationships }: PathPattern): void {
  const other = relationships.find(({ direction }) => direction === 'both');
  if (other !== undefined)
    throw new CypherError('meaning', 'a relationship is created with one direction', other.at);
}

function onlyType({ types, length, where, at }: RelationshipPattern): string {
  if (types.length !== 1 || length !== undefined || where !== undefined)
    throw new CypherError('meaning', 'a relationship is made with one type, and without a length', at);
  return types[0];
}
