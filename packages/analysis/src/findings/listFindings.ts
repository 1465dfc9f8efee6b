/** List findings: objects with a risky setting, and objects that could not be assessed because data is missing. */
import { CanceledError, type NodeProperties, type NodeSet } from '@clew/graph';
import { DOMAIN_FIELDS, isLeftOut, type Platform } from '@clew/model';
import { environments, NO_ENVIRONMENT } from './environments.ts';
import type { FindingList } from './findingColumns.ts';
import type { FactsRead, FindingFacts } from './findingFacts.ts';
import { HYGIENE_ZONE } from './relationshipFindings.ts';
import { findingTypesOf, type ListFindingType } from './types/index.ts';
import type { ZoneRanks } from './zoneRanks.ts';

/** In this environment a type cannot be assessed, or only in part. */
export interface CoverageGap {
  readonly finding: string;
  /** Node of the environment. */
  readonly environment: number;
  /** Required properties that no object of the environment has. */
  readonly missing: readonly string[];
  /** Whether all required properties are missing, so that results there are discarded. */
  readonly isWhole: boolean;
}

export interface ListOutcome {
  readonly gaps: readonly CoverageGap[];
  /** Types whose condition failed: findings of an earlier run should be kept. */
  readonly failed: ReadonlyMap<string, unknown>;
  /** Number of objects skipped because they belong to no environment. */
  readonly homeless: number;
}

/** Types whose findings are already known from unchanged facts, and are skipped. */
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
    // The objects of a check are stored with one graph and are found by id in all others.
    if (type.check === undefined) before?.set(type, own.read);
    return found;
  } catch (error) {
    if (error instanceof CanceledError) throw error;
    failed.set(type.id, error);
    return undefined;
  }
}

const KIND_OF_PLATFORM = { ad: 'Domain', azure: 'AZTenant' } as const;

/** Keyed by properties, which a graph shares with its variants with other edges: environments of nodes do not differ. */
const SEEN = new WeakMap<NodeProperties, Map<string, ReadonlySet<number>>>();

/** Tracks which properties occur on any object of an environment. */
class Coverage {
  readonly #facts: FindingFacts;
  readonly #environments: NodeSet;

  constructor(facts: FindingFacts) {
    this.#facts = facts;
    this.#environments = facts.of('Domain').or(facts.of('AZTenant'));
  }

  /**
   * If the absence of required properties is meaningful, a marker property shows that the collector read them; properties that the
   * collector never writes are a gap regardless.
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
