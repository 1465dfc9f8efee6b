/** List findings: objects with a risky setting, and objects that could not be judged because data is missing. */
import { CanceledError, type NodeProperties, type NodeSet } from '@clew/graph';
import { DOMAIN_FIELDS, isLeftOut, type Platform } from '@clew/model';
import { environments, NO_ENVIRONMENT } from './environments.ts';
import type { FindingList } from './findingColumns.ts';
import type { FactsRead, FindingFacts } from './findingFacts.ts';
import { HYGIENE_ZONE } from './relationshipFindings.ts';
import { findingTypesOf, type ListFindingType } from './types/index.ts';
import type { ZoneRanks } from './zoneRanks.ts';

/** Nothing, or less than elsewhere, can be said about a type in an environment. */
export interface CoverageGap {
  readonly finding: string;
  /** Node of the environment. */
  readonly environment: number;
  /** Needed properties that no object of the environment has. */
  readonly missing: readonly string[];
  /** None of the needed ones was seen: what was found there is no finding. */
  readonly isWhole: boolean;
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
    const unknown = new Set(uncovered.flatMap(({ environment, isWhole }) => (isWhole ? [environment] : [])));
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
  readonly #environments: NodeSet;

  constructor(facts: FindingFacts) {
    this.#facts = facts;
    this.#environments = facts.of('Domain').or(facts.of('AZTenant'));
  }

  /**
   * Where the absence of needed properties is an answer, a property shows that the collector looked; those that the collector does not
   * write are a gap all the same.
   */
  gapsOf({ id, needs, seenBy, platform }: ListFindingType): CoverageGap[] {
    if (needs.length === 0) return [];
    return [...this.#facts.of(KIND_OF_PLATFORM[platform as Platform])].flatMap((environment) => {
      const isSeen = (key: string): boolean => this.#environmentsWith(key).has(environment);
      const unseen = needs.filter((key) => !isSeen(key));
      if (unseen.length === 0) return [];
      const wasLookedFor = seenBy !== undefined && isSeen(seenBy);
      const missing = wasLookedFor ? unseen.filter((key) => isLeftOut(key, isSeen)) : unseen;
      const isWhole = unseen.length === needs.length && !wasLookedFor;
      return missing.length === 0 ? [] : [{ finding: id, environment, missing, isWhole }];
    });
  }

  #environmentsWith(key: string): ReadonlySet<number> {
    const { origin } = this.#facts.context;
    const isSame = origin?.isSame({ nodeProperties: [key] }) === true;
    const properties = isSame ? origin.context.properties : this.#facts.context.properties;
    const known = SEEN.get(properties) ?? new Map<string, ReadonlySet<number>>();
    SEEN.set(properties, known);
    let seen = known.get(key);
    if (seen === undefined) {
      const nodes = properties.nodesWith(key);
      const found = this.#facts.environmentsOf(
        DOMAIN_FIELDS.has(key) ? nodes : nodes.andNot(this.#environments),
      );
      known.set(key, found);
      seen = found;
    }
    return seen;
  }
}
