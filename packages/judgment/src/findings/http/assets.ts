/**
 * Texts about finding types, as markdown files. Rule: `docs/reference/api.md#finding-texts`;
 * `docs/findings.md#kinds`.
 */
import { createHash } from 'node:crypto';
import {
  ANY_ZONE,
  FINDING_TEXTS,
  type FindingText,
  findingText,
  isOfEachZone,
  typesById,
} from '@clew/analysis';
import { apiError, type Handler } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import type { Db } from '@clew/store';
import { askedZone } from './askedScope.ts';
import { findingTypeNamed } from './findingTypeNames.ts';

/** They change only with a release or the name of a zone; the tag is computed from the content. */
const CACHE_CONTROL = 'private, max-age=3600';
const MEDIA_TYPE = 'text/markdown; charset=utf-8';

/** Prefix of texts for a finding of any zone. */
export const ANY_ZONE_PREFIX = 'tx-';

export function findingAsset(db: Db, generations: GenerationSource): Handler<'GetFindingAsset'> {
  return async ({ params, rawQuery }, { headers }) => {
    const generation = generations.current();
    const type = typesById(generation.graph)(findingTypeNamed(generation, params.finding_type));
    const asked = params.asset_name.replace(/\.md$/, '');
    const forAnyZone = asked.startsWith(ANY_ZONE_PREFIX);
    const name = forAnyZone ? asked.slice(ANY_ZONE_PREFIX.length) : asked;
    if (type === undefined || !isText(name) || (forAnyZone && !isOfEachZone(type))) {
      throw apiError('resourceNotFound');
    }
    const zone = (await askedZone(db, rawQuery))?.wording;
    const written = findingText(type, name, zone ?? (forAnyZone ? ANY_ZONE : undefined));
    const text = IN_ONE_LINE.has(name) ? written : `${written}\n`;
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const answer = { mediaType: MEDIA_TYPE, headers: { ETag: tag, 'Cache-Control': CACHE_CONTROL } };
    if (isKnown(headers['if-none-match'], tag)) return { ...answer, status: 304, text: '' };
    return { ...answer, status: 200, text };
  };
}

/** Clients insert these texts into fields unchanged. */
const IN_ONE_LINE: ReadonlySet<FindingText> = new Set(['title', 'type']);

const isText = (name: string): name is FindingText => (FINDING_TEXTS as readonly string[]).includes(name);

/** Weak comparison (RFC 9110, 13.1.2). */
function isKnown(header: string | undefined, tag: string): boolean {
  const tags = (header ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
