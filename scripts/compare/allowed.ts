/** Intended differences, with their reasons. */
import type { Difference, DifferenceKind, Renamed } from './differences.ts';

/** Renamed words of answers; the change log lists those of interest to users. */
export const RENAMED: Renamed = [
  ['nrolment', 'nrollment'],
  ['ynchronis', 'ynchroniz'],
  ['rganis', 'rganiz'],
  ['uthoris', 'uthoriz'],
  ['onour', 'onor'],
  ['rules_changes', 'analysis_changes'],
  ['too few for what the change costs', 'too few for the cost of the change'],
];

const withoutShare = (text: string): string =>
  text.replace(/\d+(?:\.\d+)? ?%/, '<share>').replace(/: (?:then|afterward,) /, ': ');

const withoutPort = (text: string): string => text.replace(/127\.0\.0\.1:\d+/, '<address>');

interface Allowed {
  /** Matches the target of the request. */
  readonly question: RegExp;
  readonly path: RegExp;
  readonly kinds?: readonly DifferenceKind[];
  /** Whether the two values have the same meaning. */
  readonly isSame?: (before: string, after: string) => boolean;
  readonly why: string;
}

const FINDINGS = /attack-paths\/(?:findings|finding-groups)|\/inbox/;

export const ALLOWED: readonly Allowed[] = [
  {
    question: /\/(?:graphs\/export$|pathfinding\?)/,
    path: /^$/,
    kinds: ['order'],
    why: 'properties of a relationship that two files describe came in an order that varied, and are sorted now',
  },
  {
    question: FINDINGS,
    path: /\.rules_version$/,
    why: 'names the code that found it',
  },
  {
    question: FINDINGS,
    path: /\.severity_reason$/,
    why: 'says why a severity is not lower, and what the step itself takes',
  },
  {
    question: FINDINGS,
    path: /\.closed_by$/,
    kinds: ['changed'],
    isSame: (before, after) => withoutShare(before) === withoutShare(after),
    why: 'shares have one decimal place and no space, and the sentence was reworded',
  },
  {
    question: FINDINGS,
    path: /\.not_closed$/,
    kinds: ['changed'],
    why: 'texts for people, which were reworded',
  },
  {
    question: /attack-paths\/details$/,
    path: /\.finding_assets\.[\w-]+\.[\w-]+\.md$/,
    why: 'texts for people, in base64, which were reworded',
  },
  {
    question: /\/(?:config|roles|features|permissions)$/,
    path: /\.(?:description|name)$/,
    why: 'texts for people, which were reworded',
  },
  {
    question: /asset-group-tags(?:\/\d+\/selectors)?(?:\?|$)|available-domains/,
    path: /\.description$/,
    kinds: ['changed'],
    why: 'texts for people, which were reworded',
  },
  {
    question: /\/config$/,
    path: /^\.data(?:\[\d+\]|\.length)/,
    why: 'new parameters move the rows of others',
  },
  {
    question: /\.well-known\/oauth-/,
    path: /./,
    isSame: (before, after) => withoutPort(before) === withoutPort(after),
    why: 'addresses of the two services',
  },
  {
    question: /extensions-edges$/,
    path: /\.description$/,
    why: 'kinds say what they mean since they have a file each',
  },
  {
    question: /\/kinds$/,
    path: /^\.data\.relationship_kinds\[\d+\]\.(?:meaning|removal|effort_reason|phrase)$/,
    kinds: ['changed'],
    why: 'texts for people, which were reworded',
  },
  {
    question: /posture-(?:history|stats)/,
    path: /^\.(?:start|end)$/,
    why: 'the period that is shown when none is asked for ends now',
  },
  {
    question: /posture\/summary$/,
    path: /\.(?:came|went)_count$/,
    why: 'totals count findings that stand for themselves, as lists do',
  },
  {
    question: /\/search\?/,
    path: /^\.data(?:\[\d+\]|\.length)/,
    why: 'search also looks at other names, and has another order',
  },
  {
    question: /asset-group-tags-history$/,
    path: /^\.(?:count|data\.records)/,
    why: 'what is certified without a person has a record as well',
  },
  {
    question: /meta-nodes\//,
    path: /^\.data\./,
    why: 'the combined node of a domain has the zone of its whole forest',
  },
  {
    question: /saved-queries\/watches$/,
    path: /^$/,
    kinds: ['status'],
    why: 'an operation that was added: before, the word was taken for an id',
  },
];

/** @returns the reason; `undefined` for an unintended difference */
export function allowedBy(question: string, difference: Difference): string | undefined {
  const { path, kind, before, after } = difference;
  return ALLOWED.find(
    (row) =>
      row.question.test(question) &&
      row.path.test(path) &&
      row.kinds?.includes(kind) !== false &&
      row.isSame?.(before, after) !== false,
  )?.why;
}
