/** Sections of `docs/rules.md` on derived kinds of edges, from the files of these kinds. */
import { join } from 'node:path';
import { EDGE_DEFINITIONS, type EdgeDefinition, type EdgeKindName, type RuleText } from '@clew/model';

const KINDS = join(import.meta.dirname, '../../packages/model/src/kinds/edges');

/** A chapter of the page. */
export type Chapter = 'certificate services' | 'Active Directory' | 'Entra ID and Azure';

export interface KindRule {
  readonly kind: EdgeKindName;
  readonly definition: EdgeDefinition;
  readonly rule: RuleText;
}

/** @returns the kinds with a rule, in the order of their numbers */
export async function kindRules(): Promise<readonly KindRule[]> {
  const rules = await Promise.all(
    EDGE_DEFINITIONS.map(async ([kind, definition]) => {
      // Not exported by the package, because the texts would be sent to browsers.
      const { rule } = (await import(join(KINDS, `${kind}.ts`))) as { readonly rule?: RuleText };
      return rule === undefined ? [] : [{ kind, definition, rule }];
    }),
  );
  return rules.flat();
}

export function chapterOf({ category, platform }: Pick<EdgeDefinition, 'category' | 'platform'>): Chapter {
  if (category === 'certificates') return 'certificate services';
  return platform === 'azure' || category === 'synchronization' ? 'Entra ID and Azure' : 'Active Directory';
}

/** @returns Markdown with one section for each kind of the chapter */
export function ruleSections(rules: readonly KindRule[], chapter: Chapter): string {
  return rules
    .filter(({ definition }) => chapterOf(definition) === chapter)
    .map(({ kind, rule }) => `### ${kind}\n\n${ruleMarkdown(rule)}`)
    .join('\n\n');
}

export function ruleMarkdown({ when, source, removedBy }: RuleText): string {
  const lines = linesOf(when);
  const ends = [
    ...(source === undefined ? [] : [`*Source:* ${linesOf(source).join(' ')}`]),
    `*Removed by:* ${linesOf(removedBy).join(' ')}`,
  ].join(' ');
  const isList = (lines.at(-1) ?? '').startsWith('- ');
  const text = lines.join('\n');
  return isList ? `${text}\n\n${ends}` : `${text} ${ends}`;
}

/** Joins lines as Markdown does: a continuation is appended to its line. */
function linesOf(text: RuleText['when']): readonly string[] {
  const lines: string[] = [];
  let continues = false;
  for (const line of typeof text === 'string' ? [text] : text) {
    if (continues && line !== '' && !line.startsWith('- ')) lines.push(`${lines.pop()} ${line}`);
    else lines.push(line);
    continues = line !== '';
  }
  return lines;
}
