// Where to go after signing in. Pure.

const HOME = '/admin';

/** A path of the admin; anything else, such as another site's address, is the dashboard. */
export function toNextPath(next: string | null | undefined): string {
  if (!next || !/^\/admin(?:[/?#]|$)/.test(next) || /[\\\s]/.test(next)) return HOME;
  return /^\/admin\/(?:login|setup)(?:[/?#]|$)/.test(next) ? HOME : next;
}
