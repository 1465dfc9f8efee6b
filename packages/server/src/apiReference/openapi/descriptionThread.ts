/** Generates the API description in a separate thread, because it takes longer than a request may delay others. */
import { parentPort, workerData } from 'node:worker_threads';
import { routes } from '@clew/api';
import { stringify } from 'yaml';
import type { DescriptionRequest } from './descriptions.ts';
import { openApiDocument } from './document.ts';
import { readExamples } from './examples.ts';

const { format, ...options } = workerData as DescriptionRequest;
const document = openApiDocument(routes, { ...options, examples: readExamples() });
const text =
  format === 'json'
    ? JSON.stringify(document)
    : stringify(JSON.parse(JSON.stringify(document)), { aliasDuplicateObjects: false });
parentPort?.postMessage(text);
