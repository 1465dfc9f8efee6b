/**
 * Platforms in addition to the forest: each has a namespace, a definition of its kinds (`docs/extensions.md`) and a payload. Their contents
 * are computed from the people of the root domain, so no part of a platform is kept in memory while it is written.
 */
import { personName } from '../people.ts';
import { type DomainPlan, type ForestOptions, planForest } from '../plan.ts';
import type { GeneratedFile } from '../write.ts';

export interface PayloadNode {
  readonly id: string;
  readonly kinds: readonly string[];
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/** An end by id, or by the name of an object of another platform. */
export type PayloadEnd =
  | { readonly value: string; readonly kind?: string }
  | { readonly match_by: 'name'; readonly value: string; readonly kind: string };

export interface PayloadEdge {
  readonly kind: string;
  readonly start: PayloadEnd;
  readonly end: PayloadEnd;
}

export interface Platform {
  readonly name: string;
  /** The body of `PUT /api/v2/extensions`. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly metadata: { readonly source_kind: string; readonly case_sensitive_ids?: true };
  readonly nodes: (plan: PlatformPlan) => Iterable<PayloadNode>;
  readonly edges: (plan: PlatformPlan) => Iterable<PayloadEdge>;
}

export interface PlatformPlan {
  readonly seed: number;
  /** Root domain of the forest. */
  readonly domain: DomainPlan;
  readonly developers: number;
  readonly teams: number;
  readonly repositories: number;
  readonly runners: number;
  readonly agents: number;
  readonly queues: number;
}

const SHARE_OF_DEVELOPERS = 0.3;
const SHARE_OF_AGENTS = 0.03;

/** @throws RangeError for options outside their ranges */
export function planPlatforms(options: ForestOptions): PlatformPlan {
  const [domain] = planForest(options).domains as [DomainPlan, ...DomainPlan[]];
  const people = domain.counts.person;
  const developers = Math.min(people, Math.max(4, Math.round(people * SHARE_OF_DEVELOPERS)));
  const repositories = Math.max(6, Math.ceil(developers / 2));
  const agents = Math.min(people, Math.max(3, Math.round(people * SHARE_OF_AGENTS)));
  return {
    ...{ seed: options.seed, domain, developers, repositories, agents },
    teams: Math.max(2, Math.ceil(developers / 8)),
    runners: Math.max(2, Math.ceil(repositories / 10)),
    queues: Math.max(2, Math.ceil(agents / 4)),
  };
}

/** Developers are spread over the departments. */
export const personOfDeveloper = ({ domain, developers }: PlatformPlan, developer: number): number =>
  Math.floor((developer * domain.counts.person) / developers);

/** Agents of the ticket system are the most recently hired people. */
export const personOfAgent = ({ domain }: PlatformPlan, agent: number): number =>
  domain.counts.person - 1 - agent;

export const accountOf = ({ domain }: PlatformPlan, person: number): string =>
  personName(person, domain).account.toLowerCase();

export function payloadOf(platform: Platform, plan: PlatformPlan): GeneratedFile {
  return {
    name: `${platform.name}_opengraph.json`,
    domain: platform.name.toUpperCase(),
    type: 'opengraph',
    text: (onObject) => payloadText(platform, plan, onObject),
  };
}

/** The file for `PUT /api/v2/extensions`, or to read. */
export function definitionOf({ name, definition }: Platform): GeneratedFile {
  return {
    name: `${name}.json`,
    domain: name.toUpperCase(),
    type: 'definition',
    *text(onObject) {
      onObject();
      yield `${JSON.stringify(definition, null, 2)}\n`;
    },
  };
}

const CHUNK_CHARACTERS = 64 * 1024;

function* payloadText(
  { metadata, nodes, edges }: Platform,
  plan: PlatformPlan,
  onObject: () => void,
): Generator<string> {
  yield `{"metadata":${JSON.stringify(metadata)},"graph":{"nodes":[`;
  yield* listed(nodes(plan), onObject);
  yield '],"edges":[';
  yield* listed(edges(plan), onObject);
  yield ']}}\n';
}

function* listed(items: Iterable<object>, onObject: () => void): Generator<string> {
  let chunk = '';
  let separator = '';
  for (const item of items) {
    chunk += separator + JSON.stringify(item);
    separator = ',';
    onObject();
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
