/** Steps for copies of templates: they name the settings that are at fault, and no others. */
import { Oid } from '@clew/analysis';
import { contextOf } from '@clew/analysis/testing';
import type { JsonObject } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { type CopiedTemplate, copiedTemplate, copyFirst } from './templateCopies.ts';

const SUBJECT = 'Build from this Active Directory information';
const APPROVAL = 'CA certificate manager approval';
const PURPOSES = 'without Any Purpose';

function copied(name: string, props: JsonObject): CopiedTemplate | undefined {
  const kinds = [NodeKind.Base, NodeKind.CertTemplate];
  const test = graphOf({
    nodes: [
      {
        ...{ id: name, name, kinds },
        props: { schemaversion: 1, effectiveekus: [Oid.clientAuthentication], ...props },
      },
    ],
    edges: [],
  });
  return copiedTemplate(contextOf(test), test.node(name), name);
}

const stepsFor = (name: string, props: JsonObject): string => {
  const template = copied(name, props);
  return template === undefined ? '' : copyFirst([template], 'CA');
};

describe('the copy of a template of version 1', () => {
  it.each<[string, JsonObject, string[]]>([
    ['that only has the wrong enrollees', {}, []],
    ['that supplies its subject', { enrolleesuppliessubject: true }, [SUBJECT, APPROVAL]],
    ['for any purpose', { effectiveekus: [] }, [PURPOSES]],
    ['for agents', { effectiveekus: [Oid.certificateRequestAgent] }, [APPROVAL]],
    [
      'for agents that enroll automatically',
      { effectiveekus: [Oid.certificateRequestAgent], enrollmentflag: 'AUTO_ENROLLMENT' },
      [],
    ],
    [
      'of computers that enroll automatically',
      { enrolleesuppliessubject: false, enrollmentflag: 'AUTO_ENROLLMENT' },
      [],
    ],
    ['without the security extension', { nosecurityextension: true }, ['NO_SECURITY_EXTENSION']],
  ])('%s changes only what is at fault', (_, props, settings) => {
    const steps = stepsFor('OLD', props);
    for (const setting of [SUBJECT, APPROVAL, PURPOSES, 'NO_SECURITY_EXTENSION'])
      expect([setting, steps.includes(setting)]).toEqual([setting, settings.includes(setting)]);
    expect(steps).toContain('grant Enroll only to a group of the requesters');
    expect(steps).toContain('Publish it on CA;');
  });

  it('does not exist of a template of a later version', () => {
    expect(copied('NEW', { schemaversion: 2 })).toBeUndefined();
  });

  it('has its own settings among several', () => {
    const [machine, free] = [
      copied('MACHINE', { enrollmentflag: 'AUTO_ENROLLMENT' }),
      copied('FREE', { enrolleesuppliessubject: true }),
    ] as [CopiedTemplate, CopiedTemplate];
    const steps = copyFirst([machine, free], 'CA');
    expect(steps).toContain('First duplicate MACHINE and FREE');
    expect(steps).toContain(`In the copy of FREE, choose "${SUBJECT}"`);
    expect(steps).not.toContain('In the copy of MACHINE');
  });
});
