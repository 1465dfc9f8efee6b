import { expect, it } from 'vitest';
import { ProcessOwnerError, requireUserName } from './processOwner.ts';

const NAMELESS = 2_000_012_345;

it('accepts a user with a name', () => {
  expect(requireUserName()).toBeUndefined();
});

it.skipIf(process.getuid?.() !== 0)('explains how to fix a user without a name', () => {
  process.seteuid?.(NAMELESS);
  let error: unknown;
  try {
    requireUserName();
  } catch (caught) {
    error = caught;
  } finally {
    process.seteuid?.(0);
  }
  expect(error).toBeInstanceOf(ProcessOwnerError);
  expect((error as Error).message).toMatch(
    /^PostgreSQL cannot start as the user 2000012345, who has no name .*CLEW_DATABASE_URL$/,
  );
});
