/** Models of all trackers. */
import { AzureDevOpsModel } from './azureDevOps.ts';
import { GitHubModel } from './gitHub.ts';
import { JiraModel } from './jira.ts';
import type { ModelTracker } from './modelSystem.ts';
import { ServiceNowModel } from './serviceNow.ts';

const MODELS = {
  github: () => new GitHubModel(),
  'jira cloud': () => new JiraModel(true),
  'jira server': () => new JiraModel(false),
  'azure devops': () => new AzureDevOpsModel(),
  servicenow: () => new ServiceNowModel(),
} satisfies Record<string, () => ModelTracker>;

export type TrackerType = keyof typeof MODELS;
export const TRACKER_MODELS = Object.keys(MODELS) as TrackerType[];
export const trackerModel = (type: TrackerType): ModelTracker => MODELS[type]();
