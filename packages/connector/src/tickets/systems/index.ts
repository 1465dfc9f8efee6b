/** Opens the system of work of a connector. */
import type { WorkSettings } from '../../platforms/settings.ts';
import type { WorkSystem } from '../workSystem.ts';
import { azureDevOpsTracker } from './azureDevOps.ts';
import { gitHubTracker } from './gitHub.ts';
import { jiraTracker } from './jira.ts';
import { serviceNowTracker } from './serviceNow.ts';
import { slackMessenger } from './slack.ts';
import { smtpMessenger } from './smtp.ts';
import { teamsMessenger } from './teams.ts';

/** @throws Error for settings that contradict themselves */
export function openWorkSystem(settings: WorkSettings): WorkSystem {
  switch (settings.type) {
    case 'azure-devops':
      return azureDevOpsTracker(settings);
    case 'github':
      return gitHubTracker(settings);
    case 'jira':
      return jiraTracker(settings);
    case 'servicenow':
      return serviceNowTracker(settings);
    case 'slack':
      return slackMessenger(settings);
    case 'smtp':
      return smtpMessenger(settings);
    case 'teams':
      return teamsMessenger(settings);
  }
}
