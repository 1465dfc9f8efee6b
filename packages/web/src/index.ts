/** The interface, as served by the service. The browser code is built from the other files (`vite.config.ts`). */
import { fileURLToPath } from 'node:url';

/** Directory of the built files. */
export const webDirectory = fileURLToPath(new URL('../dist', import.meta.url));
