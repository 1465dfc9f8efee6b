import { describe, expect, it } from 'vitest';
import { ATTACK_EFFORTS, EFFORT_CLASSES, effortTable } from './attackEfforts.ts';
import { EDGE_KINDS, EdgeKind } from './edgeKinds.ts';

describe('attack efforts', () => {
  const kinds = EDGE_KINDS.filter(({ traversable }) => traversable).map(({ name }) => name);

  it('are of every kind of attack paths and no other, each with a class and a reason', () => {
    expect([...ATTACK_EFFORTS.keys()].sort()).toEqual([...kinds].sort());
    const efforts = EFFORT_CLASSES.map(({ effort }) => effort);
    for (const { effort, reason } of ATTACK_EFFORTS.values()) {
      expect(efforts).toContain(effort);
      expect(reason).not.toBe('');
    }
  });

  it('divide the kinds as the design counted them, with ADCSESC15', () => {
    const counts = EFFORT_CLASSES.map(
      ({ effort }) => [...ATTACK_EFFORTS.values()].filter((step) => step.effort === effort).length,
    );
    expect(counts).toEqual([10, 37, 47, 13, 4]);
  });

  it('can be changed for one kind, and say so', () => {
    const table = effortTable({ AdminTo: 4 });
    expect(table.get(EdgeKind.AdminTo)).toEqual({ effort: 4, reason: 'As configured' });
    expect(table.get(EdgeKind.GenericAll)).toEqual(ATTACK_EFFORTS.get('GenericAll'));
    expect(table.size).toBe(kinds.length);
  });

  it('of kinds of other sources stand beside them', () => {
    expect(effortTable({}, new Map([[5000, { effort: 2, reason: 'own' }]])).get(5000)?.effort).toBe(2);
  });
});
