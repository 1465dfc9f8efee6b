import type { Plan } from '@clew/analysis';
import { describe, expect, it } from 'vitest';
import { planContradictions } from './planContradictions.ts';

type Card = Plan['cards'][number];
const card = (exposedBefore: number, exposedAfter: number, closed: number): Card =>
  ({
    ...{ exposedBefore, exposedAfter, packages: [{}] },
    closed: Array.from({ length: closed }, () => ({})),
  }) as unknown as Card;

describe('contradictions of a plan', () => {
  it('are cards that neither keep anyone out nor close a finding', () => {
    const cards = [card(5, 3, 0), card(3, 3, 1), card(3, 3, 0), card(3, 4, 0)];
    expect(planContradictions({ cards, rejected: [] })).toEqual({
      'card that the simulation contradicts': 0,
      'card without an effect': 2,
    });
  });

  it('are cards that the simulation contradicts', () => {
    const rejected = [{ packages: ['A'], promised: 1, simulated: 5 }];
    expect(planContradictions({ cards: [], rejected })['card that the simulation contradicts']).toBe(1);
  });
});
