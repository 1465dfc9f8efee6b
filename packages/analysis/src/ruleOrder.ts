/**
 * The order of rules and the facts they need, both computed from the declarations of the rules. A rule runs after every rule that produces
 * a kind it reads; otherwise in table order.
 */
import { EdgeKind, type EdgeKindName } from '@clew/model';
import type { Reads } from './analysisContext.ts';
import type { Rule } from './rule.ts';

/** Names that a rule or shared structure reads, including those of shared structures that it uses. */
export interface AllReads {
  readonly edges: ReadonlySet<EdgeKindName>;
  readonly nodeProperties: ReadonlySet<string>;
  /** Keys by edge kind. */
  readonly edgeProperties: ReadonlyMap<EdgeKindName, ReadonlySet<string>>;
}

/** Memo keyed by declaration, which never changes. */
const KNOWN = new WeakMap<Reads, AllReads>();

export function allReads(...reads: readonly Reads[]): AllReads {
  const [only, ...others] = reads;
  if (only === undefined || others.length > 0) return collectReads(reads);
  const known = KNOWN.get(only) ?? collectReads(reads);
  KNOWN.set(only, known);
  return known;
}

function collectReads(reads: readonly Reads[]): AllReads {
  const edges = new Set<EdgeKindName>();
  const nodeProperties = new Set<string>();
  const edgeProperties = new Map<EdgeKindName, Set<string>>();
  const pending = [...reads];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const kind of next.edges ?? []) edges.add(kind);
    for (const key of next.nodeProperties ?? []) nodeProperties.add(key);
    for (const [kind, keys] of Object.entries(next.edgeProperties ?? {}) as [EdgeKindName, string[]][]) {
      edgeProperties.set(kind, new Set([...(edgeProperties.get(kind) ?? []), ...keys]));
    }
    for (const shared of next.shared ?? []) pending.push(shared.reads);
  }
  return { edges, nodeProperties, edgeProperties };
}

/**
 * @returns the rules in dependency order
 * @throws Error if two rules produce the same kind, or rules depend on each other cyclically
 */
export function orderRules(rules: readonly Rule[]): Rule[] {
  const producers = new Map<EdgeKindName, Rule>();
  for (const rule of rules) {
    for (const kind of rule.produces) {
      const other = producers.get(kind);
      if (other !== undefined) throw new Error(`${kind} is produced by ${other.name} and by ${rule.name}`);
      producers.set(kind, rule);
    }
  }
  const ordered: Rule[] = [];
  const state = new Map<Rule, 'open' | 'done'>();
  const place = (rule: Rule): void => {
    if (state.get(rule) === 'done') return;
    if (state.get(rule) === 'open')
      throw new Error(`the rule ${rule.name} reads edges that depend on its own`);
    state.set(rule, 'open');
    for (const needed of rulesBefore(rule, producers)) place(needed);
    state.set(rule, 'done');
    ordered.push(rule);
  };
  for (const rule of rules) place(rule);
  return ordered;
}

/** @returns the rules that produce a kind that `rule` reads, ordered by kind name */
export function rulesBefore(rule: Rule, producers: ReadonlyMap<EdgeKindName, Rule>): Rule[] {
  const needed = [...allReads(rule.reads).edges].sort().map((kind) => producers.get(kind));
  return [...new Set(needed)].filter((other) => other !== undefined && other !== rule) as Rule[];
}

/** Edge properties to load: these keys, and only on edges of these kinds. */
export interface EdgePropertyReads {
  /** Ascending. */
  readonly keys: readonly string[];
  readonly kinds: ReadonlySet<number>;
}

export function edgePropertyReads(...reads: readonly Reads[]): EdgePropertyReads {
  const { edgeProperties } = allReads(...reads);
  const keys = new Set([...edgeProperties.values()].flatMap((some) => [...some]));
  return {
    keys: [...keys].sort(),
    kinds: new Set([...edgeProperties.keys()].map((kind) => EdgeKind[kind])),
  };
}
