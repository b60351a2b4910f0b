// Costs of models, which are often parts of a cent. Pure.
import { LANGUAGE, lazily } from './reader.ts';

const inUsd = { style: 'currency', currency: 'USD' } as const;
const usual = lazily(() => new Intl.NumberFormat(LANGUAGE, inUsd));
const small = lazily(() => new Intl.NumberFormat(LANGUAGE, { ...inUsd, maximumSignificantDigits: 2 }));

const CENT = 0.01;

export function toUsd(usd: number): string {
  return usd > 0 && usd < CENT ? small().format(usd) : usual().format(usd);
}
