/** Version of the program, as in its package. Asking the service's package for it would load all of the service. */
import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
