import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
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
