/** Rules for the steps of attack paths: each step has its rules or the reason why it has none, and names stay text. */
import { expect, it } from 'vitest';
import { sampleFacts } from '../test/sampleFacts.ts';
import { watchKit } from './watchKit.ts';
import { watchOf } from './watchRules.ts';

const HOSTILE = { object: '# [x](y)\n`*\u202e', principal: '*' };
const entry = sampleFacts('remove-permission', HOSTILE);
const member = sampleFacts('remove-member', HOSTILE);
const [removed] = entry.removed;
const trust = { ...removed!, relation: 'SameForestTrust' as const };

const steps = [
  { title: `${HOSTILE.object} to X`, relations: entry.removed },
  { title: 'trust', relations: [trust] },
  { title: 'member', relations: member.removed },
];

it('has the rules that the change of a step has, in files that the readme and the digests name', () => {
  const kit = watchKit(steps);
  expect(kit.steps.map(({ rules }) => rules.length)).toEqual([
    watchOf(entry).rules.length,
    0,
    watchOf(member).rules.length,
  ]);
  expect(kit.steps[1]?.unwatched).toEqual(['SameForestTrust: Clew has no rule for it.']);
  const names = kit.files.map(({ name }) => name);
  expect(names[0]).toBe('README.md');
  expect(names.at(-1)).toBe('SHA256SUMS');
  const readme = kit.files[0]?.text ?? '';
  const sums = kit.files.at(-1)?.text ?? '';
  const rules = names.filter((name) => name.endsWith('.yml'));
  expect(rules).toHaveLength(kit.steps.reduce((sum, one) => sum + one.rules.length, 0));
  for (const name of rules) {
    expect(readme).toContain(`\`${name}\``);
    expect(name).toMatch(/^rules\/step-0[13]-\d\d\.yml$/);
  }
  for (const name of names.slice(0, -1)) expect(sums).toContain(`  ${name}\n`);
  expect(readme).toContain('Not detected: SameForestTrust');
  expect(watchKit(steps)).toEqual(kit);
});

it('keeps names of others text in the readme', () => {
  const [readme] = watchKit(steps).files;
  expect(readme?.text.match(/^## /gm)).toHaveLength(3);
  expect(readme?.text).toContain('## 1. \\# \\[x\\]\\(y\\)\\\\u000a\\`\\*\\\\u202e to X');
});

it('watches all unwanted logons of a step with one rule', () => {
  const many = Array.from({ length: 25 }, (_, at) => ({
    ...removed!,
    source: { ...removed!.target, name: `HOST${at}.CORP.EXAMPLE` },
    relation: 'HasSession' as const,
    target: removed!.source,
  }));
  const [step] = watchKit([{ title: 'logons', relations: many }]).steps;
  expect(step?.rules).toHaveLength(1);
  expect(step?.unwatched).toEqual([]);
});

it('limits the rules of a step', () => {
  const [joined] = member.removed;
  const many = Array.from({ length: 25 }, (_, at) => {
    const sid = `S-1-5-21-1-2-3-${2000 + at}`;
    return { ...joined!, target: { ...joined!.target, name: `GROUP${at}@CORP.EXAMPLE`, objectId: sid, sid } };
  });
  const [step] = watchKit([{ title: 'groups', relations: many }]).steps;
  expect(step?.rules).toHaveLength(20);
  expect(step?.unwatched).toEqual([
    '30 further rules of this step are omitted: the kit contains at most 20.',
  ]);
});
