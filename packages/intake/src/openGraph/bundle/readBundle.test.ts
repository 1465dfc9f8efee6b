import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { zipOf } from '../../../test/ingest/uploads.ts';
import { checkDefinition } from '../extensions/checkDefinition.ts';
import { NOTHING_INSTALLED } from '../extensions/installedKinds.ts';
import { readBundleArchive } from './bundleArchive.ts';
import { type BundleFile, readBundleFiles } from './readBundle.ts';

const EXAMPLE = new URL('../../../../../examples/extensions/tickets/', import.meta.url).pathname;

const SCHEMA = {
  schema: { name: 'okta', display_name: 'Okta', version: 'v1.0.0', namespace: 'Okta' },
  node_kinds: [{ name: 'Okta_User', display_name: 'User' }],
};
const file = (name: string, json: unknown): BundleFile => ({
  name,
  bytes: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)),
});

/** All faults, of files and of what is in them. */
async function faultsOf({ document, files }: ReturnType<typeof readBundleFiles>): Promise<readonly string[]> {
  if (document === undefined) return files.faults;
  const checked = await checkDefinition(document, NOTHING_INSTALLED, files.samples?.keys());
  return [...files.faults, ...('faults' in checked ? checked.faults.texts(files.placeOf) : [])];
}

const faultsIn = (...files: readonly BundleFile[]) => faultsOf(readBundleFiles(files));

describe('the files of a bundle', () => {
  test('form one definition, with the entries of each folder', async () => {
    const files = await Promise.all(
      (await readdir(EXAMPLE, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => {
          const path = join(parentPath, name);
          return { name: path.slice(EXAMPLE.length), bytes: await readFile(path) };
        }),
    );
    const { document, files: read } = readBundleFiles(files);
    expect(read.faults).toEqual([]);
    const checked = await checkDefinition(document, NOTHING_INSTALLED, read.samples?.keys());
    if ('faults' in checked) throw new Error(checked.faults.texts(read.placeOf).join('\n'));
    const { definition } = checked;
    expect({
      searches: definition.saved_searches?.map(({ name }) => name),
      rules: definition.privilege_zone_rules?.map(({ name }) => name),
      checks: definition.node_findings?.map(({ name }) => name),
      derived: definition.derived_relationships?.map(({ kind }) => kind),
      identities: definition.identities?.map(({ kind }) => kind),
      repairs: definition.repairs?.map(({ relationship_kind }) => relationship_kind),
      icons: definition.node_kinds.map(({ icon, color }) => `${icon} ${color}`),
    }).toEqual({
      searches: ['Paths of agents into Tier Zero', 'Automations and their accounts'],
      rules: ['Automations that deploy'],
      checks: ['Tick_AutomationsWithoutOwner', 'Tick_SharedAgents'],
      derived: ['Tick_MayRun'],
      identities: ['Tick_SameAs'],
      repairs: ['Tick_Edits', 'Tick_RunsAs'],
      icons: ['headset #2F6FAB', 'user-tie #7FB069', 'inbox #C9A227', 'robot #B5562D'],
    });
  });

  test('may be in a common folder, as in the archive of a repository', async () => {
    expect(
      await faultsIn(
        file('okta-main/schema.json', SCHEMA),
        file('okta-main/README.md', 'x'),
        file('okta-main/saved_searches/a.json', { name: 'A', query: 'MATCH (n:Okta_User) RETURN n' }),
      ),
    ).toEqual([]);
  });

  test('have all errors reported at once, with file and place', async () => {
    const found = await faultsIn(
      file('schema.json', { ...SCHEMA, node_kinds: [...SCHEMA.node_kinds, { name: 'Other' }], repairs: 7 }),
      file('saved_searches/a.json', { name: 'A', query: 'MATCH (n RETURN n' }),
      file('saved_searches/b.json', [
        { name: 'B', query: 'RETURN 1' },
        { name: 'B', query: '' },
      ]),
      file('saved_searches/c.json', '{"name": '),
      { name: 'checks/d.json', bytes: Buffer.from([0x22, 0xff, 0xfe, 0x22]) },
      file('checks/e.json', '['.repeat(100)),
      file('checks/f.json', {
        name: 'Check_Mine',
        title: 'T',
        severity: 'bad',
        cypher: 'MATCH (n) RETURN n',
      }),
      file('saved_search/g.json', {}),
      file('icons/h.json', { custom_types: { Okta_Nobody: { icon: { name: 'user' } } } }),
      file('icons.json', { custom_types: { Okta_User: { icon: { name: 'usr', color: 'red' } } } }),
    );
    expect(found).toEqual([
      'checks/d.json: is not valid UTF-8',
      'checks/e.json: is nested too deeply',
      'saved_search/g.json: belongs to no part of a bundle: schema.json, icons.json and the folders checks, derived_relationships, icons, identities, node_findings, privilege_zone_rules, pz-rules, relationship_findings, repairs, samples, saved-queries, saved_searches, tests',
      'saved_searches/c.json: is not JSON: Unexpected end in JSON at position 9 (line 1 column 10)',
      expect.stringMatching(/^schema\.json#\/node_kinds\/1\/name: does not begin with "Okta_"/),
      'icons/h.json#/custom_types/Okta_Nobody/icon/kind: is not a node kind of this definition: "Okta_Nobody"',
      expect.stringMatching(/^checks\/f\.json#\/name: does not begin with "Okta_"/),
      'checks/f.json#/severity: is not one of low, moderate, high, critical, exposure, impact: "bad"',
      'schema.json#/repairs: is not a list: 7',
      'saved_searches/b.json#/1/name: is also the name at saved_searches/b.json#/0/name: "B"',
      'saved_searches/b.json#/1/query: is missing',
    ]);
  });

  test('have warnings for values that are interpreted differently, and for unknown members, too', async () => {
    const icon = { type: 'font-awesome', name: 'usr', color: 'red', colr: 'red' };
    const { document, files } = readBundleFiles([
      file('schema.json', { ...SCHEMA, node_kinds: [{ name: 'Okta_User' }], note: 'x' }),
      file('icons.json', { custom_types: { Okta_User: { icon } } }),
      file('saved-queries/a.json', { $schema: 'x', name: 'A', query: 'MATCH (', title: 'A' }),
    ]);
    const checked = await checkDefinition(document, NOTHING_INSTALLED, files.samples?.keys());
    if ('faults' in checked) throw new Error(checked.faults.texts(files.placeOf).join());
    const warnings = checked.warnings.warnings(files.placeOf);
    expect(warnings.map((text) => text.slice(0, text.indexOf(': '))).sort()).toEqual([
      'icons.json#/custom_types/Okta_User/icon/color',
      'icons.json#/custom_types/Okta_User/icon/colr',
      'icons.json#/custom_types/Okta_User/icon/name',
      'saved-queries/a.json#/query',
      'saved-queries/a.json#/title',
      'schema.json#/node_kinds/0/display_name',
      'schema.json#/note',
    ]);
  });

  test.each([
    ['nothing', []],
    ['no definition', [file('saved_searches/a.json', { name: 'A', query: 'RETURN 1' })]],
  ])('that have %s are not a bundle', async (_, files) => {
    expect(await faultsIn(...files)).toEqual([
      'schema.json: is missing: it contains the definition of the extension',
    ]);
  });

  test('with two definitions, or one that is not an object, are rejected', async () => {
    expect(await faultsIn(file('schema.json', SCHEMA), file('definition.json', SCHEMA))).toEqual([
      'schema.json: is a second definition: a bundle has only one',
    ]);
    expect(await faultsIn(file('schema.json', [1]))).toEqual(['schema.json#/: is not an object: [1]']);
  });
});

describe('an archive', () => {
  const archive = (...files: readonly [string, unknown][]) =>
    zipOf(...files.map(([name, json]) => ({ name, content: JSON.stringify(json) })));
  const faultsOfBytes = async (bytes: Uint8Array): Promise<readonly string[]> =>
    faultsOf((await readBundleArchive(bytes)) as ReturnType<typeof readBundleFiles>);

  test('is read like its files', async () => {
    const bytes = await archive(
      ['schema.json', SCHEMA],
      ['saved_searches/a.json', { name: 'A', query: 'RETURN 1' }],
      ['.github/workflow.json', {}],
      ['__MACOSX/schema.json', {}],
    );
    expect(await faultsOfBytes(bytes)).toEqual([]);
  });

  test('with a duplicate file is rejected', async () => {
    const bytes = await archive(['schema.json', SCHEMA], ['checks/a.json', {}], ['checks/b.json', {}]);
    const forged = Buffer.from(
      bytes.toString('latin1').replaceAll('checks/b.json', 'checks/a.json'),
      'latin1',
    );
    expect(await faultsOfBytes(forged)).toContain('checks/a.json: occurs twice in the bundle');
  });

  test('with names that some file systems treat as equal, or with links, is rejected or read safely', async () => {
    const names = [
      ['checks/a.json', 'checks/A.json'],
      ['checks/\u00e9.json', 'checks/e\u0301.json'],
    ];
    for (const [first, second] of names as [string, string][])
      expect(await faultsOfBytes(await archive(['schema.json', SCHEMA], [first, []], [second, []]))).toEqual([
        expect.stringMatching(/^checks\/.*: has a name that some file systems treat as checks\/.*$/),
      ]);
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(JSON.stringify(SCHEMA)), 'schema.json');
    zip.addBuffer(Buffer.from('/etc/passwd'), 'checks/a.json', { mode: 0o120777 });
    zip.end();
    // Nothing follows it: its text is that of the file.
    expect(await faultsOfBytes(await buffer(zip.outputStream))).toEqual([
      "checks/a.json: is not JSON: Unexpected token '/' in JSON at position 0 (line 1 column 1)",
    ]);
  });

  test.each(['../checks/aaa.js', '/etc/checks/b.js', 'C:/etc/checks/aa'])(
    'with the path %s in it is refused',
    async (path) => {
      const plain = 'x'.repeat(path.length);
      const bytes = await archive(['schema.json', SCHEMA], [plain, {}]);
      const forged = Buffer.from(bytes.toString('latin1').replaceAll(plain, path), 'latin1');
      expect(await faultsOfBytes(forged)).toEqual([
        expect.stringContaining('the name of the archive member is not safe'),
      ]);
    },
  );

  test('with too many files, a file that is too large, or a suspicious compression ratio is rejected', async () => {
    const many = Array.from({ length: 2001 }, (_, at) => [`checks/${at}.json`, {}] as [string, unknown]);
    expect(await faultsOfBytes(await archive(...many))).toEqual([
      expect.stringContaining('the archive has too many members'),
    ]);
    const dense = await zipOf({ name: 'schema.json', content: Buffer.alloc(5_000_000, 0x20) });
    expect(await faultsOfBytes(dense)).toContainEqual(
      expect.stringContaining('expands to far more than collection files do'),
    );
    const large = await zipOf({ name: 'schema.json', content: Buffer.alloc(21 * 1024 * 1024, 0x20) });
    expect(await faultsOfBytes(large)).toContainEqual(expect.stringContaining('larger than allowed'));
  });

  test('that is truncated or damaged at any byte is rejected or read completely', async () => {
    const bytes = await archive(
      ['schema.json', SCHEMA],
      ['saved_searches/a.json', { name: 'A', query: 'RETURN 1' }],
    );
    for (let length = 0; length < bytes.length; length += 13)
      expect(await faultsOfBytes(bytes.subarray(0, length)), `cut at ${length}`).not.toEqual([]);
    for (let at = 0; at < bytes.length; at += 11) {
      const damaged = Buffer.from(bytes);
      damaged[at] ^= 0xff;
      const read = await readBundleArchive(damaged);
      const whole = read.files?.faults.length === 0;
      // Times and attributes of a file may be what they like.
      if (whole) expect(read.document).toMatchObject({ schema: SCHEMA.schema });
    }
  });
});
