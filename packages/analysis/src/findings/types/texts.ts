/**
 * The texts of a finding type, composed from its row and its family, for people and security platforms. Zones other than Tier Zero get the
 * same texts with their name inserted.
 */
import type { DeclaredCheck } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { FindingFamily } from './family.ts';
import {
  type Boundary,
  FINDING_CATEGORIES,
  type FindingType,
  type RelationshipFindingType,
} from './findingType.ts';
import { alsoFoundAs } from './overlaps.ts';
import { techniqueReference, techniquesOf } from './techniques.ts';

/** Names of the documents of a finding type, as clients request them. */
export const FINDING_TEXTS = [
  'title',
  'type',
  'short_description',
  'long_description',
  'short_remediation',
  'long_remediation',
  'references',
] as const;

export type FindingText = (typeof FINDING_TEXTS)[number];

/** @returns the texts of the family with the overrides of the type */
export function remedyOf({ family, remedy }: FindingType): FindingFamily {
  return { ...family, ...remedy };
}

/** The name of the zone in texts that are not about a specific zone. */
export const ANY_ZONE = 'Privilege Zone';

const OF_EACH_ZONE: ReadonlySet<Boundary> = new Set<Boundary>(['crossing', 'uncertified', 'forest']);

/** @returns whether each zone has findings of the type; other types are about Tier Zero or about no zone */
export function isOfEachZone(type: FindingType): boolean {
  return type.kind === 'relationship' && OF_EACH_ZONE.has(type.boundary);
}

/**
 * @param zone name of the zone; default Tier Zero, which is also used if the type applies to no other zone
 * @returns markdown
 */
export function findingText(type: FindingType, name: FindingText, zone?: string): string {
  const text = compose(type, remedyOf(type), name);
  return zone === undefined || !isOfEachZone(type) ? text : inZone(text, zone);
}

/** Inserts the zone with the matching article: a Tier Zero group, an Accounts group. */
function inZone(text: string, zone: string): string {
  const article = /^[aeiou]/i.test(zone) ? 'n' : '';
  return text.replace(/\b([Aa]) Tier Zero\b/g, `$1${article} ${zone}`).replaceAll('Tier Zero', zone);
}

function compose(type: FindingType, family: FindingFamily, name: FindingText): string {
  const own = ownText(type, name);
  if (own !== '') return own;
  switch (name) {
    case 'title':
      return type.title;
    case 'type':
      return categoryOf(type);
    case 'short_description':
      return [type.what, family.risk].filter((text) => text !== '').join(' ');
    case 'long_description':
      return longDescription(type, family);
    case 'short_remediation':
      return family.fix;
    case 'long_remediation':
      return longRemediation(type, family);
    case 'references':
      return [...family.references, ...techniquesOf(type).map(techniqueReference)]
        .map(({ title, url }) => `- [${title}](${url})`)
        .join('\n');
  }
}

/** @returns the category in which the type is listed */
export function categoryOf(type: FindingType): string {
  const own = type.kind === 'list' ? type.check?.category : undefined;
  return own ?? FINDING_CATEGORIES[type.category];
}

/** @returns the text by the author of a definition; empty if the text is composed */
function ownText(type: FindingType, name: FindingText): string {
  const declared = type.kind === 'relationship' ? type.declared : type.check;
  if (name === 'long_description') return declared?.longDescription ?? '';
  return name === 'long_remediation' ? (declared?.longRemediation ?? '') : '';
}

/** @returns numbers of the relationship kinds that it reports */
export function edgeKindsOf({ edges, declared }: RelationshipFindingType): readonly number[] {
  return declared === undefined ? edges.map((name) => EdgeKind[name]) : [declared.kind];
}

/** @returns names of the relationship kinds that it reports */
export function edgeNamesOf({ edges, declared }: RelationshipFindingType): readonly string[] {
  return declared === undefined ? edges : [declared.kindName];
}

function longDescription(type: FindingType, family: FindingFamily): string {
  return [
    '## What was found',
    `${type.what} ${subjectOf(type)}`,
    ...(family.risk === '' ? [] : ['## Why it matters', family.risk]),
    '## How it is rated',
    ratingOf(type),
    ...overlapsOf(type),
  ].join('\n\n');
}

function overlapsOf(type: FindingType): string[] {
  const others = alsoFoundAs(type);
  if (others.length === 0) return [];
  const names = others.map(({ title, id }) => `- ${title} (\`${id}\`)`).join('\n');
  return [
    '## Where else it shows',
    'One cause can appear as several findings, and one repair closes all of them:',
    names,
  ];
}

function subjectOf(type: FindingType): string {
  if (type.kind === 'list') return 'The finding names the object with this setting.';
  const kinds = edgeNamesOf(type)
    .map((edge) => `\`${edge}\``)
    .join(', ');
  return `The finding names the source, the target and the relationship between them (${kinds}).`;
}

function ratingOfCheck({ severity }: DeclaredCheck): string {
  const exposure =
    'The exposure is the share of users and computers of the environment that can reach the object.';
  return severity === undefined
    ? `The severity follows from the exposure. ${exposure}`
    : `The severity is always ${severity}, as set in the check. ${exposure} It is used only to order the findings.`;
}

function ratingOf(type: FindingType): string {
  if (type.kind === 'list' && type.check !== undefined) return ratingOfCheck(type.check);
  if (type.kind === 'list') {
    const impact =
      'The impact is the share of users and computers of the environment that someone who controls the object also controls.';
    if (type.nature === 'opening') {
      return `The severity follows from the impact. ${impact} It is never below ${type.floor}.`;
    }
    const alone = 'by itself the setting gives no one control of the object';
    if (type.floor !== 'low' || type.scope !== 'tier-zero') {
      return `The severity is always ${type.floor}: ${alone}. ${impact} It is used only to order the findings.`;
    }
    return `The severity is low, or moderate if the impact is 40 percent or more. ${impact} It is never higher: ${alone}.`;
  }
  if (type.boundary === 'large-default-group' || type.boundary === 'large-group') {
    return 'Nearly everyone can use the relationship, so the severity follows from the impact: the share of users and computers of the environment that someone who controls the target also controls.';
  }
  return 'The severity follows from the exposure: the share of users and computers outside the zone that can reach the source of the relationship.';
}

function longRemediation(type: FindingType, family: FindingFamily): string {
  const numbered = family.steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
  const checks = family.verify.map((check) => `- ${check}`).join('\n');
  return [
    `# ${type.title}`,
    family.fix,
    '## Before you begin',
    'Start with the smallest scope, record the old value, and inform the owner of the object. Then wait for the next collection, and check the status of the finding.',
    '## Steps',
    numbered,
    '## Verify',
    checks,
    '## Side effects',
    family.care,
    '## Prevent recurrence',
    family.prevent,
  ].join('\n\n');
}
