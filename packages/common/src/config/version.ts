/** Version of the service, from its package. */
import manifest from '../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
