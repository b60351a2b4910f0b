// What each of our commits says about who made it (decisions.md, sections 5 and 12). Names of trailers are a file
// format: add, never rename. The author's name and address are those at the time and prove nothing; the id stays the
// account's.
import { toPlainName } from './text/plain-name.ts';
import { encodeToken, toToken } from './text/trailer-token.ts';

export interface CommitActor {
  kind: string;
  /** The account that acts; for an access token, its owner. */
  userId?: string | undefined;
  tokenId?: string | undefined;
  aiModel?: string | undefined;
  /** The agent whose run it is. */
  agentName?: string | undefined;
  /** Whether a person decided on this change of a model. */
  isDecided?: boolean | undefined;
}

export function actorTrailers({ kind, userId, tokenId, aiModel }: CommitActor): string[] {
  return [
    `Actor: ${kind}`,
    ...(userId ? [`User: ${encodeToken(userId)}`] : []),
    ...(tokenId ? [`Token: ${toToken(tokenId)}`] : []),
    ...(aiModel ? [`AI-Model: ${toToken(aiModel)}`] : []),
    ...(kind === 'ai' ? [`Co-authored-by: ${toName(aiModel)} <${AI_EMAIL}>`] : []),
  ];
}

/** A person is the author of what a model wrote only if they decided about it; else the agent is, or the model. */
export function commitAuthor(actor: CommitActor & { name: string; email: string }): { name: string; email: string } {
  const { kind, aiModel, agentName, isDecided, name, email } = actor;
  return kind === 'ai' && !isDecided ? { name: toName(agentName ?? aiModel), email: AI_EMAIL } : { name, email };
}

const AI_EMAIL = 'ai@localhost';

/** One line, as git and its hosts read names. */
function toName(text = ''): string {
  return toPlainName(text).replace(/[<>]/g, '').trim().slice(0, MAX_NAME) || 'AI';
}

const MAX_NAME = 100;
