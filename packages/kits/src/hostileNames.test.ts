/** Tests untrusted names in scripts: they never become code, whatever encoding a reader assumes for the file. */
import type { RepairKind } from '@clew/planning';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostilePairs } from '../test/hostileNames.ts';
import { asWindows1252, LITERAL, readPowerShell, unescaped } from '../test/powershell.ts';
import { KINDS, sampleFacts } from '../test/sampleFacts.ts';
import { isScripted } from './change.ts';
import { changeScript, wholeScript } from './changeScript.ts';
import { literal } from './literal.ts';
import { planOf } from './planOf.ts';

const NAMES = { object: 'OBJECT', principal: 'PRINCIPAL' };
const SCRIPTED = KINDS.filter((kind) => isScripted(planOf(sampleFacts(kind, NAMES))));

type Write = typeof changeScript;

function written(kind: RepairKind, names: typeof NAMES, write: Write = changeScript): string {
  const plan = planOf(sampleFacts(kind, names));
  if (!isScripted(plan)) throw new Error(`${kind} has no script`);
  return write({
    id: 'change-01',
    key: 'a'.repeat(64),
    title: `${names.object} of ${names.principal}`,
    notes: ['Clear "a", then it is \'b\'.\nExit', `May stop: ${names.object} of ${names.principal}.`],
    names,
    facts: ['0123456789abcdef'],
    plan,
  });
}

/** @returns the texts of the literals, unescaped if the code does so */
function textsOf(script: string): string[] {
  const { code, texts } = readPowerShell(script);
  const places = [...code.matchAll(/\(\[regex\]::Unescape\(\u00a7\)\)|\u00a7/g)].map(([found]) => found);
  return texts.map((text, at) => (places[at] === LITERAL ? text : unescaped(text)));
}

/** The code differs with host names (whether a script asks for one) and with escapes (in separate calls). */
const codeOf = (script: string): string =>
  readPowerShell(script).code.replaceAll(`([regex]::Unescape(${LITERAL}))`, LITERAL);

describe('a script with untrusted names', () => {
  it('covers 28 kinds', () => expect(SCRIPTED).toHaveLength(28));

  it.each(SCRIPTED)('is ASCII, has the same code, and contains each name: %s', (kind) => {
    const plain = codeOf(written(kind, NAMES));
    fc.assert(
      fc.property(hostilePairs, (names) => {
        const script = written(kind, names);
        expect(script).toMatch(/^[\n -~]*$/);
        expect(asWindows1252(script)).toBe(script);
        expect(codeOf(script)).toBe(plain);
        const texts = textsOf(script);
        expect(texts).toContain(names.object);
        expect(texts).toContain(names.principal);
      }),
      { numRuns: 400 },
    );
  });

  it.each(SCRIPTED)('includes its engine if it is a single file: %s', (kind) => {
    const script = written(kind, { object: '\u2019; calc; \u2018', principal: 'Б' }, wholeScript);
    expect(script).toMatch(/^[\n -~]*$/);
    expect(codeOf(script)).toBe(codeOf(written(kind, NAMES, wholeScript)));
  });
});

/** A script with a name, quoted by a naive writer. */
const naive = (text: string): string => `$Change = @{ Object = ${text} }\n`;
const doubled = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const allDoubled = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;

function isSafe(script: string, wanted: string): boolean {
  try {
    return codeOf(script) === codeOf(naive("'x'")) && textsOf(script).join() === wanted;
  } catch {
    return false;
  }
}

describe('the reader of scripts', () => {
  it('rejects a writer that only doubles plain quotes', () => {
    const text = 'a\u2019; calc; \u2018b';
    expect(isSafe(naive(doubled(text)), text)).toBe(false);
    expect(isSafe(naive(literal(text)), text)).toBe(true);
  });

  it('rejects a writer of UTF-8 that a reader interprets as Windows-1252', () => {
    const text = 'Б; calc; Ñ';
    expect(isSafe(naive(allDoubled(text)), text)).toBe(true);
    expect(isSafe(asWindows1252(naive(allDoubled(text))), text)).toBe(false);
    expect(isSafe(asWindows1252(naive(literal(text))), text)).toBe(true);
  });
});
