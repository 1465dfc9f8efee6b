/** The interface, as the service serves it. The code for browsers is built from the other files (`vite.config.ts`). */
import { fileURLToPath } from 'node:url';

/** Directory of the built files. */
export const webDirectory = fileURLToPath(new URL('../dist', import.meta.url));
