/** Helpers that tests of other packages share with those of this one. */

export { planLeaving } from './http/leaveOut.ts';
export { makeDue } from './reports/scheduledReports.ts';
export { withAccepted } from './stored/acceptedOnCards.ts';
