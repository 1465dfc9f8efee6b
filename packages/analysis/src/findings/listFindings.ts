/** List findings: objects with a risky setting, and objects that could not be judged because data is missing. */
import { CanceledError, type NodeProperties, type NodeSet } from '@clew/graph';
import type { Platform } from '@clew/model';
import { environments, NO_ENVIRONMENT } from './environments.ts';
import type { FindingList } from './findingColumns.ts';
import type { FactsRead, FindingFacts } from './findingFacts.ts';
import { HYGIENE_ZONE } from './relationshipFindings.ts';
import { findingTypesOf, type ListFindingType } from './types/index.ts';
import type { ZoneRanks } from './zoneRanks.ts';

/** Nothing can be said about a type in an environment. */
export interface CoverageGap {
  readonly finding: string;
  /** Node of the environment. */
  readonly environment: number;
  /** Properties of which one at least would be needed. */
  readonly missing: readonly string[];
}

export interface ListOutcome {
  readonly gaps: readonly CoverageGap[];
  /** Types whose condition broke: findings of an earlier run should be kept. */
  readonly failed: ReadonlyMap<string, unknown>;
  /** Objects left out because they belong to no environment. */
  readonly homeless: number;
}

/** Types whose findings are known from facts that are the same for them: they are passed over. */
export interface ListedBefore {
  has(type: ListFindingType): boolean;
  set(type: ListFindingType, read: FactsRead): void;
}

export function findListed(
  facts: FindingFacts,
  ranks: ZoneRanks,
  findings: FindingList,
  before?: ListedBefore,
): ListOutcome {
  const coverage = new Coverage(facts);
  const { of, nodes } = facts.context.use(environments);
  const failed = new Map<string, unknown>();
  const gaps: CoverageGap[] = [];
  let homeless = 0;
  for (const [type, traits] of findingTypesOf(facts.context.graph).entries()) {
    if (traits.kind !== 'list') continue;
    facts.context.throwIfCanceled();
    const zone = traits.scope === 'hygiene' ? HYGIENE_ZONE : tierZeroZone(ranks);
    if (zone === undefined) continue;
    if (before?.has(traits) === true) continue;
    const uncovered = coverage.gapsOf(traits);
    gaps.push(...uncovered);
    const unknown = new Set(uncovered.map(({ environment }) => environment));
    const judged = judge(facts, traits, failed, before);
    judged?.forEach((target) => {
      const places = traits.repairedAt?.(facts.readingFor(traits), target) ?? [target];
      for (const environment of new Set(places.map((node) => of[node]))) {
        if (environment === NO_ENVIRONMENT) homeless++;
        else if (!unknown.has(nodes[environment])) findings.add({ type, zone, target, environment });
      }
    });
  }
  return { gaps, failed, homeless };
}

function tierZeroZone({ tierZero }: ZoneRanks): number | undefined {
  return tierZero?.analyzed === true ? tierZero.id : undefined;
}

function judge(
  facts: FindingFacts,
  type: ListFindingType,
  failed: Map<string, unknown>,
  before: ListedBefore | undefined,
): NodeSet | undefined {
  try {
    const own = facts.readingFor(type);
    own.forgetRead();
    const found = type.find(own);
    // The objects of a check are found in one graph, and looked up in any other.
    if (type.check === undefined) before?.set(type, own.read);
    return found;
  } catch (error) {
    if (error instanceof CanceledError) throw error;
    failed.set(type.id, error);
    return undefined;
  }
}

const KIND_OF_PLATFORM = { ad: 'Domain', azure: 'AZTenant' } as const;

/** Keyed by properties, which belong to one graph, and to its variants with other edges: nodes stay in their environments. */
const SEEN = new WeakMap<NodeProperties, Map<string, ReadonlySet<number>>>();

/** Which properties were seen on any object of an environment. */
class Coverage {
  readonly #facts: FindingFacts;

  constructor(facts: FindingFacts) {
    this.#facts = facts;
  }

  gapsOf({ id, needs, seenBy, platform }: ListFindingType): CoverageGap[] {
    const keys = seenBy === undefined ? needs : [...needs, seenBy];
    if (keys.length === 0) return [];
    const environmentNodes = this.#facts.of(KIND_OF_PLATFORM[platform as Platform]);
    return [...environmentNodes]
      .filter((environment) => !keys.some((key) => this.#environmentsWith(key).has(environment)))
      .map((environment) => ({ finding: id, environment, missing: needs }));
  }

  #environmentsWith(key: string): ReadonlySet<number> {
    const { origin } = this.#facts.context;
    const isSame = origin?.isSame({ nodeProperties: [key] }) === true;
    const properties = isSame ? origin.context.properties : this.#facts.context.properties;
    const known = SEEN.get(properties) ?? new Map<string, ReadonlySet<number>>();
    SEEN.set(properties, known);
    let seen = known.get(key);
    if (seen === undefined) {
      const found = this.#facts.environmentsOf(properties.nodesWith(key));
      known.set(key, found);
      seen = found;
    }
    return seen;
  }
}
