import manifest from '../package.json' with { type: 'json' };

/** Of the service and of its API description. */
export const VERSION: string = manifest.version;
