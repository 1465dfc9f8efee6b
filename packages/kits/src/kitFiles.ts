/** Files of kits: detection rules, and the digest of each file. */
import { createHash } from 'node:crypto';
import { ruleName } from './plannedChange.ts';
import { kqlOf, sigmaText } from './sigma.ts';
import type { Watch } from './watchRules.ts';

export interface KitFile {
  /** Letters, digits, dots, hyphens and slashes. */
  readonly name: string;
  readonly text: string;
}

export interface KitRule {
  readonly title: string;
  /** A Sigma rule as YAML. */
  readonly sigma: string;
  /** A custom query, if the public converter does not support a field of the rule. */
  readonly kql: string | null;
  /** The required audit setting. */
  readonly needs: string;
}

export const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export const kitRules = ({ rules }: Watch): KitRule[] =>
  rules.map((rule) => ({
    ...{ title: rule.title, sigma: sigmaText(rule), kql: kqlOf(rule) ?? null, needs: rule.needs },
  }));

/** Rules of one change or step, with their custom queries. */
export const ruleFiles = (id: string, watch: Watch): KitFile[] =>
  kitRules(watch).flatMap(({ sigma, kql }, at) => {
    const name = ruleName(id, at);
    return [
      { name: `${name}.yml`, text: sigma },
      ...(kql === null ? [] : [{ name: `${name}.kql`, text: kql }]),
    ];
  });

export function withSums(files: readonly KitFile[]): KitFile[] {
  const sums = files.map(({ name, text }) => `${digest(text)}  ${name}\n`).join('');
  return [...files, { name: 'SHA256SUMS', text: sums }];
}
