// What `colophon/config` exports: types for authors of cms.config.ts and an identity function that carries them. It
// must import types only, so that a configuration loads from any folder without installing anything there.
import type { SiteConfigInput } from './site-config.ts';

export type { FormConfigInput as FormConfig } from './form-config.ts';
export type {
  BlockConfigInput as BlockConfig,
  CollectionConfigInput as CollectionConfig,
  FieldConfig,
  SiteConfigInput as SiteConfig,
} from './site-config.ts';

/** Returns the configuration unchanged; an editor checks and completes it meanwhile. */
export function defineConfig<const C extends SiteConfigInput>(config: C): C {
  return config;
}
