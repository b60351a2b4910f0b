// The door of generation: what a model proposes for one document of a site. What reads Markdown is loaded with its first
// use.
import { generate } from './generate.ts';
import type { TextGeneration } from './generation.ts';
import type { GenerationParts } from './parts.ts';
import { seo } from './seo.ts';

export function createGeneration(parts: GenerationParts): TextGeneration {
  return {
    generate: (input, call) => generate(parts, input, call),
    async rewrite(input, call) {
      const { rewrite } = await import('./rewrite.ts');
      return rewrite(parts, input, call);
    },
    seo: (input, call) => seo(parts, input, call),
    async translate(input, call) {
      const { translate } = await import('./translate.ts');
      return translate(parts, input, call);
    },
  };
}
