/** Every command prints JSON for programs, unless it creates nothing and shows nothing for programs. */
import { expect, it } from 'vitest';
import { jsonCommands } from '../../test/jsonCommands.ts';

/** Commands without `--json`, by reason; commands that create something are not allowed here. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'runs until it is stopped, or talks to a person': [
    'serve',
    'mcp',
    'demo',
    'login',
    'logout',
    'plan review',
    'collector run',
  ],
  'writes files, or a text of its own form': [
    ...['export', 'report', 'generate', 'completion', 'check export', 'check show', 'job-log'],
    ...['collect', 'collect-entra', 'admin backup', 'admin migrate'],
  ],
  'changes what there is, and its exit code says whether it did': [
    ...['saved-query change', 'saved-query share', 'saved-query unshare', 'saved-query watch'],
    ...[
      'plans mark',
      'plans assign',
      'findings assign',
      'findings accept',
      'findings reopen',
      'service-levels set',
      'acceptances approve',
      'acceptances refuse',
      'acceptances withdraw',
      'acceptances file',
      'acceptances templates set',
      'acceptances templates remove',
      'reports schedule',
      'check enable',
      'check disable',
    ],
    ...[
      'user disable',
      'user enable',
      'user password',
      'user mfa',
      'admin reset-password',
      'admin restore',
      'admin rotate-key',
      'retry',
      'sso test',
    ],
  ],
  'ends or removes something': [
    ...['cancel', 'saved-query remove', 'saved-query unwatch', 'plan constraints remove', 'plans delete'],
    ...['reports delete', 'check remove', 'user remove', 'token revoke', 'sso remove', 'client remove'],
    ...['client cancel', 'schedule remove', 'webhook remove', 'layer remove'],
  ],
};

it('every command has --json, or is listed as creating nothing', () => {
  expect(jsonCommands().without.sort()).toEqual(Object.values(WITHOUT).flat().sort());
});

it.each([
  ...['token add', 'client add', 'client rotate', 'client collect', 'user add', 'user reset-password'],
  ...['webhook add', 'webhook test', 'plans adopt', 'plan constraints add', 'reports create', 'reports make'],
  ...['saved-query add', 'schedule add', 'sso add', 'check save', 'extension install', 'ingest'],
])('%s, which creates something, has --json', (name) => {
  expect(jsonCommands().withJson).toContain(name);
});
