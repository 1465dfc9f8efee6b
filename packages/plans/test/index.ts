/** Helpers that tests of other packages share with those of this one. */

export { planLeaving } from '../src/http/leaveOut.ts';
export { makeDue } from '../src/reports/scheduledReports.ts';
export { withAccepted } from '../src/stored/acceptedOnCards.ts';
