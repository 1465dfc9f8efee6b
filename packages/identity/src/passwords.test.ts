import { ApiError } from '@clew/common';
import { describe, expect, it } from 'vitest';
import { MAX_PASSWORD_LENGTH, PasswordHasher } from './passwords.ts';

const hasher = new PasswordHasher();

describe('password hashes', () => {
  it('match the password and nothing else', async () => {
    const digest = await hasher.hash('correct horse');
    expect(digest).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.matches('correct horse', digest)).toBe(true);
    expect(await hasher.matches('correct horsf', digest)).toBe(false);
    expect(await hasher.matches('', digest)).toBe(false);
    expect(await hasher.hash('correct horse')).not.toBe(digest);
  });

  it('treat composed and decomposed letters as equal', async () => {
    const digest = await hasher.hash('pa\u00dfw\u00f6rd');
    expect(await hasher.matches('pa\u00dfwo\u0308rd', digest)).toBe(true);
  });

  it('never match a password that is only equal in its first characters', async () => {
    const long = 'x'.repeat(MAX_PASSWORD_LENGTH);
    const digest = await hasher.hash(long);
    expect(await hasher.matches(long, digest)).toBe(true);
    expect(await hasher.matches(`${long}y`, digest)).toBe(false);
  });

  it('are checked with the same work without a digest', async () => {
    const digest = await hasher.hash('x');
    const time = async (given: string | undefined) => {
      const started = process.cpuUsage();
      for (let round = 0; round < 4; round++) expect(await hasher.matches('y', given)).toBe(false);
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    const known = await time(digest);
    const unknown = await time(undefined);
    expect(unknown).toBeGreaterThan(known / 3);
  });

  it('run few at a time and refuse a flood', async () => {
    const narrow = new PasswordHasher({ parallel: 1, waiting: 2 });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => narrow.hash('x')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(5);
    expect(refused.every((result) => (result.reason as ApiError).status === 429)).toBe(true);
    expect(refused[0].reason).toBeInstanceOf(ApiError);
    // The slots are free again.
    await expect(narrow.hash('x')).resolves.toBeTypeOf('string');
  });
});
