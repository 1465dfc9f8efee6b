import type { CardPathRecord } from '@clew/api';
import type { Plan } from '@clew/planning';
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
    expect(planContradictions({ cards, rejected: [] }, [])).toEqual({
      'card that the simulation contradicts': 0,
      'card without an effect': 2,
      'path that its card does not change': 0,
    });
  });

  it('are paths that stay the same after the removals of a card', () => {
    const path = (...ids: string[]): CardPathRecord['before'] => ({
      effort: 1,
      nodes: ids.map((object_id) => ({ object_id, name: object_id, kind: 'User' })),
      steps: ids.slice(1).map(() => ({ kind: 'AdminTo', effort: 1, reason: '' })),
    });
    const shown = (after: CardPathRecord['after']): CardPathRecord => ({
      ...{ environment_id: 'D', environment_name: 'D', before: path('A', 'B'), cut: 0, after, through: [] },
    });
    const paths = [shown(null), shown(path('A', 'C', 'B')), shown(path('A', 'B'))];
    const found = planContradictions({ cards: [], rejected: [] }, paths);
    expect(found['path that its card does not change']).toBe(1);
  });

  it('are cards that the simulation contradicts', () => {
    const rejected = [{ packages: ['A'], promised: 1, simulated: 5 }];
    expect(planContradictions({ cards: [], rejected }, [])['card that the simulation contradicts']).toBe(1);
  });
});
