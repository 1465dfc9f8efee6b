/** `connector test` of Jira says what a new issue, or a change of it, would be refused for. */
import { describe, expect, it } from 'vitest';
import { JiraModel } from '../../../test/trackers/jira.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { jiraTracker } from './jira.ts';

describe.each([true, false])('a project of Jira (cloud: %s)', (isCloud) => {
  const test = async (
    change: (model: JiraModel) => void = () => {},
    own: Partial<SettingsOf<'jira'>> = {},
  ): Promise<string> => {
    await using model = new JiraModel(isCloud);
    await model.start();
    change(model);
    const tracker = jiraTracker({ ...(model.settings(model.url) as SettingsOf<'jira'>), ...own });
    const said = await tracker.test().then(
      () => 'ready',
      (error: Error) => error.message,
    );
    await tracker.close();
    expect(model.violations).toEqual([]);
    return said;
  };
  const required = { fieldId: 'components', name: 'Component/s', required: true, hasDefaultValue: false };

  it('is ready where its issue type takes the fields of tickets', async () => {
    expect(await test()).toBe('ready');
    expect(await test(({ fields }) => void fields.push({ ...required, hasDefaultValue: true }))).toBe(
      'ready',
    );
    const given = { fields: { components: [{ name: 'AD' }] } };
    expect(await test(({ fields }) => void fields.push(required), given)).toBe('ready');
  });

  it('says which issue types it has', async () => {
    expect(await test(undefined, { issueType: 'Story' })).toBe(
      'the project SEC has no issue type Story: it has Bug, Task',
    );
  });

  it('says which fields are required, and which are not on its screen', async () => {
    expect(await test(({ fields }) => void fields.push(required))).toBe(
      'a Task in SEC requires Component/s: set them in fields',
    );
    const hide = ({ fields }: JiraModel) => void fields.splice(4, 1);
    expect(await test(hide)).toBe('the screen that creates a Task in SEC lacks labels');
    expect(await test(undefined, { fields: { priority: { name: 'High' } } })).toBe(
      'the screen that creates a Task in SEC lacks priority',
    );
  });

  it('says which statuses it has, where a name of the settings is none of them', async () => {
    expect(await test(undefined, { closedStatus: 'Done', openStatus: 'In Progress' })).toBe('ready');
    expect(await test(undefined, { openStatus: 'Todo' })).toBe(
      'no open status is named Todo: a Task in SEC has To Do, In Progress',
    );
    expect(await test(undefined, { closedStatus: 'To Do' })).toBe(
      'no closed status is named To Do: a Task in SEC has Done',
    );
  });

  it('says that no issue can be assigned to a user', async () => {
    const assigned = (name: string) => ({ fields: { assignee: isCloud ? { id: name } : { name } } });
    expect(await test(undefined, assigned('alice'))).toBe('ready');
    expect(await test(undefined, assigned('ali'))).toBe('no issue of SEC can be assigned to ali');
    expect(await test(undefined, { fields: { assignee: 'alice' } })).toMatch(/^fields.assignee needs /);
  });
});
