import { describe, expect, it } from 'vitest';
import { Scratch, withScratch } from './scratch.ts';

describe('Scratch', () => {
  it('restarts when stamps run out, so that an old mark never looks fresh', () => {
    const scratch = new Scratch(4, 0xffff_ffff - 40);
    scratch.begin();
    for (let taken = 0; taken < 20; taken++) scratch.stamps[2] = scratch.nextStamp();
    const lowest = scratch.begin();
    expect(scratch.nextStamp()).toBeGreaterThan(lowest);
    expect(scratch.stamps[2]).toBeLessThanOrEqual(lowest);
  });

  it('returns stamps greater than all marks at every use', () => {
    const scratch = new Scratch(4);
    for (let use = 0; use < 3; use++) {
      const lowest = scratch.begin();
      expect(Math.max(...scratch.stamps)).toBeLessThanOrEqual(lowest);
      scratch.stamps.fill(scratch.nextStamp());
    }
  });

  it('is used by one call at a time', () => {
    withScratch(3, (outer) => {
      withScratch(3, (inner) => expect(inner).not.toBe(outer));
    });
  });

  it('is reused, unless it is too small', () => {
    const first = withScratch(10, (scratch) => scratch);
    expect(withScratch(5, (scratch) => scratch)).toBe(first);
    expect(withScratch(11, (scratch) => scratch.nodeCapacity)).toBeGreaterThanOrEqual(11);
  });
});
