import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effortRise, riseText } from './effortRise.ts';

const efforts = fc.option(fc.nat(40), { nil: undefined });

describe('a rise of the attack effort', () => {
  it('through sessions alone is never progress', () => {
    fc.assert(
      fc.property(efforts, efforts, (before, after) => {
        // With the sessions back all is as it was.
        const rise = effortRise(before, after, before);
        expect(rise.isProgress).toBe(false);
        expect(riseText(rise, 12)).not.toContain('repairs');
      }),
    );
  });

  it('is described by its causes', () => {
    expect(riseText(effortRise(17, 29, 17), 12)).toBe('Rose from 17 to 29: 12 sessions were not seen again');
    expect(riseText(effortRise(17, 29, 29), 0)).toBe('Rose from 17 to 29 through repairs');
    expect(riseText(effortRise(4, undefined, 17), 1)).toBe(
      'Rose from 4 to 17 through repairs; stands at no path because 1 session was not seen again',
    );
    expect(riseText(effortRise(4, 4, 4), 3)).toBe('Unchanged at 4');
    expect(riseText(effortRise(undefined, 4, 4), 0)).toBe('Fell from no path to 4');
  });
});
