/** Detection rules for the steps of attack paths, as files. The same steps produce the same bytes. */
import type { KitRelation } from '@clew/planning';
import { type KitFile, type KitRule, kitRules, ruleFiles, withSums } from './kitFiles.ts';
import { ruleName } from './plannedChange.ts';
import { plain } from './readme.ts';
import { type Watch, watchRelations } from './watchRules.ts';

export interface WatchedStep {
  /** The step in words, with untrusted names. */
  readonly title: string;
  /** The collected relationships that the step uses. */
  readonly relations: readonly KitRelation[];
}

export interface WatchKit {
  readonly files: readonly KitFile[];
  readonly steps: readonly { readonly rules: readonly KitRule[]; readonly unwatched: readonly string[] }[];
}

const INTRODUCTION = `# Detection rules

Each rule detects the use of one step of an attack path that remains possible. Import the Sigma rules (.yml) into your security platform; the queries
(.kql) are for fields that the public converter for Microsoft Sentinel does not support. First turn on the auditing that a rule requires: without it, no
event is written. A rule detects the use of a step, and does not prevent it.
`;

/** @param steps each step once, in the order of the paths */
export function watchKit(steps: readonly WatchedStep[]): WatchKit {
  const width = Math.max(2, String(steps.length).length);
  const watched = steps.map(({ title, relations }, at) => ({
    ...{ id: `step-${String(at + 1).padStart(width, '0')}`, title },
    watch: watchRelations(relations),
  }));
  const files = [
    { name: 'README.md', text: [INTRODUCTION, ...watched.map(section)].join('\n') },
    ...watched.flatMap(({ id, watch }) => ruleFiles(id, watch)),
  ];
  return {
    files: withSums(files),
    steps: watched.map(({ watch }) => ({ rules: kitRules(watch), unwatched: watch.unwatched })),
  };
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly watch: Watch;
}

const section = ({ id, title, watch }: Section, at: number): string =>
  [
    ...[`## ${at + 1}. ${plain(title)}`, ''],
    ...watch.rules.map(
      (rule, number) =>
        `- \`${ruleName(id, number)}.yml\`: ${plain(rule.title)}. Required auditing: ${plain(rule.needs)}.`,
    ),
    ...watch.unwatched.map((text) => `- Not detected: ${plain(text)}`),
    '',
  ].join('\n');
