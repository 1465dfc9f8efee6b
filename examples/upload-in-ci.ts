/**
 * For a scheduled job: uploads a collection, waits until it was analyzed, and fails when more than a share of an environment
 * can reach Tier Zero. Usage: `node examples/upload-in-ci.ts MAX_PERCENT FILE...`
 */
import { connect } from './connect.ts';

const [limit, ...files] = process.argv.slice(2);
const maxPercent = Number(limit);
if (!(maxPercent >= 0 && maxPercent <= 100) || files.length === 0) {
  console.error('Usage: node examples/upload-in-ci.ts MAX_PERCENT FILE...');
  process.exit(2);
}

const clew = connect();
const { jobId, rejected } = await clew.uploadFiles(files);
for (const { path, reasons } of rejected) console.error(`${path}: ${reasons.join('; ')}`);
const job = await clew.waitForJob(jobId);
console.log(`job ${jobId}: ${job.status_message}`);

const { data } = await clew.call('GetPostureSummary', {}, { wait: 60 });
const known = data.environments.flatMap(({ name, exposure }) =>
  exposure === null ? [] : [{ name, exposure }],
);
for (const { name, exposure } of known)
  console.log(`${name}: ${(exposure * 100).toFixed(1)}% can reach Tier Zero`);

const isComplete = rejected.length === 0 && job.status === 2;
// Without a figure nothing is known: that is not a success.
const isBelow = known.length > 0 && known.every(({ exposure }) => exposure * 100 <= maxPercent);
if (!isComplete) console.error('not every file was read');
if (!isBelow) console.error(`exposure is above ${maxPercent}% or not known`);
process.exit(isComplete && isBelow ? 0 : 1);
