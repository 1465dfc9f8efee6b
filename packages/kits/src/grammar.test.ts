/**
 * The structure of scripts by a grammar of PowerShell that others wrote. It knows only straight quotes: `hostileNames.test.ts` has a reader
 * of all quotes.
 */
import type { RepairKind } from '@clew/planning';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Parsed, powerShellGrammar } from '../test/grammar.ts';
import { hostilePairs } from '../test/hostileNames.ts';
import { unescaped } from '../test/powershell.ts';
import { KINDS, sampleFacts } from '../test/sampleFacts.ts';
import { isScripted } from './change.ts';
import { changeScript, wholeScript } from './changeScript.ts';
import { ENGINES } from './engines/index.ts';
import { digestsOf } from './factDigests.ts';
import { planOf } from './planOf.ts';

const NAMES = { object: '\u0411', principal: '\u0411' };
const NOTES = ['Clear "a", then \'b\'; <# c #> $(d) `e` \\ \u2019.\nExit'];
const SCRIPTED = KINDS.filter((kind) => isScripted(planOf(sampleFacts(kind, NAMES))));

function written(kind: RepairKind, names: typeof NAMES, write = changeScript): string {
  const change = sampleFacts(kind, names);
  const plan = planOf(change);
  if (!isScripted(plan)) throw new Error(`${kind} has no script`);
  const facts = digestsOf(change);
  return write({
    id: 'change-01',
    key: 'a'.repeat(64),
    title: names.object,
    notes: [...NOTES, `May stop: ${names.object} of ${names.principal}.`],
    names,
    facts,
    questions: [`Does ${names.principal} need ${names.object}?`],
    plan,
  });
}

let parse: (script: string) => Parsed;
beforeAll(async () => {
  parse = await powerShellGrammar();
});

/** The text between the quotes of an escaped literal. */
const textOf = (literal: string): string => literal.slice(1, -1).replaceAll("''", "'");

describe('the grammar of PowerShell', () => {
  it.each(Object.entries(ENGINES))('accepts the engine %s', (_, text) => {
    expect(parse(text).faults).toEqual([]);
  });

  it.each(SCRIPTED)('accepts a script with untrusted names, which remain literals: %s', (kind) => {
    const plain = parse(written(kind, NAMES));
    expect(plain.faults).toEqual([]);
    fc.assert(
      fc.property(hostilePairs, ({ object, principal }) => {
        // Names with a letter outside of ASCII are always escaped, so that all scripts have the same calls.
        const names = { object: `\u0411${object}`, principal: `\u0411${principal}` };
        const { faults, structure, literals, expandable } = parse(written(kind, names));
        expect(faults).toEqual([]);
        expect(structure).toEqual(plain.structure);
        expect(expandable).toEqual([]);
        const texts = literals
          .map(textOf)
          .flatMap((text) => (text.includes('\\u0411') ? [unescaped(text)] : []));
        expect(texts).toContain(names.object);
        expect(texts).toContain(names.principal);
      }),
      { numRuns: 40 },
    );
  });

  it.each(SCRIPTED)('accepts a single file with its engine, whose strings have no names: %s', (kind) => {
    const plain = parse(written(kind, NAMES, wholeScript));
    const names = { object: "\u0411'; calc; '", principal: '\u0411$(calc)' };
    const { faults, structure, expandable } = parse(written(kind, names, wholeScript));
    expect([faults, plain.faults]).toEqual([[], []]);
    expect(structure).toEqual(plain.structure);
    expect(expandable).toEqual(plain.expandable);
  });

  it('rejects a literal without an end, and shows code that leaves one', () => {
    expect(parse("$x = 'a\n").faults).not.toEqual([]);
    expect(parse("$x = @{ A = 'a' \n").faults).not.toEqual([]);
    expect(parse("$x = 'a'; calc; 'b'\n").structure).not.toEqual(parse("$x = 'ab'\n").structure);
    expect(parse('$x = "a$(calc)"\n').expandable).toEqual(['"a$(calc)"']);
  });
});
