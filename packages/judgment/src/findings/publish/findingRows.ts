/** Converts findings to rows of the store: visible values and search keys. */
import { hash } from 'node:crypto';
import {
  causeOf,
  type FindingType,
  type ForeignExposure,
  findingTypesOf,
  SEVERITY_ROWS,
} from '@clew/analysis';
import { NO_NODE, nameOf, objectIdOf } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import { type ExposureFrom, type Row, stagedTable } from '@clew/store';
import type { ShownFindings } from './changedFindings.ts';

const COLUMNS = [
  ['environment_id', 'ctext'],
  ['tag_id', 'int4'],
  ['finding', 'ctext'],
  ['source_id', 'ctext'],
  ['target_id', 'ctext'],
  ['kind', 'text'],
  ['edge_kind', 'int2', 'nullable'],
  ['is_inherited', 'bool'],
  ['source_name', 'text'],
  ['source_kind', 'text'],
  ['source_environment_id', 'text', 'nullable'],
  ['target_name', 'text'],
  ['target_kind', 'text'],
  ['target_environment_id', 'text', 'nullable'],
  ['also_from', 'textArray'],
  ['principal_hash', 'text'],
  ['exposure_count', 'int8'],
  ['exposure_percentage', 'float8'],
  ['impact_count', 'int8'],
  ['impact_percentage', 'float8'],
  ['severity', 'int2'],
  ['group_id', 'ctext'],
  ['exposure_from', 'jsonb'],
  ['rated_row', 'text'],
  ['rated_basis', 'int2'],
  ['rated_count', 'int8'],
  ['rated_of', 'int8'],
  ['rated_effort', 'int2'],
  ['part_of', 'text'],
  ['part_of_key', 'text'],
  ['parts', 'textArray'],
] as const;

export const STAGE_FINDING = stagedTable('stage_finding', COLUMNS);

/** The table of the store itself. */
export const STORE_FINDING = stagedTable('finding', [
  ['status', 'text'],
  ['created_at', 'timestamptz'],
  ['updated_at', 'timestamptz'],
  ['began_by', 'text'],
  ['changed_by', 'text'],
  ['rules_version', 'text'],
  ...COLUMNS,
]);

export class FindingWriter {
  readonly #findings: ShownFindings;
  readonly #types: readonly FindingType[];
  /** Ids of environments, by place. */
  readonly #environmentIds: readonly string[];
  readonly #environmentNames: readonly string[];

  /** The finding that represents another, keyed by represented finding. */
  readonly #partOf: ReadonlyMap<number, { readonly type: string; readonly key: string }>;

  constructor(findings: ShownFindings) {
    this.#findings = findings;
    const { found, ratings } = findings.result;
    this.#types = findingTypesOf(findings.graph);
    this.#environmentIds = environmentsOf(findings);
    this.#environmentNames = findings.result.environments.nodes.map((node) => nameOf(findings.graph, node));
    const partOf = new Map<number, { readonly type: string; readonly key: string }>();
    for (const [lead, parts] of ratings.parts) {
      const row = { type: this.#types[found.types[lead]].id, key: this.#keyOf(lead) };
      for (const part of parts) partOf.set(part, row);
    }
    this.#partOf = partOf;
  }

  /** @returns the key of a finding as one string, which `FIND_ROWS` parses */
  #keyOf(at: number): string {
    const { graph, result } = this.#findings;
    const { environments, zones, types, sources, targets } = result.found;
    const source = sources[at] === NO_NODE ? '' : objectIdOf(graph, sources[at]);
    const ends = [source, objectIdOf(graph, targets[at])];
    return JSON.stringify([
      this.#environmentIds[environments[at]],
      zones[at],
      this.#types[types[at]].id,
      ...ends,
    ]);
  }

  /** @param at place of the finding */
  write(row: Row<typeof COLUMNS>, at: number): void {
    const { graph, labels } = this.#findings;
    const { found, ratings } = this.#findings.result;
    const type = this.#types[found.types[at]];
    const [source, target] = [found.sources[at], found.targets[at]];
    const isListed = source === NO_NODE;
    const sourceId = isListed ? '' : objectIdOf(graph, source);
    const targetId = objectIdOf(graph, target);
    const environmentId = this.#environmentIds[found.environments[at]];
    row
      .environment_id(environmentId)
      .tag_id(found.zones[at])
      .finding(type.id)
      .source_id(sourceId)
      .target_id(targetId)
      .kind(type.kind)
      .edge_kind(isListed ? null : found.edgeKinds[at])
      .is_inherited((found.edgeFlags[at] & EdgeFlag.Inherited) !== 0)
      .source_name(isListed ? '' : nameOf(graph, source) || sourceId)
      .source_kind(isListed ? '' : labels.kindOf(source))
      .source_environment_id(isListed ? null : this.#homeOf(source))
      .target_name(nameOf(graph, target) || targetId)
      .target_kind(labels.kindOf(target))
      .target_environment_id(this.#homeOf(target))
      .also_from((found.alsoFrom.get(at) ?? []).map((group) => objectIdOf(graph, group)))
      .principal_hash(principalHash(sourceId, targetId))
      .exposure_count(0, ratings.exposureCounts[at])
      .exposure_percentage(ratings.exposures[at])
      .impact_count(0, ratings.impactCounts[at])
      .impact_percentage(ratings.impacts[at])
      .severity(ratings.severities[at])
      .group_id(groupId(environmentId, sourceId, targetId, causeOf(type, found.edgeKinds[at])))
      .exposure_from(
        JSON.stringify(exposureFrom(ratings.foreign.get(at), this.#environmentIds, this.#environmentNames)),
      )
      .rated_row(SEVERITY_ROWS[ratings.reasons.rows[at]].id)
      .rated_basis(ratings.reasons.basis[at])
      .rated_count(0, ratings.reasons.counts[at])
      .rated_of(0, ratings.reasons.wholes[at])
      .rated_effort(ratings.reasons.efforts[at])
      .part_of(this.#partOf.get(at)?.type ?? '')
      .part_of_key(this.#partOf.get(at)?.key ?? '')
      .parts([...new Set((ratings.parts.get(at) ?? []).map((part) => this.#types[found.types[part]].id))]);
  }

  /** @returns the object id of the node's environment */
  #homeOf(node: number): string | null {
    const { graph, labels } = this.#findings;
    const home = labels.environmentOf(node);
    return home === NO_NODE ? null : objectIdOf(graph, home);
  }

  /** @returns places of all findings, sorted by key, so that equal runs assign equal numbers */
  placesByKey(): Uint32Array {
    const { graph, result } = this.#findings;
    const { environments, zones, types, sources, targets, count } = result.found;
    const environmentRanks = ranksOf(this.#environmentIds);
    const typeRanks = ranksOf(this.#types.map(({ id }) => id));
    const nodes = [...new Set([...sources, ...targets])].filter((node) => node !== NO_NODE);
    const ranks = ranksOf(nodes.map((node) => objectIdOf(graph, node)));
    const rankOf = new Uint32Array(graph.nodeCount);
    for (const [place, node] of nodes.entries()) rankOf[node] = ranks[place] + 1;
    const rankOfSource = (at: number): number => (sources[at] === NO_NODE ? 0 : rankOf[sources[at]]);
    return Uint32Array.from({ length: count }, (_, at) => at).sort(
      (a, b) =>
        environmentRanks[environments[a]] - environmentRanks[environments[b]] ||
        zones[a] - zones[b] ||
        typeRanks[types[a]] - typeRanks[types[b]] ||
        rankOfSource(a) - rankOfSource(b) ||
        rankOf[targets[a]] - rankOf[targets[b]],
    );
  }
}

/** @returns for each place, the number of texts that sort before its text */
function ranksOf(texts: readonly string[]): Uint32Array {
  const ranks = new Uint32Array(texts.length);
  const order = texts
    .map((_, place) => place)
    .sort((a, b) => (texts[a] < texts[b] ? -1 : Number(texts[a] > texts[b])));
  for (const [rank, place] of order.entries()) ranks[place] = rank;
  return ranks;
}

export const environmentsOf = ({ graph, result }: ShownFindings): string[] =>
  result.environments.nodes.map((node) => objectIdOf(graph, node));

export function exposureFrom(
  foreign: readonly ForeignExposure[] | undefined,
  environmentIds: readonly string[],
  environmentNames: readonly string[] = [],
): ExposureFrom[] {
  return (foreign ?? []).map(({ environment, count, share }) => ({
    environment_id: environmentIds[environment],
    ...(environmentNames[environment] && { environment_name: environmentNames[environment] }),
    ...{ count, percentage: share },
  }));
}

/** Rule: `docs/findings.md#groups`. */
function groupId(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'), 'hex').slice(0, 16);
}

/** A search key, not a secret: `docs/findings.md#life-cycle-of-a-finding`. */
function principalHash(sourceId: string, targetId: string): string {
  return hash('sha256', `${sourceId}\0${targetId}`, 'buffer').subarray(0, 8).toString('base64');
}
