/** Differences that were wanted, each with its reason. */
import type { Difference, DifferenceKind, Renamed } from './differences.ts';

/** Words of answers that have another name; the change log has them for users. */
export const RENAMED: Renamed = [['remove-enrolment', 'remove-enrollment']];

interface Allowed {
  /** Of the target. */
  readonly question: RegExp;
  readonly path: RegExp;
  readonly kinds?: readonly DifferenceKind[];
  readonly why: string;
}

export const ALLOWED: readonly Allowed[] = [
  {
    question: /attack-paths\/(?:findings|finding-groups|details)/,
    path: /\.rules_version$/,
    why: 'names the code that found it',
  },
  {
    question: /posture-(?:history|stats)/,
    path: /^\.(?:start|end)$/,
    why: 'the period that is shown when none is asked for ends now',
  },
  {
    question: /\/(?:config|roles|features|permissions)$/,
    path: /\.(?:description|name)$/,
    why: 'texts for people, which were reworded',
  },
  {
    question: /extensions-edges$/,
    path: /\.description$/,
    why: 'kinds say what they mean since they have a file each',
  },
];

/** @returns the reason; nothing for a difference that no one wanted */
export function allowedBy(question: string, { path, kind }: Difference): string | undefined {
  return ALLOWED.find(
    (row) => row.question.test(question) && row.path.test(path) && row.kinds?.includes(kind) !== false,
  )?.why;
}
