// The texts of the mails, as plain text and simple HTML. Pure. Values are inserted as data: they cannot become markup
// or headers.
import { html } from '../../lib/text/markup.ts';
import type { Mail } from '../../outbound/mailer.ts';

type Paragraph = string | { url: string; label: string };
type Letter = Pick<Mail, 'to' | 'subject' | 'text' | 'html'>;

function toLetter(to: string, subject: string, paragraphs: Paragraph[]): Letter {
  const text = paragraphs.map((part) => (typeof part === 'string' ? part : `${part.label}:\n${part.url}`)).join('\n\n');
  const body = paragraphs.map((part) =>
    typeof part === 'string' ? html`<p>${part}</p>\n` : html`<p><a href="${part.url}">${part.label}</a></p>\n`,
  );
  return { to, subject, text: `${text}\n`, html: html`<!doctype html>\n${body}`.markup };
}

/** The name by which people know the service: the host of its links. */
function serviceOf(url: string): string {
  return new URL(url).host;
}

export function resetMail({ to, url }: { to: string; url: string }): Letter {
  const service = serviceOf(url);
  return toLetter(to, `Set a new password for ${service}`, [
    `A new password was requested for your account ${to} at ${service}.`,
    { url, label: 'Set a new password' },
    'The link works once and for 30 minutes. If you did not request it, do nothing: your password stays as it is.',
  ]);
}

export function inviteMail({ to, url, by }: { to: string; url: string; by: string }): Letter {
  const service = serviceOf(url);
  return toLetter(to, `${by} invited you to ${service}`, [
    `${by} created an account for you at ${service}. You will sign in with ${to} and a password that you choose now.`,
    { url, label: 'Accept the invitation' },
    'The link works once and for 7 days. After that, ask for a new one.',
  ]);
}

export function emailMail({ to, url, from }: { to: string; url: string; from: string }): Letter {
  const service = serviceOf(url);
  return toLetter(to, `Confirm your new address for ${service}`, [
    `A request was made to move the account ${from} at ${service} to this address.`,
    { url, label: 'Use this address' },
    'The link works once and for 30 minutes. Until you use it, nothing changes. If you did not request it, do nothing.',
  ]);
}

export function emailNotice({ to, url, next }: { to: string; url: string; next: string }): Letter {
  const service = serviceOf(url);
  return toLetter(to, `Your address for ${service} is about to change`, [
    `Someone who knows the password of your account ${to} at ${service} asked to move it to ${next}.`,
    'If it was you, open the link in the mail at the new address.',
    'If it was not you, set a new password now: that also disables the other link.',
  ]);
}
