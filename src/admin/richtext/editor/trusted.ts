// Markup for the DOM under Trusted Types: the page's policy lets in what passes here.

interface Policy {
  createHTML(markup: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy;
}

let policy: Policy | undefined;

/** A document without scripts, styles or requests: nothing in it runs or is loaded. */
export function parseInert(markup: string): Document {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  policy ??= factory?.createPolicy('colophon', { createHTML: (given) => given });
  return new DOMParser().parseFromString(policy ? policy.createHTML(markup) : markup, 'text/html');
}
