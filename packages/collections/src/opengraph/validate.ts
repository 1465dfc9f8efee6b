/**
 * Validates OpenGraph nodes and edges, and reports the position of each violation in the object. Rules:
 * `docs/reference/collections.md#opengraph-nodes` and `docs/reference/collections.md#opengraph-edges`.
 */
import { nodeKindByName, type PropertyValue } from '@clew/model';

export type Item = Readonly<Record<string, unknown>>;

/** A violation: its position in the object (`properties.tags`), and the error. */
export interface Violation {
  readonly path: string;
  readonly problem: string;
}

const RESERVED_KIND = /^[Tt][Aa][Gg](?:_|$)/;
const EDGE_KIND = /^[A-Za-z0-9_]+$/;
/** Built-in kinds do not count: an exported node has them in addition to up to three from its sources. */
const MAX_NODE_KINDS = 3;

export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param sourceKind kind that the payload adds to every node; without it, a node needs its own kind */
export function validateNode(node: Item, sourceKind: string | undefined): Violation[] {
  const violations: Violation[] = [];
  if (!isText(node.id)) violations.push({ path: 'id', problem: 'must be a text that is not empty' });
  validateKinds(node.kinds, sourceKind, violations);
  validateProperties(node.properties, violations);
  return violations;
}

export function validateEdge(edge: Item): Violation[] {
  const violations: Violation[] = [];
  const { kind } = edge;
  if (typeof kind !== 'string' || !EDGE_KIND.test(kind)) {
    violations.push({ path: 'kind', problem: 'must be a text of letters, digits and underscores' });
  } else if (RESERVED_KIND.test(kind)) {
    violations.push({ path: 'kind', problem: 'must not begin with Tag_, which is reserved' });
  }
  validateEndpoint('start', edge.start, violations);
  validateEndpoint('end', edge.end, violations);
  validateProperties(edge.properties, violations);
  return violations;
}

function validateKinds(kinds: unknown, sourceKind: string | undefined, violations: Violation[]): void {
  if (!Array.isArray(kinds)) {
    violations.push({ path: 'kinds', problem: 'must be a list of texts' });
    return;
  }
  const own = kinds.filter((kind) => !isText(kind) || nodeKindByName(kind) === undefined);
  if (own.length > MAX_NODE_KINDS) {
    violations.push({
      path: 'kinds',
      problem: `must not have more than ${MAX_NODE_KINDS} entries that are not built in`,
    });
  }
  if (kinds.length === 0 && sourceKind === undefined) {
    violations.push({ path: 'kinds', problem: 'must have at least one kind when there is no source kind' });
  }
  kinds.forEach((kind, index) => {
    if (!isText(kind)) violations.push({ path: `kinds[${index}]`, problem: 'must be a text' });
    else if (RESERVED_KIND.test(kind)) {
      violations.push({ path: `kinds[${index}]`, problem: 'must not begin with Tag_, which is reserved' });
    }
  });
}

function validateProperties(properties: unknown, violations: Violation[]): void {
  if (properties === undefined || properties === null) return;
  if (!isItem(properties)) {
    violations.push({ path: 'properties', problem: 'must be an object' });
    return;
  }
  for (const [key, value] of Object.entries(properties)) {
    if (isPropertyValue(value)) continue;
    violations.push({
      path: `properties.${key.slice(0, 64)}`,
      problem: 'must be a text, a number, a boolean, or a list of one of these',
    });
  }
}

function validateEndpoint(name: string, endpoint: unknown, violations: Violation[]): void {
  if (!isItem(endpoint)) {
    violations.push({ path: name, problem: 'must be an object' });
    return;
  }
  const matchBy = endpoint.match_by ?? 'id';
  if (matchBy !== 'id' && matchBy !== 'name' && matchBy !== 'property') {
    violations.push({ path: `${name}.match_by`, problem: 'must be id, name or property' });
    return;
  }
  if (endpoint.kind !== undefined && !isText(endpoint.kind)) {
    violations.push({ path: `${name}.kind`, problem: 'must be a text' });
  }
  if (matchBy === 'property') {
    if (endpoint.value !== undefined) {
      violations.push({ path: `${name}.value`, problem: 'is not allowed with match_by property' });
    }
    validateMatchers(`${name}.property_matchers`, endpoint.property_matchers, violations);
    return;
  }
  if (!isText(endpoint.value)) {
    violations.push({ path: `${name}.value`, problem: 'must be a text that is not empty' });
  }
  if (endpoint.property_matchers !== undefined) {
    violations.push({ path: `${name}.property_matchers`, problem: 'needs match_by property' });
  }
}

function validateMatchers(path: string, matchers: unknown, violations: Violation[]): void {
  if (!Array.isArray(matchers) || matchers.length === 0) {
    violations.push({ path, problem: 'must be a list with at least one matcher' });
    return;
  }
  matchers.forEach((matcher, index) => {
    const at = `${path}[${index}]`;
    if (!isItem(matcher)) {
      violations.push({ path: at, problem: 'must be an object' });
      return;
    }
    if (!isText(matcher.key)) violations.push({ path: `${at}.key`, problem: 'must be a text' });
    if (matcher.operator !== 'equals') violations.push({ path: `${at}.operator`, problem: 'must be equals' });
    if (!isScalar(matcher.value)) {
      violations.push({ path: `${at}.value`, problem: 'must be a text, a number or a boolean' });
    }
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function isPropertyValue(value: unknown): value is PropertyValue {
  if (!Array.isArray(value)) return isScalar(value);
  const typeOf = (entry: unknown): string => (typeof entry === 'bigint' ? 'number' : typeof entry);
  return value.every((entry) => isScalar(entry) && typeOf(entry) === typeOf(value[0]));
}
