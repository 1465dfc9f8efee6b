import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeDigest, requirePlayed } from './clientResults.ts';
import { releasedChangelog, requireLater, withVersion } from './release.ts';

const ROOT = resolve(import.meta.dirname, '..');

describe('a release', () => {
  it('moves unreleased changes under their version', () => {
    const before = '# Changelog\n\n## Unreleased\n\n- A new thing.\n\n## 0.1.0 (2026-11-21)\n';
    expect(releasedChangelog(before, '0.2.0', '2026-12-01')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- A new thing.\n\n## 0.1.0 (2026-11-21)\n',
    );
  });

  it.each(['# Changelog\n', '## Unreleased\n\n\n## 0.1.0\n\n- Old.\n'])('needs text: %j', (text) => {
    expect(() => releasedChangelog(text, '0.2.0', '2026-12-01')).toThrow('no text');
  });

  it('comes after the previous one', () => {
    for (const [version, present] of [
      ['0.2.0', '0.1.9'],
      ['1.0.0', '0.9.9'],
      ['0.1.10', '0.1.9'],
    ] as const)
      expect(() => requireLater(version, present)).not.toThrow();
    for (const version of ['0.1.9', '0.1.8', '0.0.10', 'v0.2.0', '0.2', ''])
      expect(() => requireLater(version, '0.1.9'), version).toThrow();
  });

  it('needs the results of clients, of today and of its code', () => {
    const results = { version: '0.1.0', date: '2026-12-01', code: 'c0de', changed: { One: [], Two: [] } };
    const expected = { clients: ['One', 'Two'], date: '2026-12-01', code: 'c0de' };
    expect(() => requirePlayed(results, expected)).not.toThrow();
    for (const [fault, ...of] of [
      ['played on 2026-11-30, not today', { ...results, date: '2026-11-30' }],
      ['against other code', { ...results, code: 'other' }],
      ['not played: Two', { ...results, changed: { One: [] } }],
      ['other answers: two-list', { ...results, changed: { One: [], Two: ['two-list'] } }],
    ] as const)
      expect(() => requirePlayed(of[0], expected)).toThrow(fault);
  });

  it('knows code that answers clients from other files', async () => {
    const root = await mkdtemp(join(tmpdir(), 'clew-release-'));
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
      if (!file.endsWith('.txt')) execFileSync('git', ['add', file], { cwd: root });
      return codeDigest(root);
    };
    execFileSync('git', ['init', '-q'], { cwd: root });
    const first = write('packages/one/src/answer.ts', 'export const answer = 1;');
    expect(write('packages/one/src/answer.test.ts', 'test();')).toBe(first);
    expect(write('docs/clients.json', '{}')).toBe(first);
    const changed = write('packages/one/src/answer.ts', 'export const answer = 2;');
    const moved = write('packages/one/src/other.ts', 'export const answer = 2;');
    // A recorded answer counts before it is committed, too.
    const recorded = write('packages/service/test/publicRequests/a.txt', 'GET');
    expect(new Set([first, changed, moved, recorded]).size).toBe(4);
    rmSync(root, { recursive: true });
  });

  it('is in the examples of answers', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const examples = readFileSync(
      join(ROOT, 'packages/server/src/apiReference/openapi/examples.json'),
      'utf8',
    );
    expect(examples).toContain(`"server_version": "${version}"`);
    const next = withVersion(examples, version, '98.7.6');
    expect(next).toContain('"server_version": "98.7.6"');
    expect(next).toContain('Server version 98.7.6,');
    expect(next).not.toContain(`"${version}"`);
  });
});
