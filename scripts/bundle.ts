/**
 * `npm run bundle [-- DIRECTORY]`: writes the service as plain JavaScript, by default into `dist`. `npm start` runs it from there if it is
 * up to date.
 */
import { resolve } from 'node:path';
import { makeBundle } from './bundle/makeBundle.ts';

const ROOT = resolve(import.meta.dirname, '..');
const out = resolve(process.env.INIT_CWD ?? '.', process.argv[2] ?? resolve(ROOT, 'dist'));
const { version, packages } = await makeBundle(ROOT, out);
console.log(`${out}: clew ${version}, with code of ${packages.length} packages of others`);
