/** Values as the scenarios of openCypher write them, in one form for equal values. */
import type { PropertyGraph } from '../src/graph/propertyGraph.ts';
import { digitsOf } from '../src/values/operators.ts';
import { TemporalValue } from '../src/values/temporal/temporalValue.ts';
import type { Value, ValueMap } from '../src/values/values.ts';
import { isList, isMap, NodeValue, numberOf, PathValue, RelationshipValue } from '../src/values/values.ts';

/** @param anyOrder lists are equal whatever the order of their items */
export function shownValue(value: Value, graph: PropertyGraph, anyOrder = false): string {
  const shown = (inner: Value): string => shownValue(inner, graph, anyOrder);
  const map = (properties: ValueMap): string =>
    `{${Object.keys(properties)
      .sort()
      .map((key) => `${key}: ${shown(properties[key])}`)
      .join(', ')}}`;
  const inside = (properties: ValueMap): string =>
    Object.keys(properties).length === 0 ? '' : ` ${map(properties)}`;
  const node = (number: number): string => {
    const labels = graph
      .labelsOf(number)
      .toSorted()
      .map((label) => `:${label}`)
      .join('');
    return `(${(labels + inside(graph.nodeProperties(number))).trim()})`;
  };
  const edge = (number: number): string =>
    `[:${graph.typeName(graph.out.kinds[number])}${inside(graph.edgeProperties(number))}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (numberOf(value) !== undefined) return digitsOf(value).replace(/^-0(?:\.0)?$/, (text) => text.slice(1));
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof NodeValue) return node(value.node);
  if (value instanceof RelationshipValue) return edge(value.edge);
  if (value instanceof PathValue) {
    const steps = value.edges.map((number, at) => {
      const isForward = graph.startOf(number) === value.nodes[at];
      return `${isForward ? '-' : '<-'}${edge(number)}${isForward ? '->' : '-'}${node(value.nodes[at + 1])}`;
    });
    return `<${node(value.nodes[0])}${steps.join('')}>`;
  }
  if (isList(value)) {
    const items = value.map(shown);
    return `[${(anyOrder ? items.sort() : items).join(', ')}]`;
  }
  if (value instanceof TemporalValue) return `'${value}'`;
  return isMap(value) ? map(value) : '?';
}

/** @returns the value of a cell of a scenario, in the same form */
export function normalizedCell(text: string, anyOrder = false): string {
  let at = 0;
  const space = (): void => {
    while (/\s/.test(text[at] ?? '')) at++;
  };
  const value = (): string => {
    space();
    const character = text[at];
    if (character === "'") return quoted();
    if (character === '(') return node();
    if (character === '{') return map();
    if (character === '<') return path();
    if (character === '[') return text[at + 1] === ':' ? edge() : list();
    const word = /^[^,\]})\s]+/.exec(text.slice(at))?.[0] ?? '';
    at += word.length;
    const isFloat = /^-?(?:\d+\.\d*|\.\d+|\d+(?:\.\d+)?[eE][+-]?\d+)$/.test(word);
    if (!isFloat) return word;
    const number = digitsOf(Number(word));
    return /[.e]/.test(number) ? number.replace(/^-0\.0$/, '0.0') : `${number}.0`;
  };
  const quoted = (): string => {
    let content = '';
    for (at++; text[at] !== "'"; at++) {
      if (text[at] === '\\' && (text[at + 1] === "'" || text[at + 1] === '\\')) at++;
      content += text[at];
    }
    at++;
    return `'${content}'`;
  };
  const list = (): string => {
    const items: string[] = [];
    at++;
    for (space(); text[at] !== ']'; space()) {
      items.push(value());
      space();
      if (text[at] === ',') at++;
    }
    at++;
    return `[${(anyOrder ? items.sort() : items).join(', ')}]`;
  };
  const map = (): string => {
    const entries: [string, string][] = [];
    at++;
    for (space(); text[at] !== '}'; space()) {
      const key = /^[^:]+/.exec(text.slice(at))?.[0] as string;
      at += key.length + 1;
      entries.push([key.trim(), value()]);
      space();
      if (text[at] === ',') at++;
    }
    at++;
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, content]) => `${key}: ${content}`).join(', ')}}`;
  };
  const inside = (close: string): { readonly labels: string; readonly properties: string } => {
    const labels = /^(?:\s*:[^\s:{)\]]+)*/.exec(text.slice(at))?.[0] as string;
    at += labels.length;
    space();
    const properties = text[at] === '{' ? ` ${map()}` : '';
    space();
    if (text[at] !== close) throw new Error(`cannot read ${text}`);
    at++;
    return { labels: labels.replaceAll(/\s/g, ''), properties };
  };
  const node = (): string => {
    at++;
    const { labels, properties } = inside(')');
    const sorted = labels
      .split(':')
      .filter(Boolean)
      .sort()
      .map((label) => `:${label}`)
      .join('');
    return `(${(sorted + properties).trim()})`;
  };
  const edge = (): string => {
    at++;
    const { labels, properties } = inside(']');
    return `[${labels}${properties}]`;
  };
  const path = (): string => {
    at++;
    let made = node();
    for (space(); text[at] !== '>'; space()) {
      const isBack = text[at] === '<';
      at += isBack ? 2 : 1;
      made += `${isBack ? '<-' : '-'}${edge()}`;
      at += isBack ? 1 : 2;
      made += `${isBack ? '-' : '->'}${node()}`;
    }
    at++;
    return `<${made}>`;
  };
  return value();
}
