/** Texts of inherited entries: the container that sets them, and the other objects that lose the right. */
import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { describe, expect, it } from 'vitest';
import { PricedWorld } from '../../test/packages/prices/pricedWorld.ts';
import { repairText } from '../repairs/repairTexts.ts';
import type { AnalyzedWorld } from '../simulation/simulate.ts';
import { repairNames } from './packageTexts.ts';

const HOSTS = ['H1', 'H2', 'H3'];

const worldOfHosts = () =>
  new PricedWorld()
    .users('JOINER')
    .hosts('SERVERS', ...HOSTS)
    .hosts('OTHERS', 'X1');

function textOf(right: string, more: readonly string[] = [], unnamed: readonly string[] = []) {
  const built = worldOfHosts()
    .facts(...HOSTS.map((host) => `JOINER ${right}~ ${host}`), ...more)
    .unnamed(...unnamed)
    .build();
  const repair = built.repair(`JOINER ${right} H1`);
  const context = new AnalysisContext({ ...built.test, options: defaultOptions() });
  return repairText(repair.kind, repairNames({ context } as AnalyzedWorld, repair));
}

describe('an inherited entry', () => {
  it('says where it probably is, on how many other objects, and that joins of computers stop', () => {
    const { change, risk } = textOf('WriteAccountRestrictions', ['JOINER WriteAccountRestrictions X1']);
    expect(change).toContain('where it is defined, probably SERVERS: check "Inherited from"');
    expect(risk).toMatch(
      /^The entry also applies to 2 other objects below SERVERS\. .*if JOINER does, it can no longer join computers there again\. Everything/,
    );
  });

  it('names the container that has it, and mentions joins only for the right that they need', () => {
    const { change, risk } = textOf('GenericWrite', ['JOINER GenericWrite SERVERS']);
    expect(change).toContain('so change it on SERVERS, where it is defined.');
    expect(risk).toMatch(/^The entry also applies to 2 other objects below SERVERS\. Everything/);
  });

  it('names no likely container that has only an id', () => {
    const { change, risk } = textOf('GenericWrite', [], ['SERVERS']);
    expect(change).toContain('on the parent container of H1 where it is defined.');
    expect(risk).toMatch(/^Everything/);
  });
});
