/** Version of the program, from its own package, because importing the service's package would load the whole service. */
import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
