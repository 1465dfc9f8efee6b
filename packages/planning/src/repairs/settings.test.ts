/** Values that changes of settings write. */
import { AnalysisContext, defaultOptions, Oid } from '@clew/analysis';
import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { settingChanges } from './settings.ts';

it('removes only the security extension from the disabled extensions of an authority, like its script', () => {
  const test = graphOf({
    nodes: [
      {
        ...{ id: 'CA', name: 'CA' },
        kinds: [NodeKind.Base, NodeKind.EnterpriseCA],
        props: { disabledextensions: ['1.2.3', Oid.securityExtension, '1.2.4'] },
      },
    ],
    edges: [],
  });
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const node = test.node('CA');
  expect(settingChanges(context, 'authority-extensions', node)).toEqual([
    { node, key: 'disabledextensions', value: ['1.2.3', '1.2.4'] },
  ]);
});
