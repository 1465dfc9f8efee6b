/**
 * Digest of all inputs of a bundle, by which `npm start` detects whether it is up to date: sources of packages without tests, the
 * interface, the packages of the lock file, and the bundler. Plain JavaScript, because an old Node runs the launcher that imports it.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NO_PART = /\.test\.tsx?$/;
const NO_FOLDER = new Set(['node_modules', 'dist', 'test', 'bench', 'opencypher-tck']);

/** @param {string} root of the repository @returns {string} hexadecimal */
export function sourcesDigest(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  };
  const addFolder = (folder) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    // Code unit order, which is the same in each locale.
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!NO_FOLDER.has(entry.name)) addFolder(path);
      } else if (!NO_PART.test(entry.name)) add(path);
    }
  };
  addFolder('packages');
  addFolder('scripts/bundle');
  add('package-lock.json');
  return hash.digest('hex');
}
