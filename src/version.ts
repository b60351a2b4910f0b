import manifest from '../package.json' with { type: 'json' };

/** The version of the service and of its API description. */
export const VERSION: string = manifest.version;
