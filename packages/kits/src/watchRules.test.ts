/**
 * Tests detection rules: YAML with ids, in which a name only matches itself. If pySigma is installed (`CLEW_TEST_SIGMA`: its Python), it
 * validates and converts all of them.
 */
import { describe, expect, it } from 'vitest';
import { convertRules, isInstalled } from '../test/convertRules.ts';
import { KINDS, sampleFacts } from '../test/sampleFacts.ts';
import { kqlOf, sigmaText, sigmaValue } from './sigma.ts';
import { watchOf } from './watchRules.ts';

const NAMES = { object: 'HOST.CORP.EXAMPLE', principal: 'ANN@CORP.EXAMPLE' };

const rulesOf = (kind: (typeof KINDS)[number], names = NAMES) => watchOf(sampleFacts(kind, names)).rules;

/** @returns the value as interpreted by Sigma: text, and an entry for each wildcard */
function meantBy(text: string): (string | '*' | '?')[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\' && /[*?\\]/.test(text.charAt(at + 1))) found.push(`text ${text.charAt(++at)}`);
    else found.push(/[*?]/.test(character) ? character : `text ${character}`);
  }
  return found;
}

describe('a detection rule', () => {
  it.each(KINDS)('exists, or the reason why not: %s', (kind) => {
    const { rules, unwatched } = watchOf(sampleFacts(kind, NAMES));
    expect(rules.length + unwatched.length).toBeGreaterThan(0);
    for (const rule of rules) {
      const text = sigmaText(rule);
      expect(text).toMatch(/^[\n -~]*$/);
      expect(text).toMatch(/^title: "/);
      expect(text).toMatch(/\nid: [\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\n/);
      expect(text).toMatch(/\n {2}condition: selection/);
      expect(sigmaText(rule)).toBe(text);
    }
  });

  it('watches ids: the acting account, the group, the password, the certificate', () => {
    const [list, reset] = rulesOf('remove-permission').map(sigmaText);
    expect(list).toContain('AttributeLDAPDisplayName');
    expect(list).toContain('"S-1-5-21-1-2-3-1104"');
    expect(reset).toContain('4724');
    expect(rulesOf('remove-member').map(({ fields }) => fields)).toEqual([
      { EventID: [4728, 4732, 4756], TargetSid: ['S-1-5-21-1-2-3-1105'] },
      {
        ...{ EventID: [4964], 'SidList|contains': ['{S-1-5-21-1-2-3-1105}'] },
        TargetUserSid: ['S-1-5-21-1-2-3-1104'],
      },
    ]);
    expect(sigmaText(rulesOf('remove-enrollment')[0]!)).toContain('CertificateTemplate:HOST.CORP.EXAMPLE');
    expect(sigmaText(rulesOf('remove-role')[0]!)).toContain('62e90394-69f5-4237-9190-012177145e10');
  });

  it('watches computer accounts that computers create with the quota of the domain', () => {
    expect(rulesOf('domain-computer-quota')).toMatchObject([{ fields: { EventID: [4741] } }]);
    expect(sigmaText(rulesOf('domain-computer-quota')[0]!)).not.toContain('SubjectUserName');
  });

  it('matches a name only exactly', () => {
    for (const name of [
      '*',
      'a*b',
      '?',
      '\\',
      '\\*',
      'a\\',
      "'",
      '"',
      'Б',
      '\u{1f600}',
      '\ud800',
      ': - x',
      '#',
    ]) {
      const found = meantBy(sigmaValue(name));
      expect(found.some((one) => one === '*' || one === '?')).toBe(false);
      expect(found.map((one) => one.slice(5)).join('')).toBe(name);
      const text = sigmaText(rulesOf('template-subject', { object: name, principal: '' })[0]!);
      expect(text).toMatch(/^[\n -~]*$/);
      expect(text.split('\n')).toHaveLength(sigmaText(rulesOf('template-subject')[0]!).split('\n').length);
    }
  });

  it('is omitted with the reason if a name has control characters, the object has no id, or there are too many', () => {
    const hostile = { object: 'a\u0007b@CORP.EXAMPLE', principal: 'X' };
    for (const kind of ['template-subject', 'remove-enrollment'] as const) {
      const { rules, unwatched } = watchOf(sampleFacts(kind, hostile));
      expect([rules, unwatched]).toEqual([[], [expect.stringContaining('control characters')]]);
    }
    const facts = sampleFacts('remove-permission', NAMES);
    const [removed] = facts.removed;
    const source = { ...removed!.source, kind: 'Group' };
    const byGroup = { ...facts, removed: [{ ...removed!, source, relation: 'GenericWrite' as const }] };
    expect(watchOf(byGroup).unwatched).toEqual([
      expect.stringContaining('the GUID and the distinguished name of the object, which were not collected'),
    ]);
    const sessions = Array.from({ length: 25 }, (_, at) => ({
      ...removed!,
      source: { ...removed!.target, name: `HOST${at}.CORP.EXAMPLE` },
      relation: 'HasSession' as const,
      target: removed!.source,
    }));
    // Unwanted logons are one rule with all accounts and computers.
    const [logons, ...rest] = watchOf({ ...facts, removed: sessions }).rules;
    expect([logons?.fields.Computer?.length, rest]).toEqual([25, []]);
    const rights = sessions.map((one) => ({
      ...one,
      source: one.target,
      relation: 'CanRDP' as const,
      target: one.source,
    }));
    const many = watchOf({ ...facts, removed: rights });
    expect(many.rules).toHaveLength(20);
    expect(many.unwatched).toEqual([
      '5 further rules of this change are omitted: the kit contains at most 20.',
    ]);
  });

  it('has a custom query for the fields that the public converter does not support', () => {
    const [list, reset] = rulesOf('remove-permission');
    const [, special] = rulesOf('remove-member');
    expect(kqlOf(special!)).toContain('Fields["SidList"]) contains "{S-1-5-21-1-2-3-1105}"');
    expect(kqlOf(list!)).toContain('Fields["AttributeLDAPDisplayName"]) in~ ("nTSecurityDescriptor"');
    expect(kqlOf(reset!)).toBeUndefined();
    expect(kqlOf({ ...list!, fields: { EventID: [5136], ObjectGUID: ['a"b\\c\nd'] } })).toContain(
      '"a\\"b\\\\c d"',
    );
  });
});

describe.skipIf(!isInstalled)(`pySigma${isInstalled ? '' : ' (not installed)'}`, () => {
  it('validates and converts every rule for Splunk, Lucene, EQL, ES|QL and Kusto', () => {
    const hostile = { object: 'a*?\\"\u2019Б$(x)', principal: '*' };
    const rules = [NAMES, hostile].flatMap((names) => KINDS.flatMap((kind) => rulesOf(kind, names)));
    const { stdout, stderr } = convertRules([...new Set(rules.map(sigmaText))]);
    expect([JSON.parse(stdout), stderr]).toEqual([[], '']);
  }, 60_000);
});
