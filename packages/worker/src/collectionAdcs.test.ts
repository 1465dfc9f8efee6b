/** Tests certificate services in complete collections. */
import { AnalysisContext, type AnalysisResult, analyze, compose } from '@clew/analysis';
import { EdgeList, withEdges } from '@clew/graph';
import { SAMPLE_COLLECTION, TEST_COLLECTIONS } from '@clew/intake/testing';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CollectedWorld, readWorld } from '../test/collectedWorld.ts';

/** Edges of the public sample. */
const COUNTS: Partial<Record<EdgeKindName, number>> = {
  TrustedForNTAuth: 4,
  IssuedSignedBy: 12,
  EnterpriseCAFor: 6,
  EnrollOnBehalfOf: 177,
  ExtendedByPolicy: 0,
  GoldenCert: 4,
  ADCSESC1: 7,
  ADCSESC3: 12,
  ADCSESC4: 7,
  ADCSESC6a: 5,
  ADCSESC6b: 12,
  ADCSESC9a: 17,
  ADCSESC9b: 12,
  ADCSESC10a: 9,
  ADCSESC10b: 10,
  ADCSESC13: 0,
  ADCSESC15: 4,
  ADCSESC16: 0,
  CoerceAndRelayNTLMToADCS: 0,
};

function countsOf({ edges }: AnalysisResult): typeof COUNTS {
  const kinds = Object.keys(COUNTS) as EdgeKindName[];
  return Object.fromEntries(
    kinds.map((kind) => [kind, edges.kinds.filter((number) => number === EdgeKind[kind]).length]),
  );
}

const ESCALATIONS = new Set<number>(
  Object.entries(EdgeKind).flatMap(([name, kind]) => (/^ADCSESC|^GoldenCert/.test(name) ? [kind] : [])),
);

describe.each(TEST_COLLECTIONS)('certificate services of $name', ({ files }) => {
  describe('after analysis', () => {
    let world: CollectedWorld;
    let result: AnalysisResult;

    beforeAll(async () => {
      world = await readWorld(await files());
      result = analyze(world.input());
    });

    it('give the same edges for any order of the files', async () => {
      const reversed = analyze((await readWorld(new Map([...(await files())].reverse()))).input());
      expect(reversed.edges).toEqual(result.edges);
    });

    it('explain each escalation', () => {
      const list = new EdgeList();
      list.appendChunk(result.edges);
      const context = new AnalysisContext({ ...world.input(), graph: withEdges(world.graph, list) });
      const { starts, kinds, ends } = result.edges;
      const escalations = [...starts.keys()].filter((at) => ESCALATIONS.has(kinds[at]));
      expect(escalations.length).toBeGreaterThan(10);
      for (const at of escalations) {
        const { nodes, edges } = compose(context, { start: starts[at], kind: kinds[at], end: ends[at] });
        expect(nodes).toContain(starts[at]);
        expect(nodes).toContain(ends[at]);
        expect(edges.length).toBeGreaterThan(2);
      }
    });
  });
});

describe('certificate services of the public sample', () => {
  let world: CollectedWorld;
  let result: AnalysisResult;

  beforeAll(async () => {
    world = await readWorld(await SAMPLE_COLLECTION.files());
    result = analyze(world.input());
  });

  /** `start -> end` by name. */
  function edgesOf(kind: EdgeKindName): string[] {
    const { starts, kinds, ends } = result.edges;
    return [...starts.keys()]
      .filter((at) => kinds[at] === EdgeKind[kind])
      .map((at) => `${world.label(starts[at])} -> ${world.label(ends[at])}`)
      .sort();
  }

  it('give the known numbers of edges in both modes', () => {
    expect(countsOf(result)).toEqual(COUNTS);
    expect(countsOf(analyze(world.input('parity')))).toEqual({ ...COUNTS, ADCSESC15: 0 });
  });

  it('lead from these principals to these domains', () => {
    expect(edgesOf('ADCSESC1')).toEqual([
      'ALICE@PHANTOM.CORP -> PHANTOM.CORP',
      'AUTHENTICATED USERS@PHANTOM.CORP -> PHANTOM.CORP',
      'DOMAIN ADMINS@PHANTOM.CORP -> PHANTOM.CORP',
      'DOMAIN ADMINS@WRAITH.CORP -> WRAITH.CORP',
      'ENTERPRISE ADMINS@PHANTOM.CORP -> PHANTOM.CORP',
      'ENTERPRISE ADMINS@WRAITH.CORP -> WRAITH.CORP',
      'JD@PHANTOM.CORP -> PHANTOM.CORP',
    ]);
    // A computer of GHOST.CORP is among the victims, so its administrators are among the sources.
    expect(edgesOf('ADCSESC10b')).toEqual(
      expect.arrayContaining([
        'ADMINISTRATORS@GHOST.CORP -> PHANTOM.CORP',
        'DOMAIN ADMINS@GHOST.CORP -> PHANTOM.CORP',
      ]),
    );
    const toDomains = (Object.keys(COUNTS) as EdgeKindName[])
      .filter((kind) => /^ADCSESC|^GoldenCert/.test(kind))
      .flatMap((kind) => edgesOf(kind).map((edge) => [kind, edge.split(' -> ')[1]]));
    expect(toDomains.filter(([, domain]) => domain === 'GHOST.CORP')).toEqual([]);
    const onWraith = toDomains.filter(([, domain]) => domain === 'WRAITH.CORP').map(([kind]) => kind);
    expect(onWraith).toEqual(expect.arrayContaining(['ADCSESC9a', 'ADCSESC9b']));
    expect(onWraith.filter((kind) => /6b|10/.test(kind))).toEqual([]);
  });

  it('contain 99 escalations', () => {
    expect(result.edges.kinds.filter((kind) => ESCALATIONS.has(kind)).length).toBe(99);
  });
});
