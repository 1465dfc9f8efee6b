import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { surroundingsFault } from './surroundings.ts';

const withCode = (code: string, cause?: unknown) => Object.assign(new Error('x', { cause }), { code });

describe('environment errors', () => {
  test.each([
    ['53100', 'the disk is full'],
    ['55P03', 'a database lock is held for a long time'],
    ['ENOSPC', 'the disk is full'],
    ['53200', 'there is not enough memory'],
    ['EMFILE', 'there are too many connections or open files'],
    ['53300', 'there are too many connections or open files'],
    ['58030', 'the disk has a fault'],
    ['ECONNREFUSED', 'the database cannot be reached'],
    ['57P03', 'the database cannot be reached'],
    ['ERR_MODULE_NOT_FOUND', 'a file of the installation is missing'],
    ['MODULE_NOT_FOUND', 'a file of the installation is missing'],
  ])('%s is one', (code, fault) => {
    expect(surroundingsFault(withCode(code))).toBe(fault);
    expect(surroundingsFault(new Error('while it did something', { cause: withCode(code) }))).toBe(fault);
  });

  test.each(['22P02', '23505', '42601', 'ERR_ASSERTION', 'ENOENT'])('%s is an error of the work', (code) => {
    expect(surroundingsFault(withCode(code))).toBeUndefined();
  });

  test('a missing file is one if it belongs to the installation', () => {
    const missing = (path: string) => Object.assign(withCode('ENOENT'), { path });
    const installed = resolve(import.meta.dirname, '../../intake/src/rules.json');
    expect(surroundingsFault(missing(installed))).toBe('a file of the installation is missing');
    expect(
      surroundingsFault(missing(resolve(import.meta.dirname, '../../../data/upload-1'))),
    ).toBeUndefined();
    expect(surroundingsFault(missing('/tmp/upload-1'))).toBeUndefined();
  });

  test('a value that is not an error is an error of the work', () =>
    expect(surroundingsFault('53100')).toBeUndefined());
});
