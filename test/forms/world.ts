// A world whose site has one form, and requests that post to it.
import type { FormConfigInput } from '../../src/config/form-config.ts';
import type { Submission } from '../../src/forms/submission.ts';
import { type Client, makeWorld, type Reply, type World, type WorldOptions } from '../support/world.ts';

export const CONTACT: FormConfigInput = {
  name: 'contact',
  label: 'Contact us',
  fields: [
    { name: 'name', label: 'Your name', type: 'text', required: true },
    { name: 'email', type: 'email', required: true },
    { name: 'topic', type: 'select', options: [{ label: 'Sales', value: 'sales' }] },
    { name: 'message', type: 'textarea', validation: { maxLength: 100 } },
    { name: 'code', type: 'text', validation: { pattern: '[a-z]{3}' } },
    { name: 'agree', type: 'checkbox' },
    { name: 'campaign', type: 'hidden', defaultValue: 'spring' },
  ],
  successMessage: 'Thanks!',
  notifications: { email: ['owner@example.com'], webhook: 'https://hooks.example.com/secret-path' },
};
export const GOOD = { name: 'Ada', email: 'ada@example.org' };
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
export const PAGE = { ...FORM, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

export function makeForms(form: Partial<FormConfigInput> = {}, options: WorldOptions = {}): Promise<World> {
  const quiet = { ...CONTACT, notifications: {}, ...form };
  return makeWorld({ config: { collections: [], forms: [quiet] }, ...options });
}

export const stored = async (world: World, site?: string): Promise<Submission[]> =>
  (await world.site(site).forms.submissions.list('contact')).submissions;

/** Every file below the submissions of a site. */
export async function storedCount(world: World): Promise<number> {
  return (await stored(world)).length;
}

export const post = (client: Client, body: unknown, headers = {}): Promise<Reply> =>
  client.post('/api/forms/contact', body, headers);
