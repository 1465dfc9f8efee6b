/** Test support that other packages share. */
export { testAlert } from './alerts.ts';
export { GitHubModel } from './trackers/gitHub.ts';
