/** Version of the service, as in its package. */
import manifest from '../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
