// What is asked for in the wizard, by its steps. Pure; the token is no part of it.
import '../../text/en-wizard.ts';
import type { Answer } from '../../api/answer.ts';
import type { Problem } from '../../api/client.ts';
import { findText } from '../../text/loaded.ts';
import { type TextKey, t } from '../../text/translate.ts';

export type ProvisionOptions = Answer<'/api/admin/provision/options'>;
export type BegunProvision = Answer<'/api/admin/provision'>['provisions'][number];

export interface ProvisionWish {
  template: string;
  appName: string;
  region: string;
  vmSize: string;
  adminEmail: string;
  image: string;
  flyOrg: string;
}

export const OPTIONS_URL = '/api/admin/provision/options';
export const PROVISIONS_URL = '/api/admin/provision';
export const WIZARD_PATH = '/admin/deploy/docker';

export const WIZARD_STEPS = ['template', 'configure', 'connect', 'deploy'] as const;

/** The step on which each field stands. */
const STEP_OF: Readonly<Record<string, number>> = {
  template: 0,
  appName: 1,
  region: 1,
  vmSize: 1,
  adminEmail: 1,
  image: 1,
  flyToken: 2,
  flyOrg: 2,
};

export function toFirstWish({ templates, regions, sizes }: ProvisionOptions, adminEmail: string): ProvisionWish {
  const template = templates.find(({ name }) => name === 'blog') ?? templates[0];
  return {
    template: template?.name ?? '',
    region: regions[0] ?? '',
    vmSize: sizes[0] ?? '',
    ...{ appName: '', adminEmail, image: '', flyOrg: '' },
  };
}

/** The step, and what is wanted, as the tab keeps them. */
export interface KeptWish {
  at: number;
  wish: ProvisionWish;
}

/** The token is not kept, so nothing begins after the step that asks for it. */
export function readKept(text: string | null, first: ProvisionWish): KeptWish {
  if (text === null) return { at: 0, wish: first };
  const { at, wish } = JSON.parse(text) as KeptWish;
  return { at: Math.min(at, WIZARD_STEPS.indexOf('connect')), wish: { ...first, ...wish } };
}

/** To go on with one that ended too early. */
export function toWishAgain({ template, appName, region, vmSize, adminEmail, image, flyOrg }: BegunProvision) {
  return { template, appName, region, vmSize, adminEmail, image: image ?? '', flyOrg: flyOrg ?? '' };
}

/** What is sent of the step's fields to be checked. */
export function toCheck(step: number, wish: ProvisionWish, flyToken: string, needsImage: boolean): object {
  const { template, appName, region, vmSize, adminEmail, image } = wish;
  if (step === 0) return { template };
  if (step === 1) return { appName, region, vmSize, adminEmail, ...(needsImage && { image }) };
  return { flyToken, appName };
}

/** What is sent to begin. */
export function toRequest(
  { image, flyOrg, ...wish }: ProvisionWish,
  flyToken: string,
  keys: Readonly<Record<string, string>>,
): object {
  const given = Object.entries(keys).filter(([, key]) => key.trim() !== '');
  const aiKeys = given.length > 0 && { aiKeys: Object.fromEntries(given) };
  return { ...wish, flyToken, ...aiKeys, ...(image !== '' && { image }), ...(flyOrg !== '' && { flyOrg }) };
}

/** Each field's first problem by its name, and the earliest step that has one. */
export function toFieldErrors(problems: readonly Problem[]): { errors: Record<string, string>; step: number } {
  const errors: Record<string, string> = {};
  for (const { path, message } of problems) if (Object.hasOwn(STEP_OF, path)) errors[path] ??= message;
  return { errors, step: Math.min(...Object.keys(errors).map((path) => STEP_OF[path]!)) };
}

/** Fly adds regions: one that is not known keeps its letters. */
export function toRegionName(region: string): string {
  const key = `region.${region}`;
  return findText(key) ? `${t(key as TextKey)} (${region})` : region;
}

export function toAddress(appName: string): string {
  return `https://${appName}.fly.dev`;
}

/** What a removal takes away, in words. */
export function toMadeTexts({ made, url }: Pick<BegunProvision, 'made' | 'url'>): string[] {
  const counted = (['machines', 'volumes', 'ips', 'secrets'] as const).filter((kind) => made[kind] > 0);
  return [
    ...(made.app ? [t('wizard.made.app', { url })] : []),
    ...counted.map((kind) => t(`wizard.made.${kind}`, { count: made[kind] })),
  ];
}
