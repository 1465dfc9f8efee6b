/** The name in certificates of a template after its change, with the arithmetic of the engine on 32 bits. */
import { describe, expect, it } from 'vitest';
import { sampleFacts } from '../test/sampleFacts.ts';
import { isScripted, type Scripted } from './change.ts';
import { changeKit } from './changeKit.ts';
import { ENGINES } from './engines/index.ts';
import { planOf } from './planOf.ts';

const NAMES = { object: 'VPN LEGACY@CORP.EXAMPLE', principal: '' };

function plan(): Scripted {
  const found = planOf(sampleFacts('template-subject', NAMES));
  if (!isScripted(found)) throw new Error(found.why);
  return found;
}

/** The numbers of the settings by name. */
const numbers = () => plan().settings as unknown as Readonly<Record<string, number>>;
const bits = (value: number): number => value >>> 0;

describe('the subject of a template', () => {
  it('has the flags of Microsoft as numbers of 32 bits with a sign', () => {
    const { Number: cleared = 0, Names = 0, NameOfUser = 0, NameOfMachine = 0 } = numbers();
    expect([cleared, Names, NameOfUser, NameOfMachine].map(bits)).toEqual([
      0x1, 0xffc00000, 0x82000000, 0x08000000,
    ]);
    for (const one of [Names, NameOfUser, NameOfMachine]) expect(one).toBe(one | 0);
    // Each added name is one that the engine recognizes, so that a second run adds nothing.
    for (const one of [NameOfUser, NameOfMachine]) expect(bits(one & ~Names)).toBe(0);
    // Names in a request do not count: ENROLLEE_SUPPLIES_SUBJECT_ALT_NAME.
    expect(Names & 0x10001).toBe(0);
  });

  it('has a parameter for the type, which only this change has', () => {
    const [script = '', other = ''] = (['template-subject', 'template-approval'] as const).map(
      (kind) =>
        changeKit([
          {
            ...{ title: '', change: '', check: '', risk: '', affected: null },
            facts: sampleFacts(kind, NAMES),
          },
        ]).files.find(({ name }) => name === 'change-01.ps1')?.text,
    );
    const parameter = "[ValidateSet('Default', 'User', 'Machine')] [string] $Subject = 'Default'";
    expect(script).toContain(parameter);
    expect(script).toContain('# Optional: -Subject User or -Subject Machine');
    expect(other).not.toContain('$Subject');
    expect(ENGINES.Attribute).toContain(parameter);
  });

  it('is added only if no name remains, and goes with Undo', () => {
    const { Attribute } = ENGINES;
    expect(Attribute).toContain('if (($Now -band [int] $Change.Names) -ne 0) { return 0 }');
    expect(Attribute).toContain("if (($flags -band 64) -ne 0) { $type = 'Machine' } else { $type = 'User' }");
    expect(Attribute).toContain('return ($Now -band (-bnot [int] $Change.Number)) -bor (Get-AddedName $Now)');
    expect(Attribute).toContain('Added = $added }');
    expect(Attribute).toContain('$bits = $bits -bor [int] $Saved.Added');
  });
});
