import { expect, it } from 'vitest';
import { previewOf, readDefinition } from './preview.ts';

const edge = (name: string, schema_name: string, is_traversable: boolean) => ({
  ...{ id: 1, name, schema_name, is_traversable },
  ...{ description: '', is_builtin: false },
});

it('a definition is shown with its additions and changes', () => {
  const preview = previewOf(
    {
      schema: { name: 'Okta', display_name: 'Okta identities', version: 'v1.1.0', namespace: 'Okta' },
      node_kinds: [{ name: 'Okta_User' }, { name: 'Okta_Group' }, null],
      relationship_kinds: [
        { name: 'Okta_ResetPassword', is_traversable: true },
        { name: 'Okta_AdminOf', is_traversable: true },
        { name: 'Okta_Reads' },
      ],
      relationship_findings: [{}],
      derived_relationships: [{}],
      node_findings: 'no list',
    },
    [
      { id: 1, name: 'Active Directory', version: 'v1.0.0', is_builtin: true, namespace: 'AD' },
      { id: 9, name: 'Okta', version: 'v1.0.0', is_builtin: false, namespace: 'Okta' },
    ],
    ['User', 'Okta_User'],
    [
      edge('Okta_ResetPassword', '', false),
      edge('Okta_AdminOf', 'Okta', true),
      edge('Okta_Gone', 'Okta', true),
      edge('MemberOf', 'AD', true),
    ],
  );
  expect(preview).toMatchObject({
    ...{ name: 'Okta', title: 'Okta identities', version: 'v1.1.0' },
    replaces: { id: 9 },
    ...{ nodeKinds: 2, newNodeKinds: 1, relationshipKinds: 3, traversable: 2 },
    becomeTraversable: ['Okta_ResetPassword'],
    noLonger: ['Okta_Gone'],
    ...{ findings: 1, zoneRules: 0, checks: 0, derived: 1, identities: 0 },
  });
});

it('a file that is not a definition is reported', async () => {
  const file = (text: string) => new File([text], 'x.json');
  await expect(readDefinition(file('{'))).rejects.toThrow('The file is not JSON');
  await expect(readDefinition(file('[]'))).rejects.toThrow('no "schema"');
  await expect(readDefinition(file('{"schema":{"name":"A"}}'))).resolves.toHaveProperty('schema');
});
