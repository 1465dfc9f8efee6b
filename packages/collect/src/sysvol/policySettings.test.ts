import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { withMutations } from '../../test/mutations.ts';
import { MountedPolicyFiles, readPolicy } from './policyFiles.ts';
import { POLICY_FILES, readPolicySettings } from './policySettings.ts';

const ANN = 'S-1-5-21-1-2-3-1101';
const TEMPLATE = `[Unicode]\r\nUnicode=yes\r\n[Group Membership]\r\n*S-1-5-32-544__Members = *${ANN},Domain Admins\r\n*S-1-5-32-544__Memberof =\r\n*S-1-5-21-1-2-3-1102__Memberof = *S-1-5-32-555\r\n[Privilege Rights]\r\nSeBackupPrivilege = *${ANN}\r\nSeRemoteInteractiveLogonRight =\r\n`;
const GROUPS = `<?xml version="1.0"?><Groups><Group name="x"><Properties action="U" groupSid="S-1-5-32-580" groupName="Remote Management Users (built-in)"><Members><Member name="LAB\\A" action="ADD" sid="${ANN}"/><Member name="LAB\\B" action="ADD" sid=""/></Members></Properties></Group><Group name="y" disabled="1"><Properties action="U" groupSid="S-1-5-32-562"><Members><Member action="ADD" sid="${ANN}"/></Members></Properties></Group><User><Properties cpassword="j1Uyj3Vx8TY9LtLZil2uAuZkFQA" userName="x"/></User></Groups>`;
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

it('reads restricted groups, user rights, preference groups and passwords', () => {
  const { members, rights, hasPassword, unresolved } = readPolicySettings(
    new Map([
      [POLICY_FILES.template, utf16(TEMPLATE)],
      [POLICY_FILES.groups, Buffer.from(GROUPS)],
    ]),
  );
  expect([...members.LocalAdmins]).toEqual([ANN]);
  expect([...members.RemoteDesktopUsers]).toEqual(['S-1-5-21-1-2-3-1102']);
  expect([...members.PSRemoteUsers]).toEqual([ANN]);
  expect([...members.DcomUsers]).toEqual([]);
  // A right without holders is also a setting.
  expect([...rights]).toEqual([
    ['SeBackupPrivilege', [ANN]],
    ['SeRemoteInteractiveLogonRight', []],
  ]);
  expect({ hasPassword, unresolved }).toEqual({ hasPassword: true, unresolved: ['Domain Admins', 'LAB\\B'] });
});

it('reads files of a directory whatever the case of their names, and no files outside it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'clew-sysvol-'));
  try {
    const path = join(root, 'lab.test/policies/{A}/Machine/microsoft/windows nt/SecEdit/gpttmpl.inf');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, utf16(TEMPLATE));
    const files = new MountedPolicyFiles(root);
    expect([...(await readPolicy(files, 'lab.test', '{A}')).members.LocalAdmins]).toEqual([ANN]);
    expect((await readPolicy(files, 'lab.test', '{B}')).rights.size).toBe(0);
    expect(await files.read('../../etc/passwd')).toBeUndefined();
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('reads any bytes as settings without failing', () => {
  withMutations([utf16(TEMPLATE), Buffer.from(GROUPS)], 2_000, (bytes) => {
    readPolicySettings(
      new Map([
        [POLICY_FILES.template, bytes],
        [POLICY_FILES.groups, bytes],
      ]),
    );
  });
});
