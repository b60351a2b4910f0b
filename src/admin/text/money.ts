// Costs of models, which are often parts of a cent. Pure.

const usual = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const small = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 });

const CENT = 0.01;

export function toUsd(usd: number): string {
  return usd > 0 && usd < CENT ? small.format(usd) : usual.format(usd);
}
