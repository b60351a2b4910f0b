// What the operations with mailed links take.
import { z } from 'zod';
import { Email, Name, NewUserBody, Password } from '../input.ts';

/** Far longer than any token of ours, which is looked at by its form. */
const Token = z.string().max(200);

export const ResetRequestBody = z.object({ email: Email });
export const ResetBody = z.object({ token: Token, password: Password, name: Name.optional() });
/** Two things that one address does: ask for a link, and use one. */
export const ResetOrRequestBody = z.union([ResetBody, ResetRequestBody]);

export const ConfirmEmailBody = z.object({ token: Token });

export const InviteBody = NewUserBody.omit({ password: true }).extend({ name: Name.optional() });

export type ResetInput = z.output<typeof ResetBody>;
export type InviteInput = z.output<typeof InviteBody>;
