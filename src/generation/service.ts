// The door of generation: what a model proposes for one document of a site.
import { generate } from './generate.ts';
import type { TextGeneration } from './generation.ts';
import type { GenerationParts } from './parts.ts';
import { rewrite } from './rewrite.ts';
import { seo } from './seo.ts';
import { translate } from './translate.ts';

export function createGeneration(parts: GenerationParts): TextGeneration {
  return {
    generate: (input, call) => generate(parts, input, call),
    rewrite: (input, call) => rewrite(parts, input, call),
    seo: (input, call) => seo(parts, input, call),
    translate: (input, call) => translate(parts, input, call),
  };
}
