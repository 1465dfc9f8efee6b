/** Test support that other packages share. */

export { planLeaving } from '../src/http/leaveOut.ts';
export { makeDue } from '../src/reports/scheduledReports.ts';
export { withAccepted } from '../src/stored/acceptedOnCards.ts';
