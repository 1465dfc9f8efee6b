/** The words of the interface: standard terms of the field, in American English. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';

/** Old words that the interface no longer uses, with their replacements. */
const WORDS: readonly (readonly [old: RegExp, now: string])[] = [
  [/\b[Rr]elations?\b/, 'relationship'],
  [/\b[Tt]ake (?:it |them )?away\b/, 'remove'],
  [/\b[Cc]hoose none\b/, 'Clear'],
  [/\b[Mm]ost urgent\b/, 'Severity'],
  [/End the acceptance/, 'Reopen'],
  [/The same as a list|As a table/, 'View as list, View as table'],
  [/There is nothing to say|There is none/, 'No description, None found'],
  [/\balike\b/, 'similar'],
  [/\bAsk a question\b/, 'Run a query'],
  [/put together yet/, 'No changes selected'],
  [/\bPut away\b|\bRead it again\b|\bWith faults\b/, 'Dismiss, Retry, Errors'],
  [/\b[Ss]econd factor\b/, 'MFA'],
  [/The same again/, 'Repeat new password'],
  [/did not work|stopped working/, 'Could not load X, Something went wrong'],
  [/You have no permission/, "Your role can't do this"],
  [/does not answer/, 'Waiting for the service'],
  [/Own checks/, 'Custom checks'],
  [/\banew\b|\bbegun\b/, 'again, started'],
  [/\b[Mm]ake (?:users|a token)\b|^Make it$/, 'Create users automatically, Create API token'],
  [
    /\brests on\b|\bcomes to the zone\b|\bhands? (?:no )?control on\b/,
    'Evidence, can reach, without control',
  ],
  [/[Ee]nrolment|[Oo]rganis|\b[Cc]olour/, 'American English'],
  [/Relayed authentication|Certificate services|Tokens of programs/, 'NTLM relay, AD CS, API tokens'],
  [/\bThen check\b|How to close it|What it rests on/, 'Verify, Remediation, Evidence'],
  [/^By$|came from/, 'Source, Active Directory data'],
  [/[a-z>}] …/, 'no space before an ellipsis'],
  [/\d %/, 'no space before a percent sign'],
];

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.tsx?$/.test(name) && !/\.test\.ts$|\.d\.ts$/.test(name),
);

/** Texts for users: element contents, and strings that are not identifiers. */
function textsOf(source: string, lang: 'ts' | 'tsx' = 'tsx'): string[] {
  const texts: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    if (Array.isArray(node) || typeof node !== 'object' || node === null) return;
    const { type, ...parts } = node as Readonly<Record<string, unknown>>;
    if (type === 'ImportDeclaration') return;
    if (type === 'JSXText' || (type === 'Literal' && typeof parts.value === 'string'))
      texts.push(String(parts.value));
    else if (type === 'TemplateElement') texts.push((parts.value as { readonly cooked: string }).cooked);
    else Object.values(parts).forEach(walk);
  };
  walk(parseAst(source, { lang }).body);
  return texts.filter((text) => text.trim() !== '' && !/^[a-z_-]+$/.test(text));
}

it('no page says a word that the field says otherwise', () => {
  expect(sources.length).toBeGreaterThan(120);
  const found = sources.flatMap((name) =>
    textsOf(
      readFileSync(join(import.meta.dirname, name), 'utf8'),
      name.endsWith('.tsx') ? 'tsx' : 'ts',
    ).flatMap((text) =>
      WORDS.filter(([old]) => old.test(text)).map(
        ([, now]) => `${name}: "${text.trim().replace(/\s+/g, ' ').slice(0, 100)}" (${now})`,
      ),
    ),
  );
  expect(found).toEqual([]);
});

it('dialogs have the one foot', () => {
  const dialogs = sources
    .filter((name) => name !== join('parts', 'Dialog.tsx'))
    .flatMap((name) => {
      const source = readFileSync(join(import.meta.dirname, name), 'utf8');
      return [...source.matchAll(/<Dialog\b[\s\S]*?<\/Dialog>/g)].map(([dialog]) => ({ name, dialog }));
    });
  expect(dialogs.length).toBeGreaterThan(15);
  const own = dialogs.filter(({ dialog }) => /<footer|type="submit"|className="danger"/.test(dialog));
  expect(own.map(({ name }) => name)).toEqual([]);
});

it('sees the words that it looks for', () => {
  expect(textsOf(`<p>All {count} relations</p>`).some((text) => /relations/.test(text))).toBe(true);
  expect(textsOf(`const a = 'Remove the right';`)).toEqual(['Remove the right']);
  expect(textsOf(`const a = { title: 'Relations' };`)).toEqual(['Relations']);
});
