import { describe, expect, it } from 'vitest';
import { ATTACK_EFFORTS, effortTable } from './attackEfforts.ts';
import { EDGE_KINDS, EdgeKind } from './edgeKinds.ts';
import { EFFORT_CLASSES } from './kinds/effortClasses.ts';

describe('attack efforts', () => {
  const kinds = EDGE_KINDS.filter(({ traversable }) => traversable).map(({ name }) => name);

  it('exist for every kind of attack paths and no other, each with a class and a reason', () => {
    expect([...ATTACK_EFFORTS.keys()].sort()).toEqual([...kinds].sort());
    const efforts = EFFORT_CLASSES.map(({ effort }) => effort);
    for (const { effort, reason } of ATTACK_EFFORTS.values()) {
      expect(efforts).toContain(effort);
      expect(reason).not.toBe('');
    }
  });

  it('use every class, and one number for each reason', () => {
    const steps = [...ATTACK_EFFORTS.values()];
    expect(new Set(steps.map(({ effort }) => effort))).toEqual(
      new Set(EFFORT_CLASSES.map(({ effort }) => effort)),
    );
    const reasons = Map.groupBy(steps, ({ reason }) => reason);
    for (const [reason, same] of reasons)
      expect([reason, new Set(same.map(({ effort }) => effort)).size]).toEqual([reason, 1]);
  });

  it('can be changed for one kind, with a note in the reason', () => {
    const table = effortTable({ AdminTo: 4 });
    expect(table.get(EdgeKind.AdminTo)).toEqual({ effort: 4, reason: 'As configured' });
    expect(table.get(EdgeKind.GenericAll)).toEqual(ATTACK_EFFORTS.get('GenericAll'));
    expect(table.size).toBe(kinds.length);
  });

  it('include those of kinds of other sources', () => {
    expect(effortTable({}, new Map([[5000, { effort: 2, reason: 'own' }]])).get(5000)?.effort).toBe(2);
  });
});
