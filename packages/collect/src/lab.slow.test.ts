/** Runs the collector against a real directory: all planted statements, with every sign-in method. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CollectionSource, readCollection, sourceFromBytes } from '@clew/collections';
import { collectedGraph } from '@clew/planning/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lab, missingForLab, startLab } from '../test/lab.ts';
import { plantedFaults } from '../test/planted.ts';
import { type CollectRequest, type CollectResult, collectDomain } from './runner/collectDomain.ts';

const missing = missingForLab();
/** Samba returns whole groups unless a range is requested. */
const RANGE = 300;

describe.skipIf(missing !== undefined)(
  `a Samba directory${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let lab: Lab;
    let root: string;
    /** A collection with the default settings, in the directory `sealed`. */
    let whole: CollectResult;
    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'clew-collected-'));
      lab = await startLab();
      whole = await collect('sealed', {});
    }, 600_000);
    afterAll(async () => {
      rmSync(root, { recursive: true, force: true });
      await lab?.[Symbol.asyncDispose]();
    });

    async function collect(name: string, request: Partial<CollectRequest>): Promise<CollectResult> {
      const { host, address, domain, password, sysvol } = lab;
      const account = { user: 'clew-reader', realm: domain.toUpperCase(), secret: { password } };
      return collectDomain({
        controllers: [{ host, address }],
        encryption: 'sealed',
        credentials: { kind: 'kerberos', account },
        ...{ directory: join(root, name), sysvol, collector: 'clew test', rangeSize: RANGE },
        ...request,
      });
    }

    const sourcesOf = (name: string): readonly CollectionSource[] =>
      readdirSync(join(root, name)).map((file) =>
        sourceFromBytes(file, readFileSync(join(root, name, file))),
      );

    it('is collected with every planted statement, and read without unknown content', async () => {
      const { counts, notes } = whole;
      expect(counts.users).toBeGreaterThan(1_700);
      expect(notes.map(({ what, count }) => `${what}: ${count}`).sort()).toEqual([
        'members of groups without a SID (contacts): 1',
        expect.stringMatching(/^policies that only some users and computers may apply .*: 1$/),
        expect.stringMatching(/^policies that some users or computers may not apply .*: 1$/),
        expect.stringMatching(/^policies with a password that every user can read .*: 1$/),
        'targets of delegation that are not computers of this domain: 1',
      ]);
      for (const source of sourcesOf('sealed')) {
        const reading = readCollection(source);
        for await (const _ of reading);
        expect([source.name, reading.report.fault, reading.report.issues]).toEqual([
          source.name,
          undefined,
          [],
        ]);
      }
      const graph = await collectedGraph(sourcesOf('sealed'));
      expect(lab.planted).toHaveLength(255);
      expect(plantedFaults(graph, lab.planted)).toEqual([]);
    }, 300_000);

    it('has the same result with LDAPS and StartTLS, and without ranges', async () => {
      const { user, password, authority } = lab;
      const credentials = { kind: 'password', user, password } as const;
      const ca = readFileSync(authority);
      const texts = textsOf('sealed');
      await collect('ldaps', { encryption: 'ldaps', credentials, ca });
      expect(textsOf('ldaps')).toEqual(texts);
      await collect('starttls', { encryption: 'starttls', credentials, ca, rangeSize: undefined });
      expect(textsOf('starttls')).toEqual(texts);
    }, 300_000);

    /** Sign-ins of the collector change the times of its account. */
    const textsOf = (name: string): readonly string[] =>
      readdirSync(join(root, name)).map((file) =>
        readFileSync(join(root, name, file), 'utf8').replace(/"lastlogon(timestamp)?":-?\d+/g, ''),
      );

    it('reads the last writes on request: when, on which controller, and how often', async () => {
      const writesOf = async (name: string, id: string): Promise<unknown> =>
        (await collectedGraph(sourcesOf(name))).propertiesOf(id)?.lastwrites;
      const [
        {
          source = '',
          names: [dn],
        } = { names: [] },
      ] = lab.planted.filter(({ property, value }) => property === 'dontreqpreauth' && value === true);
      expect(await writesOf('sealed', source)).toBeUndefined();
      const more = await collect('writes', { readsWrites: true });
      const before = await writesOf('writes', source);
      expect(before).toEqual(
        expect.arrayContaining([
          expect.stringMatching(
            /^userAccountControl: 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ on DC1 \(version 1\)$/,
          ),
        ]),
      );
      const share = more.bytesRead / whole.bytesRead;
      // The figure in docs/collect.md.
      expect(share).toBeGreaterThan(1.1);
      expect(share).toBeLessThan(1.6);
      const file = join(root, 'change.ldif');
      writeFileSync(
        file,
        `dn: ${dn}\nchangetype: modify\nreplace: userAccountControl\nuserAccountControl: 512\n`,
      );
      await lab.run('ldbmodify', '-H', join(lab.directory, 'private/sam.ldb'), file);
      await collect('changed', { readsWrites: true });
      expect(await writesOf('changed', source)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^userAccountControl: .* on DC1 \(version [23]\)$/)]),
      );
    }, 300_000);

    it('tries a wrong password once, reports a locked account, and leaves no file', async () => {
      const { host, address, authority, user, password } = lab;
      const database = join(lab.directory, 'private/sam.ldb');
      const settings = [
        'domain',
        'passwordsettings',
        'set',
        '-H',
        database,
        '-s',
        join(lab.directory, 'etc/smb.conf'),
      ];
      await lab.run('samba-tool', ...settings, '--account-lockout-threshold=2');
      const triesOf = async (): Promise<string | undefined> =>
        /badPwdCount: (\d+)/.exec(
          await lab.run('ldbsearch', '-H', database, '(sAMAccountName=clew-reader)', 'badPwdCount'),
        )?.[1];
      const request = (secret: string): Partial<CollectRequest> => ({
        ...{ encryption: 'ldaps', ca: readFileSync(authority) },
        credentials: { kind: 'password', user, password: secret },
        controllers: [
          { host, address },
          { host, address },
        ],
      });
      await expect(collect('wrong', request('not the password'))).rejects.toThrow('the password is wrong');
      expect(await triesOf()).toBe('1');
      const account = {
        user: 'clew-reader',
        realm: lab.domain.toUpperCase(),
        secret: { password: 'nor this one' },
      };
      await expect(collect('wrong', { credentials: { kind: 'kerberos', account } })).rejects.toThrow(
        'the password or key is wrong',
      );
      await expect(collect('wrong', request(password))).rejects.toThrow(
        'the account is locked: wait, or unlock it',
      );
      await expect(collect('wrong', {})).rejects.toThrow('the account is disabled, locked or expired');
      expect(() => readdirSync(join(root, 'wrong'))).toThrow('ENOENT');
    }, 300_000);
  },
);
